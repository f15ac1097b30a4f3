import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/catalogue.ts';
import * as edits from '#contract/catalogue-edits.ts';
import { Failure } from '#contract/failure.ts';
import { commissionOn } from '#contract/pricing.ts';
import type { UploadTools } from '#server/features/uploads/store-upload.ts';
import { route } from '#server/http/route.ts';
import { exportCatalogue } from './catalogue-file.ts';
import { createService } from './create-service.ts';
import { importCatalogue } from './import-catalogue.ts';
import { presentAdminService, presentService } from './present.ts';
import { reorderServices } from './reorder-services.ts';
import {
  countChildren,
  deleteServiceRow,
  isPathVisible,
  listAllServices,
  listReachableServices,
  listVisibleServices,
  lockCatalogue,
  lockService,
  readPlace,
  ruleOf,
} from './store.ts';
import { updateService } from './update-service.ts';

export function catalogueRoutes(app: FastifyInstance, tools: UploadTools): void {
  const { db } = tools;

  route(app, endpoints.listServices, async ({ query }) => (await listVisibleServices(db, query)).map(presentService), {
    skipResponseEncoding: true,
  });

  route(
    app,
    endpoints.listCatalogue,
    async () =>
      (await listReachableServices(db)).map((row) => ({ ...presentService(row), demand: row.demand ?? undefined })),
    { skipResponseEncoding: true },
  );

  route(app, endpoints.readCommission, async ({ params, query }) => {
    const path = await readPlace(db, params.serviceId);
    const service = path.at(-1);
    if (!service || !isPathVisible(path)) throw new Failure('SERVICE_NOT_FOUND');
    return { commission: commissionOn(query.userPrice, ruleOf(service)) };
  });

  adminCatalogueRoutes(app, tools);
}

function adminCatalogueRoutes(app: FastifyInstance, tools: UploadTools): void {
  const { db } = tools;

  route(
    app,
    endpoints.listAllServices,
    async ({ reply }) => {
      const services = await listAllServices(db);
      reply.header('x-total-count', services.length);
      return services.map(presentAdminService);
    },
    { skipResponseEncoding: true },
  );

  route(
    app,
    edits.createService,
    async ({ body, file, write }) => presentAdminService(await createService(tools, write, body, file)),
    tools,
  );

  route(
    app,
    edits.updateService,
    async ({ params, body, file, write }) =>
      presentAdminService(await updateService(tools, write, params.id, body, file)),
    tools,
  );

  // Tickets keep their own copy of a service.
  route(app, edits.deleteService, async ({ params: { id }, write }) => {
    await write(async (tx, note) => {
      await lockCatalogue(tx);
      const service = await lockService(tx, id);
      if (!service) throw new Failure('SERVICE_NOT_FOUND');
      const children = await countChildren(tx, id);
      if (children > 0) throw new Failure('HAS_CHILDREN', { children });
      await deleteServiceRow(tx, id);
      note({ before: { name: service.name, parentId: service.parentId } });
    });
    return { id };
  });

  route(app, edits.reorderServices, async ({ body, write }) =>
    (await reorderServices(write, body)).map(presentAdminService),
  );

  route(app, edits.exportCatalogue, async ({ reply }) => {
    reply.header('content-disposition', 'attachment; filename="catalogue.csv"');
    return exportCatalogue(db);
  });

  route(app, edits.importCatalogue, async ({ body, write }) => importCatalogue(write, body));
}
