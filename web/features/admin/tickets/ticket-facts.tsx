import { Fragment } from 'react';
import { readUser } from '#contract/accounts.ts';
import { formatPhone } from '#contract/phone.ts';
import { type AdminTicket, referenceUsesAtMost } from '#contract/tickets.ts';
import { adminUserAddress } from '#web/admin-addresses.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { CopyBeside } from '#web/features/admin/shared/copy-beside.tsx';
import { Link } from '#web/router.tsx';
import { formatCount, formatCounted, formatTotal } from '#web/text/formats.ts';
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
  const { user, paymentReference: reference } = ticket;
  return (
    <>
      <Fact name="Demandé par">
        {user ? (
          <>
            <Link
              href={adminUserAddress(user.id)}
              className="inline-flex min-h-6 items-center font-medium text-leaf underline underline-offset-4 max-lg:-my-2.5 max-lg:min-h-11"
            >
              {ownerOf(ticket)}
            </Link>
            <span className="block tabular-nums">{formatPhone(user.phone)}</span>
            <Past userId={user.id} />
          </>
        ) : (
          ownerOf(ticket)
        )}
      </Fact>
      <Fact name="Bénéficiaire">
        <span className="tabular-nums">{formatPhone(ticket.beneficiaryPhoneNumber)}</span>
      </Fact>
      <Fact name="Paiement">{ticket.paymentTypeName}</Fact>
      {reference && (
        <Fact name="Référence">
          <span className="wrap-anywhere select-all font-mono font-semibold text-small">
            <AtDots text={reference} />
          </span>{' '}
          <CopyBeside text={reference} of="la référence" />
        </Fact>
      )}
      {ticket.payerPhone && (
        <Fact name="Payé depuis">
          <span className="tabular-nums">{formatPhone(ticket.payerPhone)}</span>
        </Fact>
      )}
    </>
  );
}

/** '14 tickets, 13 approuvés', this one included. It keeps its line. */
function Past({ userId }: { userId: number }) {
  const { data } = useEndpoint(readUser, { params: { id: String(userId) } }, { freshForMs: 0 });
  return (
    <span className="block text-small text-soft">
      {data ? `${formatCounted(data.tickets, 'ticket')}, ${formatCounted(data.approvedTickets, 'approuvé')}` : '\u00a0'}
    </span>
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
