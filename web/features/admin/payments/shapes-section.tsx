import { type ReactNode, useState } from 'react';
import { listPaymentShapes, type PaymentShape, provenFrom, removePaymentShape } from '#contract/payment-shapes.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import { findCountry } from '#contract/phone.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { Listing } from '#web/features/admin/shared/listing.tsx';
import { formatCount, formatCounted, formatRelative } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { partsOfTemplate, ShapeParts } from './shape-parts.tsx';

/** The shapes of SMS that this shop taught, with how often each was used. */
export function ShapesSection({ types }: { types: readonly PaymentType[] }) {
  const query = useEndpoint(listPaymentShapes, {}, { pollEveryMs: pollEveryMs.adminPaymentAccounts });
  const call = useCall();
  const [dialog, setDialog] = useState<ReactNode>();
  const close = () => setDialog(undefined);
  const askToRemove = ({ id }: PaymentShape) =>
    setDialog(
      <ConfirmDialog
        title={'Retirer cette forme\u00a0?'}
        confirm="Retirer"
        onConfirm={async () => {
          await call(removePaymentShape, { params: { id: String(id) } });
          return { title: 'Forme retirée' };
        }}
        failure={{ fallback: "La forme n'a pas pu être retirée." }}
        reads={[listPaymentShapes]}
        onClose={close}
      >
        <p>Les prochains SMS de cette forme resteront non lus. Les paiements déjà lus restent.</p>
      </ConfirmDialog>,
    );
  return (
    <div className="mt-8">
      <p aria-hidden className="font-bold text-large">
        Formes apprises
      </p>
      <p className="mt-1 mb-3 max-w-2xl text-soft text-small">
        Les formes de SMS que Guichet a apprises ici. Pour en ajouter une&nbsp;: Encaissements, Messages non lus, C'est
        un paiement, puis Lire ainsi les suivants.
      </p>
      <QueryState query={query} loading="Chargement des formes..." failure="Impossible de charger les formes.">
        {(shapes) => (
          <Listing
            title="Formes apprises"
            nothing="Aucune forme apprise"
            rows={shapes}
            parts={[
              {
                head: 'Forme',
                percent: 56,
                draw: ({ template }) => (
                  <p className="wrap-anywhere whitespace-pre-wrap text-small leading-6">
                    <ShapeParts parts={partsOfTemplate(template)} />
                  </p>
                ),
              },
              { head: 'Messages lus', percent: 28, draw: (shape) => <Uses shape={shape} types={types} /> },
            ]}
            actions={(shape) => [
              { name: 'Retirer', of: `la forme n°\u00a0${shape.id}`, onClick: () => askToRemove(shape) },
            ]}
            dialog={dialog}
          />
        )}
      </QueryState>
    </div>
  );
}

function Uses({ shape, types }: { shape: PaymentShape; types: readonly PaymentType[] }) {
  const { paymentTypeId, country: code, used, confirmed, lastUsedAt } = shape;
  const now = useNow();
  const country = findCountry(code);
  const type = types.find(({ id }) => id === paymentTypeId)?.name ?? 'Type de paiement supprimé';
  return (
    <div className="flex flex-col gap-1 text-small">
      <p className="font-semibold">{`${type} · ${country?.flag} ${country?.name}`}</p>
      <p className="text-soft">
        {lastUsedAt
          ? `${formatCounted(used, 'message')}, le dernier ${formatRelative(lastUsedAt, now)}`
          : 'Pas encore utilisée'}
      </p>
      {confirmed >= provenFrom ? (
        <p>
          <Badge tone="green">Éprouvée</Badge>
        </p>
      ) : (
        <p className="text-soft">{`${formatCounted(confirmed, 'confirmé')} sur ${formatCount(provenFrom)}\u00a0: rien n'est encore coché d'avance.`}</p>
      )}
    </div>
  );
}
