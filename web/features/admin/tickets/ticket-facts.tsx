import { Fragment } from 'react';
import { formatPhone } from '#contract/phone.ts';
import { type AdminTicket, referenceUsesAtMost } from '#contract/tickets.ts';
import { adminUserAddress } from '#web/admin-addresses.ts';
import { CopyBeside } from '#web/features/admin/shared/copy-beside.tsx';
import { Link } from '#web/router.tsx';
import { formatCount, formatTotal } from '#web/text/formats.ts';
import { WarningIcon } from '#web/ui/control-icons.tsx';
import { Fact } from '#web/ui/facts.tsx';

export const ownerOf = ({ user }: AdminTicket) => (user ? `${user.firstName} ${user.lastName}` : 'Utilisateur inconnu');
export const totalOf = ({ totalPrice, servicePath }: AdminTicket) => formatTotal(Number(totalPrice), servicePath);
export const serviceOf = ({ servicePath }: AdminTicket) => servicePath.at(-1)?.name;
/** The names above the service. */
export const pathAbove = ({ servicePath }: AdminTicket) =>
  servicePath
    .slice(0, -1)
    .map(({ name }) => name)
    .join(' → ');

/** A reference that breaks after its dots, where it does not fit. */
export function AtDots({ text }: { text: string }) {
  return text.split(/(?<=\.)/).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a reference's parts have no other name than their place
    <Fragment key={place}>
      {part}
      <wbr />
    </Fragment>
  ));
}

/** Who asked for what, and how it was paid. */
export function OrderFacts({ ticket }: { ticket: AdminTicket }) {
  const { user, paymentReference: reference, paymentDeclaredAt, status } = ticket;
  return (
    <>
      <Fact name="Demandé par">
        {user ? (
          <>
            <Link
              href={adminUserAddress(user.id)}
              className="inline-flex min-h-6 items-center font-medium text-leaf underline underline-offset-4"
            >
              {ownerOf(ticket)}
            </Link>
            <span className="block tabular-nums">{formatPhone(user.phone)}</span>
          </>
        ) : (
          ownerOf(ticket)
        )}
      </Fact>
      <Fact name="Bénéficiaire">{formatPhone(ticket.beneficiaryPhoneNumber)}</Fact>
      <Fact name="Paiement">{ticket.paymentTypeName}</Fact>
      {(reference || status === 'pending') && (
        <Fact name="Référence">
          {reference ? (
            <span>
              <span className="wrap-anywhere select-all font-mono font-semibold text-small">
                <AtDots text={reference} />
              </span>{' '}
              <CopyBeside text={reference} of="la référence" />
            </span>
          ) : (
            <span>{paymentDeclaredAt ? 'Paiement déclaré, sans référence' : 'Paiement non déclaré'}</span>
          )}
        </Fact>
      )}
      {ticket.payerPhone && <Fact name="Payé depuis">{formatPhone(ticket.payerPhone)}</Fact>}
    </>
  );
}

/** A warning of a possible second payment by one transaction. */
export function UsedReference({ ticket: { paymentReferenceUses: uses } }: { ticket: AdminTicket }) {
  if (uses === 0) return null;
  const count = uses === referenceUsesAtMost ? `${formatCount(uses)} ou plus` : formatCount(uses);
  return (
    <p className="mt-3 flex items-start gap-2 rounded-xl bg-brick-pale px-3 py-2 font-semibold text-brick">
      <WarningIcon className="mt-0.5 size-5 shrink-0" />
      <span>{`Référence déjà utilisée (${count} ${uses > 1 ? 'autres tickets' : 'autre ticket'})`}</span>
    </p>
  );
}
