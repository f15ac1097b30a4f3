import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/dial-codes.ts';
import { reportCode as reportCodeEndpoint } from '#contract/tickets.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import {
  type DialTemplateRow,
  insertDialTemplate,
  listTemplatesOf,
  requirePaymentType,
} from '#server/features/payment-types/store.ts';
import { presentTicket } from '#server/features/tickets/present.ts';
import { route } from '#server/http/route.ts';
import { reportCode } from './report-code.ts';
import { countReporters, deleteTemplate, lockTemplate, updateTemplate } from './store.ts';

const present = (row: DialTemplateRow, reports = 0): endpoints.DialTemplate => ({
  ...row,
  reports,
  verifiedAt: row.verifiedAt?.toISOString() ?? null,
  updatedAt: row.updatedAt.toISOString(),
});

export function dialCodeRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, reportCodeEndpoint, async ({ params, body, caller }) =>
    presentTicket(await reportCode(db, { id: params.id, userId: caller.userId, reason: body.reason })),
  );

  route(app, endpoints.listDialTemplates, async ({ params }) => {
    await requirePaymentType(db, params.id);
    const reporters = await countReporters(db, params.id);
    return (await listTemplatesOf(db, params.id)).map((row) => present(row, reporters.get(row.id)));
  });

  route(app, endpoints.createDialTemplate, async ({ params, body, write }) =>
    present(
      await write(async (tx, note) => {
        await requirePaymentType(tx, params.id);
        const created = await insertDialTemplate(tx, { ...body, paymentTypeId: params.id });
        note({ details: { template: created.id } });
        return created;
      }),
    ),
  );

  route(app, endpoints.updateDialTemplate, async ({ params, body: { expectedUpdatedAt, ...body }, write }) =>
    present(
      await write(async (tx, note) => {
        const before = await lockTemplate(tx, params.templateId, params.id);
        requireUnchanged(before.updatedAt, expectedUpdatedAt);
        const { template, merchant, state, message } = before;
        note({ before: { template, merchant, state, message } });
        // A judgement is about the code that was tried: a changed one is to be verified again.
        const isSame = body.template === template && body.merchant === merchant;
        const verifiedAt = body.state === 'verified' ? new Date() : isSame ? before.verifiedAt : null;
        return updateTemplate(tx, before.id, {
          ...body,
          message: body.state === 'broken' ? body.message || null : null,
          verifiedAt,
        });
      }),
    ),
  );

  route(app, endpoints.deleteDialTemplate, async ({ params, write }) => {
    await write(async (tx, note) => {
      const { id, country, template } = await lockTemplate(tx, params.templateId, params.id);
      note({ before: { country, template } });
      await deleteTemplate(tx, id);
    });
    return { id: params.templateId };
  });
}
