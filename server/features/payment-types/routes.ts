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

  route(app, endpoints.createPaymentType, async ({ body, write }) =>
    presentPaymentType(
      await write(async (tx, note) => {
        const created = await createPaymentType(tx, body.name);
        note({ target: created.id });
        return created;
      }),
    ),
  );

  route(app, endpoints.updatePaymentType, async ({ params, body, write }) =>
    presentPaymentType(await write((tx) => setPaymentTypeActive(tx, params.id, body.isActive))),
  );

  route(app, endpoints.deletePaymentType, async ({ params, write }) => {
    await write((tx) => deletePaymentType(tx, params.id));
    return { id: params.id };
  });
}
