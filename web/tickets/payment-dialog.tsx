import { type RefObject, useState } from 'react';
import { countryOf, defaultCountryCode, formatPhone } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { declarePayment, listUserTickets, readOwnTicket, type Ticket } from '#contract/tickets.ts';
import { findWallet } from '#contract/wallets.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useReplaceRows } from '#web/api/use-list.ts';
import { groupPhone, phoneText, type TypedPhone } from '#web/forms/grouped-typing.ts';
import { PhoneField } from '#web/forms/phone-field.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { formatAmount, formatCount, formatTotal } from '#web/text/formats.ts';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { inputClass, Labelled } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { referenceDoubt } from './payment-references.ts';
import { type ReadSms, readSms } from './read-sms.ts';

/** What was typed in dialogs that were closed without a word: it is there when they are opened again. */
export type TypedPayments = RefObject<Record<number, { text: string; payer: TypedPhone } | undefined>>;

interface Props {
  ticket: Ticket;
  /** The person's own number, which most people pay from. */
  ownPhone: string | undefined;
  /** By ticket. */
  typed: TypedPayments;
  onClose: () => void;
}

const problems = {
  none: 'Aucune référence dans ce texte. Copiez le numéro de transaction, ou laissez vide.',
  several: 'Il y a plusieurs références dans ce texte. Gardez un seul SMS, ou laissez vide.',
};

