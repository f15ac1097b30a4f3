import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/payment-types.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import { requireImage } from '#server/features/uploads/store.ts';
import { storeUpload, type UploadTools } from '#server/features/uploads/store-upload.ts';
import { route } from '#server/http/route.ts';
import * as store from './store.ts';

export function paymentTypeRoutes(app: FastifyInstance, tools: UploadTools): void {
  route(
    app,
    endpoints.listPaymentTypes,
    async ({ request }) => {
      const caller = await request.findCaller();
      return (await store.listPaymentTypes(tools.db, { all: caller?.isAdmin === true })).map(presentPaymentType);
    },
    { skipResponseEncoding: true },
  );

  route(app, endpoints.createPaymentType, async ({ body, write }) => {
    const created = await write(async (tx, note) => {
      await requireImage(tx, body.pictureUrl);
      const row = await store.insertPaymentType(tx, body);
      note({ target: row.id });
      return row;
    });
    return presentChanged(created, []);
  });

  route(app, endpoints.uploadPaymentTypePicture, async ({ file, write }) => storeUpload(tools, file, write), tools);

  route(app, endpoints.updatePaymentType, async ({ params: { id }, body: { expectedUpdatedAt, ...change }, write }) => {
    const changed = await write(async (tx, note) => {
      const before = await store.lockPaymentType(tx, id);
      const names = (Object.keys(change) as (keyof typeof change)[]).filter(
        (name) => !isDeepStrictEqual(before[name], change[name]),
      );
      if (names.length === 0) {
        note({ unchanged: true });
        return before;
      }
      requireUnchanged(before.updatedAt, expectedUpdatedAt);
      // A form sends back what it got, also where the image is lost.
      if (names.includes('pictureUrl')) await requireImage(tx, change.pictureUrl);
      const after = await store.updatePaymentTypeRow(tx, id, change);
      note({ before: Object.fromEntries(names.map((name) => [name, plain(before[name])])) });
      return after;
    });
    return presentChanged(changed, await store.listTemplatesOf(tools.db, id));
  });

  // Tickets keep its name.
  route(app, endpoints.deletePaymentType, async ({ params, write }) => {
    await write(async (tx, note) => {
      const row = await store.deletePaymentTypeRow(tx, params.id);
      note({ before: { name: row.name } });
    });
    return { id: params.id };
  });
}

/** As the audit log keeps it: the countries in one line. */
const plain = (value: string | boolean | null | string[]) => (Array.isArray(value) ? value.join(' ') : value);

const presentPaymentType = ({ createdAt, updatedAt, ...row }: store.OfferedPaymentType): endpoints.PaymentType => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

/** A changed payment type with the templates that it has. */
const presentChanged = (row: store.PaymentTypeRow, templates: readonly store.DialTemplateRow[]) =>
  presentPaymentType({
    ...row,
    dialTemplates: templates.map(({ country, template, state, message }) => ({ country, template, state, message })),
  });
