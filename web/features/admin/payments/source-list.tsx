import { type ReactNode, useState } from 'react';
import { choosePaymentSim, type PaymentAccount, type PaymentSource } from '#contract/payment-feed.ts';
import { useCall } from '#web/api/use-call.ts';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { useAction } from '#web/forms/use-action.ts';
import { formatCounted, formatRelative } from '#web/text/formats.ts';
import { ActionMenu } from '#web/ui/action-menu.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { paymentReads } from './payment-actions.tsx';

/** A source as a person named it; one of before names has its number. */
export const nameOf = ({ kind, name, id }: PaymentSource): string =>
  name ?? (kind === 'sms' ? `Téléphone n°\u00a0${id}` : 'Serveur de Wave');

/** What sends to an account: when it was heard of, what is wrong with it, and which of its SIMs counts. */
export function SourceList({
  account: { label, sources },
  onRotate,
  onDelete,
}: {
  account: PaymentAccount;
  onRotate: (source: PaymentSource) => void;
  onDelete: (source: PaymentSource) => void;
}) {
  const now = useNow();
  if (sources.length === 0)
    return (
      <p className="text-soft text-small">
        Rien n'est relié&nbsp;: les SMS se collent et les relevés s'importent à la main.
      </p>
    );
  return (
    <ul aria-label={`Sources de ${label}`} className="flex flex-col divide-y divide-line">
      {sources.map((source) => {
        const { id, isSilent, isSigned, lastSeenAt, trouble } = source;
        const heard = lastSeenAt ? formatRelative(lastSeenAt, now) : 'jamais';
        const [is, advice] = wordsOf(source);
        return (
          <li key={id} className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-2">
            <div className="wrap-anywhere min-w-0 flex-1 leading-snug">
              <p className="flex flex-wrap items-center gap-x-2 font-semibold">
                <span>{nameOf(source)}</span>
                {isSilent && <Badge tone="red">Silencieux</Badge>}
                {isSigned && <Badge>Signé</Badge>}
              </p>
              <p className="text-small text-soft">{`Dernier message\u00a0: ${heard}`}</p>
            </div>
            <ActionMenu
              label={`Actions sur ${nameOf(source)}, ${label}`}
              items={[
                { name: 'rotate', label: "Changer l'adresse" },
                { name: 'delete', label: 'Supprimer', tone: 'danger' },
              ]}
              onChoose={(name) => (name === 'rotate' ? onRotate : onDelete)(source)}
            />
            {trouble && (
              <Notice>
                <p className="font-semibold">{is}</p>
                <p>{`${advice} Vu ${formatRelative(trouble.at, now)}.`}</p>
              </Notice>
            )}
            {source.sims.length > 1 && <SimChoice source={source} now={now} />}
          </li>
        );
      })}
    </ul>
  );
}

const Notice = ({ children }: { children: ReactNode }) => (
  <div className="w-full rounded-xl bg-amber-pale px-3 py-2 text-amber text-small">{children}</div>
);

/** What is wrong with a source, and what to do. */
function wordsOf({ kind, trouble }: PaymentSource): [is: string, advice: string] {
  const minutes = trouble?.minutes ?? 0;
  const apart = durationOf(Math.abs(minutes));
  if (kind === 'wave')
    switch (trouble?.kind) {
      case 'signature':
        return [
          "Signature refusée\u00a0: le secret n'est pas celui de ce webhook.",
          "Changez l'adresse avec le secret que Wave donne.",
        ];
      case 'clock':
        return [
          `Messages refusés\u00a0: l'heure de Wave et celle du serveur diffèrent de ${apart}.`,
          "Réglez l'horloge du serveur\u00a0: Wave envoie de nouveau.",
        ];
      default:
        return ['Un paiement est arrivé sous une forme inconnue.', 'Il attend parmi les messages non lus.'];
    }
  switch (trouble?.kind) {
    case 'signature':
      return [
        "Signature refusée\u00a0: la clé n'est pas celle de ce téléphone.",
        "Changez l'adresse avec la clé que l'application montre.",
      ];
    case 'clock':
      return [
        `L'horloge de ce téléphone ${minutes > 0 ? 'retarde' : 'avance'} de ${apart}.`,
        "Ses SMS sont lus. Réglez-la sur l'heure du réseau.",
      ];
    case 'sender':
      return [
        'Les SMS arrivent sans leur expéditeur.',
        "Ils attendent parmi les messages non lus. Vérifiez le modèle dans l'application.",
      ];
    default:
      return [
        'Un message est arrivé sans texte lisible.',
        "S'il dit quelque chose, il est parmi les non lus. Vérifiez le modèle dans l'application.",
      ];
  }
}

/** '6 min', '7 h', '365 jours' */
function durationOf(minutes: number): string {
  if (minutes < 60) return `${minutes}\u00a0min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours}\u00a0h` : formatCounted(Math.round(hours / 24), 'jour');
}

/** Asks once which of a phone's SIMs the account's payments come to; whoever erred may say it again. */
function SimChoice({ source, now }: { source: PaymentSource; now: number }) {
  const { id, sim: chosen, sims, isSimChosen } = source;
  const call = useCall();
  const [isAsked, setAsked] = useState(false);
  const { run, busy } = useAction(
    async (sim: string) => {
      const { payments, ignored } = await call(choosePaymentSim, { params: { id: String(id) }, body: { sim } });
      setAsked(false);
      const others = ignored > 0 ? ` ${formatCounted(ignored, 'paiement ignoré')} de l'autre SIM.` : '';
      return { title: `${sim} choisie`, description: `${formatCounted(payments, 'paiement lu')}.${others}` };
    },
    { failure: { fallback: "La SIM n'a pas pu être choisie." }, reads: paymentReads },
  );
  if (isSimChosen && !isAsked)
    return (
      <p className="flex w-full flex-wrap items-center gap-x-2 text-small text-soft">
        <span>{`SIM des paiements\u00a0: ${chosen}. Les SMS de l'autre sont ignorés.`}</span>
        <button type="button" className="min-h-11 font-semibold text-leaf underline" onClick={() => setAsked(true)}>
          Changer de SIM
        </button>
      </p>
    );
  return (
    <Notice>
      <fieldset>
        <legend className="font-semibold">Quelle SIM reçoit les paiements de ce compte&nbsp;?</legend>
        <p>{`Ce téléphone en a plusieurs. ${isSimChosen ? '' : 'Les SMS de la seconde attendent parmi les non lus.'}`}</p>
        <ul className="mt-2 flex flex-col gap-2">
          {sims.map(({ sim, messages, lastAt }) => (
            <li key={sim} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <RowButton
                name={sim}
                of={`reçoit les paiements, ${nameOf(source)}`}
                small
                variant="outline"
                busy={busy}
                onClick={() => run(sim)}
              />
              <span className="basis-40 grow-[3]">
                {`${formatCounted(messages, 'message')}${lastAt ? `, le dernier ${formatRelative(lastAt, now)}` : ''}`}
              </span>
            </li>
          ))}
        </ul>
      </fieldset>
    </Notice>
  );
}
