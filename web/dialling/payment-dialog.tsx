import { useState } from 'react';
import { countryOf, defaultCountryCode } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { declarePayment, listUserTickets, paymentDeclaration, readOwnTicket, type Ticket } from '#contract/tickets.ts';
import { findWallet } from '#contract/wallets.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useReplaceRows } from '#web/api/use-list.ts';
import { groupPhone, phoneText, type TypedPhone } from '#web/forms/grouped-typing.ts';
import { PhoneField } from '#web/forms/phone-field.tsx';
import { type FieldErrors, readForm } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { referenceDoubt } from './payment-references.ts';

interface Props {
  ticket: Ticket;
  /** The person's own number, which most people pay from. */
  ownPhone: string | undefined;
  onClose: () => void;
}

/** Asks for the transaction that paid a ticket. A declaration is no proof: an administrator decides. */
export function PaymentDialog({ ticket, ownPhone = '', onClose }: Props) {
  // As declared on opening: polls do not change typed text.
  const [{ known, isDeclared }] = useState({
    known: ticket.paymentReference ?? '',
    isDeclared: ticket.paymentDeclaredAt !== null,
  });
  const [payer, setPayer] = useState<TypedPhone>(() =>
    groupPhone({ text: isDeclared ? '' : ownPhone, caret: 0 }, countryOf(ownPhone)?.code ?? defaultCountryCode),
  );
  const { form, errors, setErrors, isQuestion, busy } = useDeclarePayment(ticket, { known, payer, onDone: onClose });
  const wallet = findWallet(ticket.paymentTypeName, ticket.dialOperator);
  return (
    <Dialog title="J'ai payé" onClose={onClose}>
      <form {...form} className="mt-2 flex flex-col gap-4 short:grid short:grid-cols-2 short:gap-3">
        <p className="col-span-full text-soft">{`Ticket n°\u00a0${ticket.id}. Un administrateur vérifie votre paiement\u00a0; la demande reste en attente jusque-là.`}</p>
        <Field
          label="Référence de la transaction (facultatif)"
          name="reference"
          defaultValue={known}
          hint={
            <>
              <span>Dans le SMS de votre opérateur. Avec elle, votre paiement est retrouvé plus vite.</span>
              {wallet?.look && <span>{` Chez ${wallet.name}, elle ${wallet.look}.`}</span>}
            </>
          }
          error={errors.reference}
          onInput={() => setErrors({})}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="send"
        />
        <PhoneField
          label="Payé depuis le numéro (facultatif)"
          name="payerPhone"
          value={payer}
          onChange={(typed) => {
            setErrors({});
            setPayer(typed);
          }}
          hint={isDeclared ? "Laissez vide s'il n'a pas changé." : undefined}
          error={errors.payerPhone}
          autoComplete="off"
          enterKeyHint="send"
        />
        <DialogButtons className="col-span-full">
          <Button variant="plain" className="flex-1" onClick={onClose}>
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

/** The form that declares a ticket paid by a transaction. A retry after a lost answer is the same declaration. */
function useDeclarePayment(
  { id, createdAt }: Ticket,
  { known, payer, onDone }: { known: string; payer: TypedPhone; onDone: () => void },
) {
  const call = useCall();
  const refresh = useRefresh();
  const replace = useReplaceRows(listUserTickets);
  const toast = useToast();
  /** The question of the last reference: it is sent when it is given again. */
  const [questioned, setQuestioned] = useState<{ reference: string; doubt: string }>();
  const form = useForm<{ reference: string; payerPhone: string | undefined }>({
    read: (values) => {
      const reference = values.reference?.trim() ?? '';
      const typed = phoneText(payer);
      const phone = typed ? readPhone(typed, payer.code) : { e164: undefined };
      const found: FieldErrors = {
        ...readForm(paymentDeclaration, { reference }).errors,
        ...('problem' in phone && { payerPhone: phone.problem }),
      };
      if (Object.keys(found).length > 0) return { errors: found };
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
      toast({ title: 'Paiement déclaré', description: 'Votre demande reste en attente de vérification.' });
      await refresh(listUserTickets, readOwnTicket);
    },
    failure: { fallback: "Le paiement n'a pas pu être déclaré. Réessayez." },
    after: (error) => {
      if (!hasCode(error, 'TICKET_DECIDED')) return undefined;
      onDone();
      return refresh(listUserTickets, readOwnTicket);
    },
  });
  return { ...form, isQuestion: questioned !== undefined && form.errors.reference === questioned.doubt };
}
