import type { FastifyInstance } from 'fastify';
import type { Limits } from '#server/http/rate-limits.ts';
import type { CountUpload } from '#server/http/upload.ts';
import { accountRoutes, sourceRoutes } from './account-routes.ts';
import { feedRoutes } from './feed-routes.ts';
import { importRoutes } from './import-routes.ts';
import type { ImportTools } from './import-statement.ts';
import type { MessageReading } from './intake.ts';
import { lessonRoutes, messageRoutes } from './message-routes.ts';

interface IntakeTools extends MessageReading, ImportTools {
  limits: Limits;
  countStatement: CountUpload;
  /** The site's address; if it is unknown, that of the request is used. */
  publicUrl: string | undefined;
}

/** Everything that tells of payments: accounts and their sources, messages, statements, and what phones and wallets send. */
export async function paymentIntakeRoutes(app: FastifyInstance, tools: IntakeTools): Promise<void> {
  accountRoutes(app, tools);
  sourceRoutes(app, tools);
  messageRoutes(app, tools);
  lessonRoutes(app, tools);
  importRoutes(app, tools);
  await app.register(async (scope) => feedRoutes(scope, tools));
}
