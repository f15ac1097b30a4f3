import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/dial-codes.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import * as store from './dial-templates-store.ts';
import { type DialTemplateRow, requirePaymentType } from './store.ts';

const present = (row: DialTemplateRow, reports = 0): endpoints.DialTemplate => ({
  ...row,
  reports,
  verifiedAt: row.verifiedAt?.toISOString() ?? null,
  updatedAt: row.updatedAt.toISOString(),
});

export function dialTemplateRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoints.listDialTemplates, async ({ params }) => {
    await requirePaymentType(db, params.id);
    const reporters = await store.countReporters(db, params.id);
    return (await store.listTemplatesOf(db, params.id)).map((row) => present(row, reporters.get(row.id)));
  });

  route(app, endpoints.createDialTemplate, async ({ params, body, write }) =>
    present(
      await write(async (tx, note) => {
        await requirePaymentType(tx, params.id);
        const created = await store.insertDialTemplate(tx, { ...body, paymentTypeId: params.id });
        note({ details: { template: created.id } });
        return created;
      }),
    ),
  );

  route(app, endpoints.updateDialTemplate, async ({ params, body: { expectedUpdatedAt, ...body }, write }) =>
    present(
      await write(async (tx, note) => {
        const before = await store.lockTemplate(tx, params.templateId, params.id);
        requireUnchanged(before.updatedAt, expectedUpdatedAt);
        const { template, state, message } = before;
        note({ before: { template, state, message } });
        // A verification belongs to the tested code: a changed code must be verified again.
        const verifiedAt =
          body.state === 'verified' ? new Date() : body.template === template ? before.verifiedAt : null;
        return store.updateTemplate(tx, before.id, {
          ...body,
          message: body.state === 'broken' ? body.message || null : null,
          verifiedAt,
        });
      }),
    ),
  );

  route(app, endpoints.deleteDialTemplate, async ({ params, write }) => {
    await write(async (tx, note) => {
      const { id, country, template } = await store.lockTemplate(tx, params.templateId, params.id);
      note({ before: { country, template } });
      await store.deleteTemplate(tx, id);
    });
    return { id: params.templateId };
  });
}
