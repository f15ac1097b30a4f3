import type { OfferedTemplate } from '#contract/dial-codes.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import type { DialTemplateRow, OfferedPaymentType, PaymentTypeRow } from './store.ts';

export function presentPaymentType(row: OfferedPaymentType): PaymentType {
  return {
    id: row.id,
    name: row.name,
    pictureUrl: row.pictureUrl,
    icon: row.icon,
    operator: row.operator,
    countries: row.countries,
    isActive: row.isActive,
    dialTemplates: row.dialTemplates,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A changed payment type with the templates that it has. */
export const presentChanged = (row: PaymentTypeRow, templates: readonly DialTemplateRow[]): PaymentType =>
  presentPaymentType({ ...row, dialTemplates: templates.map(presentOffered) });

const presentOffered = ({ country, template, state, message }: DialTemplateRow): OfferedTemplate => ({
  country,
  template,
  state,
  message,
});
