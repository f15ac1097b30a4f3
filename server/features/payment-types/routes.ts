import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/payment-types.ts';
import type { UploadTools } from '#server/features/uploads/image-tools.ts';
import { withStoredImage } from '#server/features/uploads/with-stored-image.ts';
import { route } from '#server/http/route.ts';
import { createPaymentType } from './create-payment-type.ts';
import { deletePaymentType } from './delete-payment-type.ts';
import { presentPaymentType } from './present.ts';
import { listPaymentTypes } from './store.ts';
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

  route(app, endpoints.createPaymentType, async ({ body, write }) =>
    presentPaymentType(await createPaymentType(tools, write, body)),
  );

  route(
    app,
    endpoints.uploadPaymentTypePicture,
    async ({ file, write }) => {
      if (!file) throw new Failure('FILE_MISSING');
      return withStoredImage(tools, file, (url) => write(async () => ({ url: url as string })));
    },
    { countUpload: tools.countUpload },
  );

  route(app, endpoints.updatePaymentType, async ({ params, body, write }) =>
    presentPaymentType(await updatePaymentType(tools, write, params.id, body)),
  );

  route(app, endpoints.deletePaymentType, async ({ params, write }) => {
    await deletePaymentType(tools, write, params.id);
    return { id: params.id };
  });
}
