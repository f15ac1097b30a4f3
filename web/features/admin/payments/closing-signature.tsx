import { useState } from 'react';
import {
  type Closing,
  type ClosingFigures,
  hasMovement,
  listClosingDays,
  readClosing,
  signClosing,
} from '#contract/closings.ts';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { useCall } from '#web/api/use-call.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { formatCalendarDay, formatDate } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { francs, gapWords, ledgersOf } from './closing-figures.ts';

export const amberLook = 'border-amber bg-amber-pale text-amber';

export interface DayProps {
  account: PaymentAccount;
  day: string;
  closing: Closing;
  isOver: boolean;
}

/** Signs the day with the reasons that the form has; `onSigned` follows. */
function useSign({ account, day, closing, isOver }: DayProps, onSigned: () => void) {
  const call = useCall();
  return useForm({
    read: (values) => {
      const gaps = closing.figures.gaps.map(({ after }) => ({
        lineId: after.id,
        reason: values[`reasons.gaps.${after.id}`] ?? '',
      }));
      return { data: { gaps, ...(!isOver && { unfinished: values['reasons.unfinished'] ?? '' }) } };
    },
    send: async (reasons) => {
      await call(signClosing, { body: { accountId: account.id, day, digest: closing.digest, reasons } });
      onSigned();
      return { title: 'Journée signée', description: `${account.label}, ${formatCalendarDay(day).long}.` };
    },
    failure: { fallback: "La journée n'a pas pu être signée." },
    reads: [readClosing, listClosingDays],
  });
}

/** Signs a day; one with gaps, without a movement or not over is asked about first, with a reason for each. */
export function SignButton(props: DayProps) {
  const { closing, isOver } = props;
  const { figures, signed } = closing;
  const [isAsking, setAsking] = useState(false);
  const { form, busy } = useSign(props, () => {});
  const asks = !isOver || figures.gaps.length > 0 || !hasMovement(figures);
  return (
    <>
      <form {...form} className="flex *:flex-1">
        <Button
          type={asks ? 'button' : 'submit'}
          variant={hasMovement(figures) ? 'main' : 'plain'}
          tight
          busy={busy}
          onClick={asks ? () => setAsking(true) : undefined}
        >
          {signed ? 'Signer à nouveau' : 'Signer la journée'}
        </Button>
      </form>
      {isAsking && <SignDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

function SignDialog(props: DayProps & { onClose: () => void }) {
  const { account, day, closing, isOver, onClose } = props;
  const { figures, signed } = closing;
  const { form, errors, busy } = useSign(props, onClose);
  const given = signed?.reasons;
  return (
    <Dialog
      title={`Signer le ${formatCalendarDay(day).longWithWeekday}\u00a0?`}
      note={`${account.label} · ${account.number}`}
      onClose={onClose}
    >
      <form {...form} className="mt-4 flex flex-col gap-4">
        {!hasMovement(figures) && <p>Aucun mouvement ce jour-là&nbsp;: rien n'est entré, rien n'est sorti.</p>}
        {figures.gaps.map((gap) => {
          const name = `reasons.gaps.${gap.after.id}`;
          return (
            <Field
              key={name}
              name={name}
              label={`${gapWords(gap, account.country)}\u00a0: pourquoi\u00a0?`}
              defaultValue={given?.gaps.find(({ lineId }) => lineId === gap.after.id)?.reason}
              maxLength={200}
              error={errors[name]}
              autoComplete="off"
            />
          );
        })}
        {!isOver && (
          <Field
            name="reasons.unfinished"
            label={"La journée n'est pas finie\u00a0: pourquoi la signer\u00a0?"}
            defaultValue={given?.unfinished}
            maxLength={200}
            error={errors['reasons.unfinished']}
            autoComplete="off"
          />
        )}
        <DialogFoot busy={busy} onCancel={onClose}>
          Signer
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** Why something of the day is so, as its signature says; on paper an empty one is written by hand. */
export const Reason = ({ label, given }: { label: string; given: string | undefined }) => (
  <p className={given ? undefined : 'hidden print:block'}>
    <span className="text-soft">{`${label}\u00a0: `}</span>
    <span className="wrap-anywhere">{given}</span>
  </p>
);

/** Who signed the day, and what is otherwise now than it was then. */
export function Signature({ signed, figures }: { signed: Closing['signed']; figures: ClosingFigures }) {
  if (!signed) return <p className="hidden print:block">Journée non signée.</p>;
  const wordsOf = (each: ClosingFigures) => new Map(ledgersOf(each).flatMap(({ rows }) => rows));
  const [then, now] = [wordsOf(signed.figures), wordsOf(figures)];
  const differing = [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name));
  const words = `Signée par ${signed.by ?? 'un compte supprimé'}, le ${formatDate(signed.at)}.`;
  if (!signed.changed) return <p className="font-semibold text-leaf-dark">{words}</p>;
  return (
    <div className={join('rounded-card border px-4 py-2.5', amberLook)}>
      <h3 className="font-semibold">A changé depuis la signature</h3>
      <p className="text-ink text-body">{words}</p>
      <ul className="mt-1 text-ink text-body">
        {differing.map((name) => (
          <li key={name} className="tabular-nums">
            {`${name}\u00a0: ${then.get(name) ?? 'rien'} à la signature, ${now.get(name) ?? 'rien'} maintenant`}
          </li>
        ))}
        {differing.length === 0 && <li>Le détail des lignes a changé, les totaux sont les mêmes.</li>}
      </ul>
    </div>
  );
}

/** The signatures that later ones replaced. */
export function Earlier({ signatures }: { signatures: Closing['earlier'] }) {
  if (signatures.length === 0) return null;
  return (
    <div className="text-body text-soft">
      <h3 className="font-semibold">Signatures d'avant</h3>
      <ul>
        {signatures.map(({ by, at, figures }) => (
          <li key={at} className="tabular-nums">
            {`${by ?? 'Un compte supprimé'}, le ${formatDate(at)}\u00a0: solde de fin ${francs(figures.last).toLowerCase().replace('fcfa', 'FCFA')}`}
          </li>
        ))}
      </ul>
    </div>
  );
}
