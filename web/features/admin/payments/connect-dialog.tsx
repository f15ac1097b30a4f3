import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import {
  createPaymentSource,
  listPaymentAccounts,
  type PaymentAccount,
  type PaymentSource,
  rotatePaymentSource,
  type SourceKind,
} from '#contract/payment-feed.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { CloseFoot, ConfirmDialog, DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { CopyBeside } from '#web/features/admin/shared/copy-beside.tsx';
import { useUnloadGuard } from '#web/features/admin/shared/edit-dialog.tsx';
import { ChoiceField } from '#web/features/admin/shared/fields.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { Chunk, part } from '#web/shell/chunk.tsx';
import { formatDate } from '#web/text/formats.ts';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useHeadingFocus } from '#web/ui/page.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { nameOf } from './source-list.tsx';

/** The apps of a phone: the feed knows them by the shape of what they post. */
const apps = { forwarder: 'Incoming SMS to URL forwarder', gateway: 'SMS Gateway' };

/** What is linked, where its address is entered, and the secret that it may sign with. */
const senders = {
  forwarder: {
    name: { label: 'Nom du téléphone', example: 'Téléphone de la caisse' },
    about: "Sur F-Droid. La plus simple\u00a0: rien n'est signé.",
    place: 'Dans Incoming SMS to URL forwarder',
    advice:
      "Ajoutez un transfert\u00a0: expéditeur, le nom que l'opérateur met à ses SMS\u00a0; URL, cette adresse\u00a0; modèle JSON, celui qui suit.",
    secret: undefined,
  },
  gateway: {
    name: { label: 'Nom du téléphone', example: 'Téléphone de la caisse' },
    about: 'Sur sms-gate.app. Elle peut signer, et dit toujours que le téléphone est là.',
    place: 'Dans SMS Gateway',
    advice: 'Enregistrez cette adresse comme webhook des événements sms:received et system:ping.',
    secret: {
      label: "Clé de signature de l'application (facultatif)",
      hint: 'Dans ses réglages, à la rubrique Webhooks. Sans elle, les messages ne sont pas signés.',
    },
  },
  wave: {
    name: { label: 'Nom de ce compte Wave', example: 'Wave de la boutique' },
    about: '',
    place: 'Dans votre espace Wave',
    advice: 'Créez un webhook pour les paiements reçus, vers cette adresse.',
    secret: {
      label: 'Secret donné par Wave (facultatif)',
      hint: 'Wave le donne en créant le webhook. Sans lui, un secret est créé et montré une seule fois.',
    },
  },
};

/** What *Incoming SMS to URL forwarder* is to send, in its own marks. */
const template =
  '{"from":"%from%","text":"%text%","sentStamp":"%sentStamp%","receivedStamp":"%receivedStamp%","sim":"%sim%"}';

const qrCode = part(() => import('#web/features/admin/shared/qr-code.tsx'));

type Made = ResponseOf<typeof createPaymentSource>;

/**
 * Links a phone or Wave's server in three steps: makes an address, shows it once, and waits for the first message on it. A
 * source that is linked gets another address. Closing asks while the address is nowhere else.
 */
export function ConnectDialog({
  account,
  kind,
  source,
  onClose,
}: {
  account: PaymentAccount;
  kind: SourceKind;
  source?: PaymentSource | undefined;
  onClose: () => void;
}) {
  const call = useCall();
  const [app, setApp] = useState<keyof typeof apps>(source?.isSigned ? 'gateway' : 'forwarder');
  const [made, setMade] = useState<Made>();
  const [isKept, setKept] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const sender = kind === 'wave' ? 'wave' : app;
  const { name, about, secret } = senders[sender];
  const { form, errors, busy } = useForm<{ name: string; signingSecret?: string }>({
    read: ({ name: typed = '', signingSecret = '' }) =>
      !source && !typed.trim()
        ? { errors: { name: `Donnez-lui un nom, par exemple «\u00a0${name.example}\u00a0».` } }
        : { data: { name: typed.trim(), ...(signingSecret.trim() && { signingSecret: signingSecret.trim() }) } },
    send: async ({ name: typed, ...signing }) =>
      setMade(
        source
          ? await call(rotatePaymentSource, { params: { id: String(source.id) }, body: signing })
          : await call(createPaymentSource, { body: { ...signing, name: typed, accountId: account.id, kind } }),
      ),
    failure: { fallback: "L'adresse n'a pas pu être créée." },
    reads: [listPaymentAccounts],
  });
  const isOnlyHere = made !== undefined && !isKept;
  useUnloadGuard(isOnlyHere);
  // What is being made is shown once: nothing closes before it is.
  const close = () => busy || (isOnlyHere ? setLeaving(true) : onClose());
  const title = source ? "Changer l'adresse" : kind === 'sms' ? 'Relier un téléphone' : 'Relier Wave';
  return (
    <>
      <Dialog wide title={title} note={source ? `${nameOf(source)} · ${account.label}` : account.label} onClose={close}>
        {made ? (
          <>
            <Address sender={sender} made={made} onCopied={() => setKept(true)} />
            {source ? (
              <p className="mt-5">L'adresse précédente marche encore 24 heures&nbsp;: remplacez-la avant.</p>
            ) : (
              <Step title="3. Premier message">
                <FirstMessage sourceId={made.id} onSeen={() => setKept(true)} />
              </Step>
            )}
            <CloseFoot onClose={close} />
          </>
        ) : (
          <form {...form} className="flex flex-col gap-5">
            <Step title={kind === 'sms' ? "1. L'application du téléphone" : '1. Le secret de signature'}>
              {!source && (
                <Field
                  name="name"
                  label={name.label}
                  hint={`Par exemple\u00a0: ${name.example}.`}
                  maxLength={60}
                  autoComplete="off"
                  error={errors.name}
                />
              )}
              {kind === 'sms' && (
                <>
                  <ChoiceField label="Application" value={app} options={apps} hint={about} onChoose={setApp} />
                  <p className="text-soft text-small">
                    Deux SIM dans ce téléphone&nbsp;? Dès qu'un SMS de la seconde arrive, <i>Comptes</i> vous demande
                    une fois laquelle reçoit les paiements.
                  </p>
                </>
              )}
              {secret && (
                <Field
                  {...secret}
                  name="signingSecret"
                  autoComplete="off"
                  spellCheck={false}
                  error={errors.signingSecret}
                />
              )}
            </Step>
            <DialogFoot busy={busy} onCancel={close}>
              Créer une adresse
            </DialogFoot>
          </form>
        )}
      </Dialog>
      {isLeaving && <LeaveQuestion onLeave={onClose} onStay={() => setLeaving(false)} />}
    </>
  );
}

