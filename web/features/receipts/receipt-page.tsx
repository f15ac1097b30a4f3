import '#web/ui/ticket.css';
import { type Receipt, readReceipt } from '#contract/receipts.ts';
import { addresses } from '#web/addresses.ts';
import { ApiError } from '#web/api/client.ts';
import { useAnswer } from '#web/api/use-answer.ts';
import { Link, useSubject } from '#web/router.tsx';
import { ClothTitle } from '#web/shell/cloth-title.tsx';
import { formatCharge, formatDate, spaceAmount } from '#web/text/formats.ts';
import { receiptTitle, ticketStatusLabel } from '#web/text/tickets.ts';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { FailedRead } from '#web/ui/failed-read.tsx';
import { SearchIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { Column } from '#web/ui/page.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';

/** Whether a receipt is Guichet's, for anyone who has its address (P9.15). */
export default function ReceiptPage() {
  const code = useSubject();
  return (
    <Column>
      <div className="mx-auto md:max-w-md">
        <Verdict code={code} />
      </div>
    </Column>
  );
}

function Verdict({ code }: { code: string }) {
  const { data: receipt, error } = useAnswer(readReceipt, { params: { code } });
  if (receipt) return <Found receipt={receipt} />;
  if (!error) return <SkeletonText text="Vérification du reçu..." lines={7} />;
  const isMissing = error instanceof ApiError && [400, 404].includes(error.status);
  return (
    <>
      <ClothTitle>{isMissing ? 'Reçu introuvable' : 'Reçu non vérifié'}</ClothTitle>
      <Card>
        {isMissing ? (
          <EmptyState
            failed
            Icon={SearchIcon}
            title="Aucun reçu de Guichet n'a ce code."
            text="Comparez chaque caractère de l'adresse avec celle du reçu. Si elle est la même, ce reçu n'est pas authentique."
          >
            <Home main />
          </EmptyState>
        ) : (
          <FailedRead title="Le reçu n'a pas pu être vérifié." error={error} onRetry={() => location.reload()} />
        )}
      </Card>
    </>
  );
}

const Home = ({ main }: { main?: boolean }) => (
  <Link href={addresses.home} className={buttonClass({ variant: main ? 'main' : 'plain' })}>
    Aller à l'accueil
  </Link>
);

function Found({ receipt }: { receipt: Receipt }) {
  const isApproved = receipt.status === 'approved';
  const Icon = isApproved ? CheckIcon : CrossIcon;
  return (
    <>
      <ClothTitle>{isApproved ? 'Reçu authentique' : 'Reçu annulé'}</ClothTitle>
      <div className="ticket">
        <div className="flex flex-col gap-4 p-4">
          <div
            className={join(
              'flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl p-3',
              isApproved ? 'bg-leaf-pale text-leaf-dark' : 'bg-brick-pale text-brick',
            )}
          >
            <Icon className="size-7 shrink-0" />
            <p className="min-w-0 flex-1 basis-40 font-semibold">
              {isApproved
                ? 'Guichet a établi ce reçu, et la demande est toujours approuvée.'
                : "Guichet a établi ce reçu, mais la demande n'est plus approuvée\u00a0: il ne vaut plus."}
            </p>
          </div>
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <h2 className="font-bold leading-tight">{receiptTitle(receipt.ticketId)}</h2>
            <p className="font-bold font-display text-title tabular-nums leading-tight">
              {spaceAmount(formatCharge(Number(receipt.totalPrice), receipt.isFree))}
            </p>
          </div>
          <Facts>
            <Fact name="Service">{receipt.serviceName}</Fact>
            <Fact name="Date">{formatDate(receipt.createdAt)}</Fact>
            <Fact name="Bénéficiaire">{receipt.beneficiary}</Fact>
            <Fact name="Paiement">{receipt.paymentTypeName}</Fact>
            <Fact name="Statut">{ticketStatusLabel(receipt.status).label}</Fact>
          </Facts>
        </div>
        <div className="flex flex-col gap-4 p-4">
          <p className="text-soft text-small">
            Comparez chaque ligne avec le reçu qu'on vous montre&nbsp;: elle doit être la même. Le numéro est masqué,
            sauf ses deux derniers chiffres&nbsp;; le prix, la commission et la référence n'y sont pas.
          </p>
          <Home />
        </div>
      </div>
    </>
  );
}
