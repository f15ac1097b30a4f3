import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/payment-feed.ts';
import { route } from '#server/http/route.ts';
import type { CountUpload } from '#server/http/upload.ts';
import { type ImportTools, importStatement } from './import-statement.ts';
import { walletOf } from './statements/statement-model.ts';
import * as store from './store.ts';
import { undoImport } from './undo-import.ts';

/** Statements, which are imported and undone whole. */
export function importRoutes(app: FastifyInstance, tools: ImportTools & { countStatement: CountUpload }): void {
  const { db } = tools;

  route(
    app,
    endpoints.importStatement,
    async ({ body, file, fileName = '', caller, write }) => {
      const sent = { ...body, file: file as Buffer, fileName: plainFileName(fileName), by: caller.userId };
      return importStatement(tools, sent, write);
    },
    { countUpload: tools.countStatement },
  );

  route(app, endpoints.listPaymentImports, async ({ query }) =>
    (await store.listImports(db, query.account)).map(({ operator, createdAt, ...row }) => ({
      ...row,
      wallet: walletOf(operator),
      createdAt: createdAt.toISOString(),
    })),
  );

  route(app, endpoints.undoPaymentImport, async ({ params, write }) =>
    write(async (tx, note) => {
      const { undone, counts } = await undoImport(tx, params.id);
      note({ target: undone.accountId, before: { fileName: undone.fileName }, details: { ...counts } });
      return counts;
    }),
  );
}

/** A file's name for display, without its folder and invisible characters. */
const plainFileName = (name: string) =>
  name.split(/[\\/]/).at(-1)?.replace(/\p{C}/gu, '').normalize('NFC').trim().slice(0, 100).toWellFormed() || 'relevé';