const LeaveQuestion = ({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) => (
  <ConfirmDialog
    title={"Fermer sans avoir copié l'adresse\u00a0?"}
    confirm="Fermer quand même"
    cancel="Rester"
    onConfirm={async () => onLeave()}
    onClose={onStay}
  >
    <p>Elle ne sera plus montrée. Si elle n'est pas encore là où elle doit être, il faudra en créer une autre.</p>
  </ConfirmDialog>
);

/** The second step: what is entered in the sender, to copy, and for a phone's camera. */
function Address({
  sender,
  made: { address, secret },
  onCopied,
}: {
  sender: keyof typeof senders;
  made: Made;
  onCopied: () => void;
}) {
  const { place, advice } = senders[sender];
  const url = new URL(address, location.origin).href;
  const text = sender === 'forwarder' ? `${url}\n\n${template}` : url;
  return (
    <Step title={`2. ${place}`}>
      <p>{advice}</p>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_12.5rem] sm:only:grid-cols-1">
        <div className="flex flex-col gap-3">
          <Copied name="Adresse" of="l'adresse" text={url} onCopied={secret ? undefined : onCopied} />
          {sender === 'forwarder' && <Copied name="Modèle JSON" of="le modèle JSON" text={template} />}
          {secret && (
            <Copied name="Secret de signature" of="le secret de signature" text={secret} onCopied={onCopied} />
          )}
        </div>
        {sender !== 'wave' && (
          <figure className="flex flex-col gap-1.5">
            <Chunk
              of={qrCode}
              given={{ text, label: 'Code QR de ces textes' }}
              waiting={<div className="aspect-square rounded-xl bg-ground" />}
              isOrnament
            />
            <figcaption className="text-small text-soft">
              Visez-le avec l'appareil photo du téléphone, puis copiez le texte.
            </figcaption>
          </figure>
        )}
      </div>
      <p className="rounded-xl bg-amber-pale px-3 py-2 font-medium text-amber">
        {`${secret ? "L'adresse et le secret ne seront plus montrés" : "L'adresse ne sera plus montrée"}\u00a0: copiez avant de fermer.`}
      </p>
    </Step>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  // The button of the step before is gone.
  const heading = useHeadingFocus(title);
  return (
    <section aria-label={title} className="mt-5 flex flex-col gap-3">
      <h3 {...heading} className="font-semibold outline-none">
        {title}
      </h3>
      {children}
    </section>
  );
}

const Copied = ({
  name,
  of,
  text,
  onCopied,
}: {
  name: string;
  of: string;
  text: string;
  onCopied?: (() => void) | undefined;
}) => (
  <div>
    <p className="font-semibold text-body">{name}</p>
    <div className="mt-1 flex items-center gap-2 rounded-xl bg-ground px-3 py-2 text-body">
      <code className="min-w-0 flex-1 select-all break-all">{text}</code>
      <CopyBeside text={text} of={of} onCopied={onCopied} />
    </div>
  </div>
);

function FirstMessage({ sourceId, onSeen }: { sourceId: number; onSeen: () => void }) {
  const { data } = useEndpoint(listPaymentAccounts, {}, { pollEveryMs: pollEveryMs.adminPayments });
  const seenAt = data?.flatMap(({ sources }) => sources).find(({ id }) => id === sourceId)?.lastSeenAt;
  const seen = useRef(onSeen);
  seen.current = onSeen;
  useEffect(() => {
    if (seenAt) seen.current();
  }, [seenAt]);
  return (
    <p role="status" className="flex items-center gap-3">
      {seenAt ? <CheckIcon className="size-5 shrink-0 text-leaf" /> : <Spinner />}
      <span>{seenAt ? `Premier message reçu le ${formatDate(seenAt)}.` : 'En attente du premier message.'}</span>
    </p>
  );
}
