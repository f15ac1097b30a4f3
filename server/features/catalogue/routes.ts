import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/catalogue.ts';
import { commissionOn } from '#contract/commission.ts';
import { Failure } from '#contract/failure.ts';
import type { ImageTools } from '#server/features/uploads/image-tools.ts';
import { route } from '#server/http/route.ts';
import { commissionRuleOf } from './commission-rule.ts';
import { createService } from './create-service.ts';
import { deleteService } from './delete-service.ts';
import { presentService } from './present.ts';
import { findService, isPathVisible, listAllServices, listPath, listVisibleServices } from './store.ts';
import { updateService } from './update-service.ts';

export function catalogueRoutes(app: FastifyInstance, tools: ImageTools): void {
  const { db } = tools;

  route(app, endpoints.listServices, async ({ query }) => (await listVisibleServices(db, query)).map(presentService));

  route(app, endpoints.listAllServices, async ({ reply }) => {
    const services = await listAllServices(db);
    reply.header('x-total-count', services.length);
    return services.map(presentService);
  });

  route(app, endpoints.createService, async ({ body, file, write }) =>
    presentService(await createService(tools, write, body, file)),
  );

  route(app, endpoints.updateService, async ({ params, body, file, write }) =>
    presentService(await updateService(tools, write, params.id, body, file)),
  );

  route(app, endpoints.deleteService, async ({ params, write }) => {
    await deleteService(tools, write, params.id);
    return { id: params.id };
  });

  route(app, endpoints.readCommission, async ({ params, query }) => {
    const service = await findService(db, params.serviceId);
    if (!service || !isPathVisible(await listPath(db, service.id))) throw new Failure('SERVICE_NOT_FOUND');
    return { commission: commissionOn(query.userPrice, commissionRuleOf(service)) };
  });
}
