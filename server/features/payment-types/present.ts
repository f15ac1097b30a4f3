import type { PaymentType } from '#contract/payment-types.ts';
import type { PaymentTypeRow } from './store.ts';

export function presentPaymentType(row: PaymentTypeRow): PaymentType {
  return {
    id: row.id,
    name: row.name,
    pictureUrl: row.pictureUrl,
    icon: row.icon,
    operator: row.operator,
    countries: row.countries,
    isActive: row.isActive,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
