import { useEffect, useRef, useState } from 'react';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { pastedLength, type ReadMessage, readMessages, takeMessages } from '#contract/payments.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { payerWords } from '#web/features/admin/shared/payment-facts.tsx';
import { serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { AccountField, onlyAccount } from './account-field.tsx';
import { paymentReads } from './use-approve.ts';

/** Pasted SMS, one or many: read first, kept on request. */
export function PasteDialog({ accounts, onClose }: { accounts: readonly PaymentAccount[]; onClose: () => void }) {
  const [text, setText] = useState('');
  const [account, setAccount] = useState(onlyAccount(accounts));
  const paste = usePaste({ text, account, onKept: onClose });
  const { read, errors } = paste;
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0) area.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);
  return (
    <Dialog wide title="Coller un SMS" onClose={onClose}>
      <div ref={area} className="mt-4 flex flex-col gap-4">
        <AccountField
          accounts={accounts}
          value={account}
          error={errors.accountId}
          onChoose={(id) => {
            setAccount(id);
            paste.forget();
          }}
        />
        <TextArea
          label="Un ou plusieurs SMS"
          rows={6}
          maxLength={pastedLength}
          autoComplete="off"
          spellCheck={false}
          value={text}
          error={errors.text}
          hint="Rien n'est gardé avant que vous ne le demandiez."
          onChange={({ target }) => {
            setText(target.value);
            paste.forget();
          }}
        />
        <p role="status" className="sr-only">
          {read && `${formatCount(read.length)} message(s) lu(s)`}
        </p>
        {read && (
          <ul aria-label="Messages lus" className="flex flex-col gap-2">
            {read.map((message, place) => (
              // A message has no other name than its place, and keeps nothing.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <li key={place} className="rounded-xl border border-line px-3.5 py-2.5">
                <AsRead message={message} />
              </li>
            ))}
          </ul>
        )}
        <DialogButtons>
          <Button variant="plain" onClick={onClose}>
            Annuler
          </Button>
          <Button variant={read ? 'plain' : 'main'} busy={paste.look.busy} onClick={() => paste.look.run()}>
            Lire
          </Button>
          {read && (
            <Button busy={paste.keep.busy} onClick={() => paste.keep.run()}>
              Garder
            </Button>
          )}
        </DialogButtons>
      </div>
    </Dialog>
  );
}

function usePaste({ text, account, onKept }: { text: string; account: string; onKept: () => void }) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const [read, setRead] = useState<readonly ReadMessage[]>();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const attempt = async (ask: () => Promise<void>, fallback: string) => {
    setErrors({});
    try {
      await ask();
    } catch (error) {
      const found = serverErrors(error);
      setErrors(found);
      if (Object.keys(found).length === 0) toastFailure(error, { fallback });
    }
  };
  const look = useAction(async () => {
    if (!text.trim()) return setErrors({ text: 'Collez un message.' });
    await attempt(async () => {
      const body = { text, ...(account && { accountId: Number(account) }) };
      setRead((await call(readMessages, { body })).messages);
    }, "Les messages n'ont pas pu être lus.");
  });
  const keep = useAction(async () => {
    if (!account) return setErrors({ accountId: 'Choisissez le compte qui a reçu ces SMS.' });
    await attempt(async () => {
      const { payments, known, ignored, unread } = await call(takeMessages, {
        body: { text, accountId: Number(account) },
      });
      toast({
        title: 'SMS gardés',
        description: `${formatCount(payments)} paiement(s), ${formatCount(known)} déjà connu(s), ${formatCount(ignored)} ignoré(s), ${formatCount(unread)} non lu(s).`,
      });
      onKept();
      await refresh(...paymentReads);
    }, "Les messages n'ont pas pu être gardés.");
  });
  const forget = () => {
    setRead(undefined);
    setErrors({});
  };
  return { read, errors, look, keep, forget };
}

const kinds: Record<ReadMessage['kind'], { words: string; tone: Tone }> = {
  payment: { words: 'Paiement', tone: 'green' },
  ignored: { words: 'Ignoré', tone: 'grey' },
  unread: { words: 'Non lu', tone: 'amber' },
};

/** A message as it is understood. */
function AsRead({ message }: { message: ReadMessage }) {
  const { kind, why, operator, gross, fee, balanceAfter, reference, ourReference, payer, paidAt } = message;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Badge small tone={kinds[kind].tone}>
          {kinds[kind].words}
        </Badge>
        <span>{why ?? operator ?? (kind === 'unread' && "Gardé pour que vous disiez ce que c'est.")}</span>
      </p>
      {kind === 'payment' && (
        <div className="mt-2">
          <Facts>
            {gross !== undefined && <Fact name="Montant">{formatAmount(gross)}</Fact>}
            {payer && <Fact name="Payeur">{payerWords(payer)}</Fact>}
            {reference && (
              <Fact name="Référence">
                <span className="break-all font-mono">{reference}</span>
              </Fact>
            )}
            {ourReference !== undefined && <Fact name="Ticket nommé">{`n°\u00a0${formatCount(ourReference)}`}</Fact>}
            {fee !== undefined && <Fact name="Frais">{formatAmount(fee / 100)}</Fact>}
            {balanceAfter !== undefined && <Fact name="Solde">{formatAmount(balanceAfter / 100)}</Fact>}
            {paidAt && (
              <Fact name="Payé le">
                <Moment instant={paidAt} />
              </Fact>
            )}
          </Facts>
        </div>
      )}
    </>
  );
}