/** Asks for the transaction that paid a ticket. A declaration is no proof: an administrator decides. */
export function PaymentDialog({ ticket, ownPhone = '', typed, onClose }: Props) {
  // As declared on opening: polls do not change typed text.
  const [{ known, isDeclared }] = useState({
    known: ticket.paymentReference ?? '',
    isDeclared: ticket.paymentDeclaredAt !== null,
  });
  const before = typed.current[ticket.id];
  const [text, setText] = useState(before?.text ?? known);
  const [payer, setPayer] = useState<TypedPhone>(
    () =>
      before?.payer ??
      groupPhone({ text: isDeclared ? '' : ownPhone, caret: 0 }, countryOf(ownPhone)?.code ?? defaultCountryCode),
  );
  const close = (kept?: typeof before) => {
    typed.current[ticket.id] = kept;
    onClose();
  };
  const wallet = findWallet(ticket.paymentTypeName, ticket.dialOperator);
  const read = readSms(text, wallet?.name);
  const { form, errors, setErrors, isQuestion, busy } = useDeclarePayment(ticket, {
    known,
    read,
    payer,
    onDone: close,
  });
  return (
    <Dialog
      calm
      title="J'ai payé"
      note={`Ticket n°\u00a0${ticket.id} · ${formatTotal(Number(ticket.totalPrice), ticket.servicePath)}`}
      onClose={() => close({ text, payer })}
    >
      <form {...form} className="mt-2 flex flex-col gap-4">
        <p className="text-soft">
          Un administrateur vérifie votre paiement&nbsp;; la demande reste en attente jusque-là.
        </p>
        <div>
          <ReferenceField
            text={text}
            read={read}
            wallet={wallet}
            total={Number(ticket.totalPrice)}
            refused={errors.reference}
            onChange={(typed) => {
              setErrors({});
              setText(typed);
            }}
          />
          {!text.trim() && (
            <div className="-mb-1 flex flex-wrap gap-x-2 gap-y-1 pt-2">
              {'clipboard' in navigator && <PasteButton onPaste={setText} />}
              {!isDeclared && (
                <Button type="submit" variant="quiet" tight busy={busy}>
                  Je n'ai pas la référence
                </Button>
              )}
            </div>
          )}
        </div>
        <PayerNumber
          ownPhone={ownPhone}
          isDeclared={isDeclared}
          payer={payer}
          error={errors.payerPhone}
          onChange={(typed) => {
            setErrors({});
            setPayer(typed);
          }}
        />
        <DialogButtons>
          <Button variant="plain" className="flex-1" onClick={() => close()}>
            Annuler
          </Button>
          <Button type="submit" busy={busy} className="max-sm:basis-40!">
            {busy ? 'Envoi...' : isQuestion ? "Oui, c'est la bonne" : 'Déclarer le paiement'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Reads the clipboard where the browser allows it; else the field has the focus, to be pasted into by hand. */
function PasteButton({ onPaste }: { onPaste: (text: string) => void }) {
  return (
    <Button
      variant="outline"
      tight
      onClick={({ currentTarget: { form } }) =>
        navigator.clipboard
          .readText()
          .then(onPaste)
          .catch(() => form?.querySelector('textarea')?.focus())
      }
    >
      Coller
    </Button>
  );
}

interface ReferenceProps {
  text: string;
  read: ReadSms;
  wallet: ReturnType<typeof findWallet>;
  total: number;
  refused: string | undefined;
  onChange: (text: string) => void;
}

/** The SMS or the reference of a payment, with what is read in it. */
function ReferenceField({ text, read, wallet, total, refused, onChange }: ReferenceProps) {
  // A pasted SMS is no beginning of a reference: what is missing there is told at once.
  const isWhole = /\s\S+\s/.test(text.trim()) && read.problem !== undefined;
  return (
    <>
      <Labelled
        label="Collez le SMS ou la référence (facultatif)"
        hint={
          !text && (
            <>
              <span>Seule la référence est envoyée, et votre paiement est retrouvé plus vite.</span>
              {wallet?.look && <span>{` Chez ${wallet.name}, elle ${wallet.look}.`}</span>}
            </>
          )
        }
        error={refused ?? (isWhole ? problems[read.problem ?? 'none'] : undefined)}
      >
        {(control) => (
          <textarea
            {...control}
            name="reference"
            rows={2}
            value={text}
            onChange={({ target }) => onChange(target.value)}
            // As in a field of one line; a pasted SMS keeps its lines.
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            enterKeyHint="send"
            className={join(inputClass, 'field-sizing-content max-h-40 min-h-19 resize-none border-dashed')}
          />
        )}
      </Labelled>
      <WhatIsRead read={read} text={text} total={total} />
    </>
  );
}

/** What was read in a text of more than the reference, and what contradicts the ticket, whose total is in CFA francs. */
function WhatIsRead({ read, text, total }: { read: ReadSms; text: string; total: number }) {
  const { reference, amount, isFailure } = read;
  const isEqual = reference === text.replace(/\s/g, '').toUpperCase();
  const isOther = amount !== undefined && total > 0 && amount !== total;
  return (
    <div role="status" className="text-body *:mt-2">
      {reference && !isEqual && (
        <p className="flex gap-2 rounded-xl bg-leaf-pale px-3 py-2 text-leaf-dark leading-snug">
          <CheckIcon className="size-5 shrink-0" />
          <span className="min-w-0">
            <span className="wrap-anywhere">
              Référence lue&nbsp;: <strong>{reference}</strong>
            </span>
            {amount !== undefined && !isOther && (
              <span className="block">{`Montant\u00a0: ${formatAmount(amount)}`}</span>
            )}
          </span>
        </p>
      )}
      {reference && isOther && (
        <p className={doubtClass}>
          {`Le SMS dit ${formatCount(amount)}\u00a0F, la demande ${formatCount(total)}\u00a0F. Est-ce le bon SMS\u00a0?`}
        </p>
      )}
      {isFailure && <p className={doubtClass}>Ce SMS parle d'un échec. Vérifiez que votre paiement est passé.</p>}
    </div>
  );
}

const doubtClass = 'rounded-xl bg-amber-pale px-3 py-2 font-medium text-amber leading-snug';

/** The number that was paid from: most people's own, which needs no field. */
function PayerNumber({
  ownPhone,
  isDeclared,
  payer,
  error,
  onChange,
}: {
  ownPhone: string;
  isDeclared: boolean;
  payer: TypedPhone;
  error: string | undefined;
  onChange: (typed: TypedPhone) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  // Also once its error is gone.
  if (error && !isOpen) setOpen(true);
  const isOwn = ownPhone !== '' && !isDeclared;
  if (!isOpen)
    return (
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-small text-soft">
        <span>{isOwn ? `Payé depuis le ${formatPhone(ownPhone)}` : 'Payé depuis un autre numéro\u00a0?'}</span>
        <Button variant="quiet" tight className="-mr-3 text-body" onClick={() => setOpen(true)}>
          <span>
            <span>{isOwn ? 'Changer' : 'Indiquer'}</span>
            <span className="sr-only"> le numéro du paiement</span>
          </span>
        </Button>
      </p>
    );
  return (
    <PhoneField
      label="Payé depuis le numéro (facultatif)"
      name="payerPhone"
      value={payer}
      onChange={onChange}
      hint={isDeclared ? "Laissez vide s'il n'a pas changé." : undefined}
      error={error}
      // It comes where its button was pressed.
      autoFocus={!error}
      autoComplete="off"
      enterKeyHint="send"
    />
  );
}

/** The form that declares a ticket paid by a transaction. A retry after a lost answer is the same declaration. */
function useDeclarePayment(
  { id, createdAt }: Ticket,
  { known, read, payer, onDone }: { known: string; read: ReadSms; payer: TypedPhone; onDone: () => void },
) {
  const call = useCall();
  const replace = useReplaceRows(listUserTickets);
  /** The question of the last reference: it is sent when it is given again. */
  const [questioned, setQuestioned] = useState<{ reference: string; doubt: string }>();
  const form = useForm<{ reference: string; payerPhone: string | undefined }>({
    read: () => {
      const { reference = '', problem } = read;
      const typed = phoneText(payer);
      const phone = typed ? readPhone(typed, payer.code) : { e164: undefined };
      if (problem || 'problem' in phone)
        return {
          errors: {
            ...(problem && { reference: problems[problem] }),
            ...('problem' in phone && { payerPhone: phone.problem }),
          },
        };
      if (known && !reference) return { errors: { reference: 'Saisissez la référence qui remplace la précédente.' } };
      const doubt = reference === known ? undefined : referenceDoubt(reference, createdAt, Date.now());
      if (doubt && reference !== questioned?.reference) {
        setQuestioned({ reference, doubt });
        return { errors: { reference: doubt } };
      }
      return { data: { reference, payerPhone: 'e164' in phone ? phone.e164 : undefined } };
    },
    send: async ({ reference, payerPhone }) => {
      const body = { ...(reference && { reference }), ...(payerPhone && { payerPhone }) };
      replace([await call(declarePayment, { params: { id: String(id) }, body })]);
      onDone();
      return { title: 'Paiement déclaré', description: 'Votre demande reste en attente de vérification.' };
    },
    failure(error) {
      if (hasCode(error, 'TICKET_DECIDED')) onDone();
      return { words: { fallback: "Le paiement n'a pas pu être déclaré. Réessayez." } };
    },
    reads: [listUserTickets, readOwnTicket],
  });
  return { ...form, isQuestion: questioned !== undefined && form.errors.reference === questioned.doubt };
}
