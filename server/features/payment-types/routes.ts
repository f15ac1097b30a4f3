import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/payment-types.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { presentPaymentType } from './present.ts';
import { createPaymentType, deletePaymentType, listPaymentTypes, setPaymentTypeActive } from './store.ts';

export function paymentTypeRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoints.listPaymentTypes, async ({ request }) => {
    const caller = await request.findCaller();
    return (await listPaymentTypes(db, { all: caller?.isAdmin === true })).map(presentPaymentType);
  });

  route(app, endpoints.createPaymentType, async ({ body }) =>
    presentPaymentType(await createPaymentType(db, body.name)),
  );

  route(app, endpoints.updatePaymentType, async ({ params, body }) =>
    presentPaymentType(await setPaymentTypeActive(db, params.id, body.isActive)),
  );

  route(app, endpoints.deletePaymentType, async ({ params }) => {
    await deletePaymentType(db, params.id);
    return { id: params.id };
  });
}
