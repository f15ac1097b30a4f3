import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/payment-types.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { createPaymentType, deletePaymentType, listPaymentTypes, setPaymentTypeActive } from './store.ts';

export function paymentTypeRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoints.listPaymentTypes, async ({ request }) => {
    const visitor = await request.findVisitor();
    return listPaymentTypes(db, { all: visitor?.isAdmin === true });
  });

  route(app, endpoints.createPaymentType, async ({ body }) => createPaymentType(db, body.name));

  route(app, endpoints.updatePaymentType, async ({ params, body }) =>
    setPaymentTypeActive(db, params.id, body.isActive),
  );

  route(app, endpoints.deletePaymentType, async ({ params }) => {
    await deletePaymentType(db, params.id);
    return { id: params.id };
  });
}
