import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/payment-types.ts';
import { requireImage } from '#server/features/uploads/store.ts';
import { storeUpload, type UploadTools } from '#server/features/uploads/store-upload.ts';
import { route } from '#server/http/route.ts';
import { presentChanged, presentPaymentType } from './present.ts';
import { deletePaymentTypeRow, insertPaymentType, listPaymentTypes, listTemplatesOf } from './store.ts';
import { updatePaymentType } from './update-payment-type.ts';

export function paymentTypeRoutes(app: FastifyInstance, tools: UploadTools): void {
  route(
    app,
    endpoints.listPaymentTypes,
    async ({ request }) => {
      const caller = await request.findCaller();
      return (await listPaymentTypes(tools.db, { all: caller?.isAdmin === true })).map(presentPaymentType);
    },
    { skipResponseEncoding: true },
  );

  route(app, endpoints.createPaymentType, async ({ body, write }) => {
    const created = await write(async (tx, note) => {
      await requireImage(tx, body.pictureUrl);
      const row = await insertPaymentType(tx, body);
      note({ target: row.id });
      return row;
    });
    return presentChanged(created, []);
  });

  route(app, endpoints.uploadPaymentTypePicture, async ({ file, write }) => storeUpload(tools, file, write), tools);

  route(app, endpoints.updatePaymentType, async ({ params, body, write }) =>
    presentChanged(await updatePaymentType(write, params.id, body), await listTemplatesOf(tools.db, params.id)),
  );

  // Tickets keep its name.
  route(app, endpoints.deletePaymentType, async ({ params, write }) => {
    await write(async (tx, note) => {
      const row = await deletePaymentTypeRow(tx, params.id);
      note({ before: { name: row.name } });
    });
    return { id: params.id };
  });
}
