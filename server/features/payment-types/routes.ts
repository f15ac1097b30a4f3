import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { AuditField } from '#contract/audit-words.ts';
import { listMerchantNumbers, type MerchantNumbers, saveMerchantNumbers } from '#contract/merchant-numbers.ts';
import * as endpoints from '#contract/payment-types.ts';
import { findCountry } from '#contract/phone.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { requireImage } from '#server/features/uploads/store.ts';
import { storeUpload, type UploadTools } from '#server/features/uploads/store-upload.ts';
import { route } from '#server/http/route.ts';
import * as store from './store.ts';

export function paymentTypeRoutes(app: FastifyInstance, tools: UploadTools & { refusesExamples: boolean }): void {
  const { refusesExamples } = tools;
  const present = ({ createdAt, updatedAt, ...row }: store.OfferedPaymentType): endpoints.PaymentType => ({
    ...row,
    refusesExamples,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  });

  route(
    app,
    endpoints.listPaymentTypes,
    async ({ request }) => {
      const caller = await request.findCaller();
      return (await store.listPaymentTypes(tools.db, { all: caller?.isAdmin === true })).map(present);
    },
    { skipResponseEncoding: true },
  );

  route(app, endpoints.createPaymentType, async ({ body, write }) => {
    const created = await write(async (tx, note) => {
      await requireImage(tx, body.pictureUrl);
      const { id } = await store.insertPaymentType(tx, body);
      note({ target: id });
      return store.requireOfferedType(tx, id);
    });
    return present(created);
  });

  route(app, endpoints.uploadPaymentTypePicture, async ({ file, write }) => storeUpload(tools, file, write), tools);

  route(app, endpoints.updatePaymentType, async ({ params: { id }, body: { expectedUpdatedAt, ...change }, write }) => {
    const changed = await write(async (tx, note) => {
      const before = await store.lockPaymentType(tx, id);
      const fields: readonly (AuditField & keyof typeof change)[] = Object.keys(change) as (keyof typeof change)[];
      const names = fields.filter((name) => !isDeepStrictEqual(before[name], change[name]));
      if (names.length === 0) {
        note({ unchanged: true });
        return store.requireOfferedType(tx, id);
      }
      requireUnchanged(before.updatedAt, expectedUpdatedAt);
      // A form sends back the stored image even if that is lost, so only a changed one is checked.
      if (names.includes('pictureUrl')) await requireImage(tx, change.pictureUrl);
      await store.updatePaymentTypeRow(tx, id, change);
      note({ before: Object.fromEntries(names.map((name) => [name, plain(before[name])])) });
      return store.requireOfferedType(tx, id);
    });
    return present(changed);
  });

  // Tickets keep its name.
  route(app, endpoints.deletePaymentType, async ({ params, write }) => {
    await write(async (tx, note) => {
      const row = await store.deletePaymentTypeRow(tx, params.id);
      note({ before: { name: row.name } });
    });
    return { id: params.id };
  });
  merchantNumberRoutes(app, tools.db);
}

function merchantNumberRoutes(app: FastifyInstance, db: Db): void {
  route(app, listMerchantNumbers, async () => (await store.listMerchantNumbers(db)).map(presentNumbers));

  route(app, saveMerchantNumbers, async ({ params: { id }, body: { numbers, expectedUpdatedAt }, write }) => {
    const saved = await write(async (tx, note) => {
      const before = await store.lockMerchantNumbers(tx, id);
      const sorted = numbers.toSorted((one, other) => (one.country < other.country ? -1 : 1));
      if (isDeepStrictEqual(before.numbers, sorted)) {
        note({ unchanged: true });
        return before;
      }
      requireUnchanged(before.updatedAt, expectedUpdatedAt);
      note({ before: { numbers: spellNumbers(before.numbers) }, details: { numbers: spellNumbers(sorted) } });
      return store.replaceMerchantNumbers(tx, before, sorted);
    });
    return presentNumbers(saved);
  });
}

/** A value for the audit log: countries in one line. */
const plain = (value: string | boolean | null | string[]) => (Array.isArray(value) ? value.join(' ') : value);

const presentNumbers = ({ updatedAt, ...list }: store.MerchantNumberList): MerchantNumbers => ({
  ...list,
  updatedAt: updatedAt?.toISOString() ?? null,
});

/** Merchant numbers for the audit log. */
const spellNumbers = (numbers: store.MerchantNumberList['numbers']) =>
  numbers.map(({ country, number }) => `${findCountry(country)?.name} ${number}`).join(', ');
