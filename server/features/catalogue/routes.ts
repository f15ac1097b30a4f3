import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/catalogue.ts';
import { commissionOn } from '#contract/commission.ts';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import type { ImageStore } from '#server/features/uploads/image-store.ts';
import { route } from '#server/http/route.ts';
import { changeService, createService, removeService } from './change-service.ts';
import { commissionRuleOf, findService, isOpen, listAllServices, listPath, listVisibleServices } from './store.ts';

export function catalogueRoutes(app: FastifyInstance, tools: { db: Db; images: ImageStore }): void {
  const { db } = tools;

  route(app, endpoints.listServices, async ({ query }) => listVisibleServices(db, query));

  route(app, endpoints.listAllServices, async ({ reply }) => {
    const services = await listAllServices(db);
    reply.header('x-total-count', services.length);
    return services;
  });

  route(app, endpoints.createService, async ({ body, file }) => createService(tools, body, file));

  route(app, endpoints.updateService, async ({ params, body, file }) => changeService(tools, params.id, body, file));

  route(app, endpoints.deleteService, async ({ params }) => {
    await removeService(tools, params.id);
    return { id: params.id };
  });

  route(app, endpoints.readCommission, async ({ params, query }) => {
    const service = await findService(db, params.serviceId);
    if (!service || !isOpen(await listPath(db, service.id))) throw new Failure('SERVICE_NOT_FOUND');
    return { commission: commissionOn(query.userPrice, commissionRuleOf(service)) };
  });
}
