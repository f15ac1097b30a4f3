import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/payment-types.ts';
import {
  deleteImageIfUnused,
  requireImageFromHere,
  storeUpload,
  type UploadTools,
} from '#server/features/uploads/stored-images.ts';
import { route } from '#server/http/route.ts';
import { presentPaymentType } from './present.ts';
import { deletePaymentTypeRow, insertPaymentType, listPaymentTypes } from './store.ts';
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
    await requireImageFromHere(tools.images, body.pictureUrl);
    const created = await write(async (tx, note) => {
      const row = await insertPaymentType(tx, body);
      note({ target: row.id });
      return row;
    });
    return presentPaymentType(created);
  });

  route(app, endpoints.uploadPaymentTypePicture, async ({ file, write }) => storeUpload(tools, file, write), tools);

  route(app, endpoints.updatePaymentType, async ({ params, body, write }) =>
    presentPaymentType(await updatePaymentType(tools, write, params.id, body)),
  );

  // Tickets keep its name.
  route(app, endpoints.deletePaymentType, async ({ params, write }) => {
    const gone = await write(async (tx, note) => {
      const row = await deletePaymentTypeRow(tx, params.id);
      note({ before: { name: row.name } });
      return row;
    });
    if (gone.pictureUrl) await deleteImageIfUnused(tools, gone.pictureUrl);
    return { id: params.id };
  });
}
