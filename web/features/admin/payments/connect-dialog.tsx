import { type ReactNode, useState } from 'react';
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
import { useEndpoint, useRefresh } from '#web/api/use-endpoint.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { formatDate } from '#web/text/formats.ts';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { choiceClass, radioClass } from '#web/ui/choice.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useHeadingFocus } from '#web/ui/page.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useToast } from '#web/ui/toast.tsx';

/** What sends: a phone app, which the feed knows by the shape of what it posts, or Wave's server. */
const senders = {
  forwarder: {
    name: 'Incoming SMS to URL forwarder',
    about: "Sur F-Droid. La plus simple\u00a0: rien n'est signé.",
    place: 'Dans Incoming SMS to URL forwarder',
    advice:
      "Ajoutez un transfert\u00a0: expéditeur, le nom que l'opérateur met à ses SMS\u00a0; URL, cette adresse\u00a0; modèle JSON, celui qui suit.",
    secret: undefined,
  },
  gateway: {
    name: 'SMS Gateway',
    about: 'Sur sms-gate.app. Elle peut signer, et dit toujours que le téléphone est là.',
    place: 'Dans SMS Gateway',
    advice: 'Enregistrez cette adresse comme webhook des événements sms:received et system:ping.',
    secret: {
      label: "Clé de signature de l'application (facultatif)",
      hint: 'Dans ses réglages, à la rubrique Webhooks. Sans elle, les messages ne sont pas signés.',
    },
  },
  wave: {
    name: 'Wave',
    about: '',
    place: 'Dans votre espace Wave',
    advice: 'Créez un webhook pour les paiements reçus, vers cette adresse.',
    secret: {
      label: 'Secret donné par Wave (facultatif)',
      hint: 'Wave le donne en créant le webhook. Sans lui, un secret est créé et montré une seule fois.',
    },
  },
} as const;
type Sender = keyof typeof senders;
const phoneApps = ['forwarder', 'gateway'] as const;

/** What *Incoming SMS to URL forwarder* is to send, in its own marks. */
const template =
  '{"from":"%from%","text":"%text%","sentStamp":"%sentStamp%","receivedStamp":"%receivedStamp%","sim":"%sim%"}';

interface Props {
  account: PaymentAccount;
  kind: SourceKind;
  /** The source that gets another address; undefined makes one. */
  rotated?: PaymentSource;
  onClose: () => void;
}

/** Makes an address in three steps: shows it once, and waits for the first message on it. */
export function ConnectDialog({ account, kind, rotated, onClose }: Props) {
  const call = useCall();
  const refresh = useRefresh();
  const [sender, setSender] = useState<Sender>(kind === 'wave' ? 'wave' : rotated?.isSigned ? 'gateway' : 'forwarder');
  const [opened, setOpened] = useState<ResponseOf<typeof createPaymentSource>>();
  const { form, errors, busy } = useForm<{ signingSecret?: string }>({
    read: ({ signingSecret = '' }) => ({ data: signingSecret.trim() ? { signingSecret: signingSecret.trim() } : {} }),
    send: async (body) =>
      setOpened(
        rotated
          ? await call(rotatePaymentSource, { params: { id: String(rotated.id) }, body })
          : await call(createPaymentSource, { body: { ...body, accountId: account.id, kind } }),
      ),
    failure: { fallback: "L'adresse n'a pas pu être créée." },
    after: () => refresh(listPaymentAccounts),
  });
  const { place, advice, secret } = senders[sender];
  // What is being made is shown once: nothing closes before it is.
  const close = () => busy || onClose();
  const title = rotated ? "Changer l'adresse" : kind === 'sms' ? 'Relier un téléphone' : 'Relier Wave';
  if (opened)
    return (
      <Dialog wide title={title} note={account.label} onClose={close}>
        <Step number={2} title={place}>
          <p>{advice}</p>
          <Copied name="Adresse" of="l'adresse" text={new URL(opened.address, location.origin).href} />
          {sender === 'forwarder' && <Copied name="Modèle JSON" of="le modèle JSON" text={template} />}
          {opened.secret && <Copied name="Secret de signature" of="le secret de signature" text={opened.secret} />}
          <p className="rounded-xl bg-amber-pale px-3 py-2 font-medium text-amber">
            {`${opened.secret ? "L'adresse et le secret ne seront plus montrés" : "L'adresse ne sera plus montrée"}\u00a0: copiez avant de fermer.`}
          </p>
          {rotated && <p>L'ancienne adresse marche encore 24 heures.</p>}
        </Step>
        {!rotated && (
          <Step number={3} title="Premier message">
            <FirstMessage sourceId={opened.id} />
          </Step>
        )}
        <DialogButtons className="mt-6">
          <Button variant="plain" onClick={onClose}>
            Fermer
          </Button>
        </DialogButtons>
      </Dialog>
    );
  return (
    <Dialog wide title={title} note={account.label} onClose={close}>
      <form {...form} className="flex flex-col gap-5">
        <Step number={1} title={kind === 'sms' ? "L'application du téléphone" : 'Le secret de signature'}>
          {kind === 'sms' && (
            <fieldset className="flex flex-col gap-2">
              <legend className="sr-only">Application</legend>
              {phoneApps.map((app) => (
                <label key={app} className={choiceClass(sender === app, 'min-h-14')}>
                  <input
                    type="radio"
                    name="app"
                    className={radioClass}
                    checked={sender === app}
                    onChange={() => setSender(app)}
                  />
                  <span>
                    <span className="block font-semibold">{senders[app].name}</span>
                    <span className="text-soft text-sm">{senders[app].about}</span>
                  </span>
                </label>
              ))}
            </fieldset>
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
          {rotated && <p>L'adresse actuelle marche encore 24 heures&nbsp;: remplacez-la avant.</p>}
        </Step>
        <DialogFoot busy={busy} onCancel={close}>
          {rotated ? 'Créer une autre adresse' : 'Créer une adresse'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  // The button of the step before is gone.
  const heading = useHeadingFocus(title);
  return (
    <section aria-label={`${number}. ${title}`} className="mt-5 flex flex-col gap-3">
      <h3 {...heading} className="font-semibold outline-none">{`${number}. ${title}`}</h3>
      {children}
    </section>
  );
}

function Copied({ name, of, text }: { name: string; of: string; text: string }) {
  const toast = useToast();
  const failed = { description: 'Touchez le texte et copiez-le à la main.', destructive: true };
  return (
    <div>
      <p className="font-semibold text-sm">{name}</p>
      <div className="mt-1 flex items-center gap-2">
        <code className="min-w-0 flex-1 select-all break-all rounded-xl bg-ground px-3 py-2 text-sm">{text}</code>
        <CopyButton
          square
          text={text}
          of={of}
          onDone={(copied) => toast(copied ? { title: 'Copié' } : { title: 'Copie impossible', ...failed })}
        />
      </div>
    </div>
  );
}

/** Waits for the first message on a new source. */
function FirstMessage({ sourceId }: { sourceId: number }) {
  const { data } = useEndpoint(listPaymentAccounts, {}, { pollEveryMs: pollEveryMs.adminPayments });
  const seenAt = data?.flatMap(({ sources }) => sources).find(({ id }) => id === sourceId)?.lastSeenAt;
  return (
    <p role="status" className="flex items-center gap-3">
      {seenAt ? <CheckIcon className="size-5 shrink-0 text-leaf" /> : <Spinner />}
      <span className={seenAt ? 'font-semibold text-leaf-dark' : undefined}>
        {seenAt ? `Premier message reçu le ${formatDate(seenAt)}.` : 'En attente du premier message.'}
      </span>
    </p>
  );
}
