import { type ChangeEventHandler, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { listPaymentShapes } from '#contract/payment-shapes.ts';
import { lookAtShape, type PaymentMessage, recordPayment } from '#contract/payments.ts';
import { parseTypedAmount } from '#contract/typed-amount.ts';
import type { InputOf } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { CheckField } from '#web/features/admin/shared/fields.tsx';
import { AmountField } from '#web/forms/amount-field.tsx';
import { groupAmount } from '#web/forms/grouped-typing.ts';
import type { FieldErrors, Reading } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { formatAmount, formatCounted, formatDayAndHour } from '#web/text/formats.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { AccountField } from './intake-dialogs.tsx';
import { paymentReads } from './payment-actions.tsx';
import { ShapeParts } from './shape-parts.tsx';

type Look = ResponseOf<typeof lookAtShape>;
type Body = InputOf<typeof recordPayment>['body'];

/** The text of an unread message, or why there is none. */
export const messageText = ({ text, isErased }: Pick<PaymentMessage, 'text' | 'isErased'>): string =>
  text ??
  (isErased
    ? 'Le texte a été effacé après 30 jours.'
    : 'Le texte ne peut pas être ouvert\u00a0: il a été gardé sous une autre clé.');

/** A balance as it is typed, in hundredths of a franc; null of nothing, and undefined of what is no amount. */
function parseBalance(typed: string): number | null | undefined {
  const plain = typed.replace(/[\s\u00a0\u202f]/g, '');
  if (plain === '') return null;
  const [, francs = '', decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(plain) ?? [];
  return francs === '' ? undefined : Number(francs) * 100 + Number(decimals.padEnd(2, '0'));
}

function readRecord({ accountId, ...values }: Record<string, string>): Reading<Body> {
  const gross = parseTypedAmount(values.gross ?? '');
  const paidAt = new Date(values.paidAt ?? '');
  const balanceAfter = parseBalance(values.balanceAfter ?? '');
  const found = {
    ...(!accountId && { accountId: 'Choisissez un compte.' }),
    ...(gross === undefined && { gross: 'Saisissez un montant en francs entiers.' }),
    ...(balanceAfter === undefined && { balanceAfter: 'Saisissez un solde en francs, comme 12 345 ou 12 345,50.' }),
    ...(Number.isNaN(paidAt.getTime()) && { paidAt: "Saisissez le jour et l'heure du paiement." }),
  };
  if (gross === undefined || Object.keys(found).length > 0) return { errors: found };
  const [reference, payer, name] = ['reference', 'payer', 'name'].map((field) => values[field]?.trim() || null);
  const told = { accountId: Number(accountId), gross, reference, payer, name, balanceAfter };
  const asked = { learn: values.learn === 'on', allowSender: values.allowSender === 'on' };
  return { data: { ...told, paidAt: paidAt.toISOString(), ...asked } as Body };
}

/** Francs in threes, as they are typed. */
const spellFrancs = (francs: number) => groupAmount({ text: String(francs), caret: 0 }).text;

const spellBalance = (hundredths: number): string => {
  const francs = spellFrancs(Math.floor(hundredths / 100));
  const decimals = String(hundredths % 100).padStart(2, '0');
  return decimals === '00' ? francs : `${francs},${decimals}`;
};

/**
 * Makes a payment of a message: what seems to stand in it is filled in for a person to confirm. Those of its shape are read from
 * then on where that is ticked; then the shape is shown first, until something in the form changes.
 */
export function RecordDialog({
  message,
  accounts,
  onClose,
}: {
  message: PaymentMessage;
  accounts: readonly PaymentAccount[];
  onClose: () => void;
}) {
  const { id, accountId, text } = message;
  const call = useCall();
  const [learns, setLearns] = useState(false);
  const [look, setLook] = useState<Look>();
  const { form, errors, setErrors, busy } = useForm<Body>({
    read: readRecord,
    send: async ({ paidAt, learn, allowSender, ...told }) => {
      const params = { id: String(id) };
      if (learn && !look) return setLook(await call(lookAtShape, { params, body: told }));
      const noted = await call(recordPayment, { params, body: { ...told, paidAt, learn, allowSender } });
      const others = noted.read > 0 && ` · ${formatCounted(noted.read, 'autre paiement lu')}`;
      onClose();
      return { title: noted.message, description: `${formatAmount(told.gross)}${others || ''}` };
    },
    failure: { fallback: "Le paiement n'a pas pu être noté." },
    reads: learns && !look ? [] : [...paymentReads, listPaymentShapes],
  });
  return (
    <Dialog title="C'est un paiement" onClose={onClose}>
      <form {...form} onChange={() => setLook(undefined)} className="mt-4 flex flex-col gap-4">
        <p className="wrap-anywhere whitespace-pre-wrap rounded-xl bg-ground px-3.5 py-2.5 text-body">
          {messageText(message)}
        </p>
        <AccountField accounts={accounts} chosen={accountId} error={errors.accountId} />
        <PaymentFields message={message} errors={errors} />
        {text !== null && (
          <LearnFields
            message={message}
            errors={errors}
            learns={learns}
            onLearn={({ target }) => {
              setLearns(target.checked);
              // The shape is to be seen at once, and what it lacks.
              if (target.checked) target.form?.requestSubmit();
              else setErrors({});
            }}
          />
        )}
        {learns && look && <Shape look={look} account={accounts.find((each) => each.id === accountId)?.label} />}
        <DialogFoot busy={busy} onCancel={onClose}>
          {learns ? (look ? 'Noter et lire ainsi' : 'Voir la forme') : 'Noter le paiement'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

const optional = { autoComplete: 'off', spellCheck: false };

interface PartProps {
  message: PaymentMessage;
  errors: FieldErrors;
}

function PaymentFields({ message: { receivedAt, guess }, errors }: PartProps) {
  return (
    <>
      <AmountField
        label="Montant payé (FCFA)"
        name="gross"
        hint="Frais compris."
        defaultValue={guess.gross === undefined ? '' : spellFrancs(guess.gross)}
        error={errors.gross}
      />
      <Field
        label="Référence (facultatif)"
        name="reference"
        maxLength={60}
        {...optional}
        defaultValue={guess.reference}
        error={errors.reference}
      />
      <Field
        label="Payé depuis le numéro (facultatif)"
        name="payer"
        type="tel"
        maxLength={40}
        {...optional}
        defaultValue={guess.payer}
        error={errors.payer}
      />
      <Field
        label="Solde après le paiement (facultatif)"
        name="balanceAfter"
        inputMode="decimal"
        maxLength={20}
        {...optional}
        defaultValue={guess.balanceAfter === undefined ? '' : spellBalance(guess.balanceAfter)}
        error={errors.balanceAfter}
      />
      <Field
        label="Payé le"
        name="paidAt"
        type="datetime-local"
        defaultValue={localMinute(guess.paidAt ?? receivedAt)}
        error={errors.paidAt}
      />
    </>
  );
}

function LearnFields({
  message: { guess },
  errors,
  learns,
  onLearn,
}: PartProps & { learns: boolean; onLearn: ChangeEventHandler<HTMLInputElement> }) {
  return (
    <div>
      <CheckField
        name="learn"
        label="Lire ainsi les suivants"
        hint="Les SMS de cette forme deviendront des paiements d'eux-mêmes, pour ce type de paiement dans ce pays."
        error={errors.learn}
        onChange={onLearn}
      />
      <div hidden={!learns} className="mt-2">
        <Field
          label="Nom du payeur dans ce message (facultatif)"
          name="name"
          maxLength={80}
          {...optional}
          hint="Il change d'un message à l'autre, et n'est pas gardé."
          defaultValue={guess.name}
          error={errors.name}
        />
      </div>
    </div>
  );
}

/** The minute of an instant here, as a field of date and time has it. */
const localMinute = (instant: string) => `${dayOf(new Date(instant))}T${formatDayAndHour(instant).hour}`;

/** What is to be kept: the text with its parts that differ each time, and what it would do. */
function Shape({
  look: { parts, waiting, stranger },
  account = 'ce compte',
}: {
  look: Look;
  account?: string | undefined;
}) {
  return (
    <section aria-label="Forme à garder" className="flex flex-col gap-2 rounded-xl border border-line px-3.5 py-3">
      <h3 className="font-semibold">Ce qui change d'un message à l'autre</h3>
      <p className="wrap-anywhere whitespace-pre-wrap leading-7">
        <ShapeParts parts={parts} />
      </p>
      <p role="status" className="text-body">
        {waiting > 0
          ? `${formatCounted(waiting, 'autre message')} qui ${waiting < 2 ? 'attend sera lu' : 'attendent seront lus'} aussitôt.`
          : "Aucun autre message qui attend n'a cette forme."}
      </p>
      {stranger !== null && (
        <CheckField
          name="allowSender"
          label={`Accepter aussi les SMS de «\u00a0${stranger}\u00a0»`}
          hint={`Cet expéditeur n'est pas de ceux de ${account}\u00a0: sans cela, ses messages restent refusés. Un SMS peut être imité.`}
          onChange={(event) => event.stopPropagation()}
        />
      )}
    </section>
  );
}
