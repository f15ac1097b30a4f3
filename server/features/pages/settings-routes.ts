import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/settings.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import {
  type ContactRow,
  lockContact,
  lockRejectReasons,
  type RejectReasonList,
  readContact,
  readRejectReasons,
  replaceRejectReasons,
  writeContact,
} from './settings-store.ts';

export function settingsRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  const present = ({ reasons, updatedAt }: RejectReasonList) => ({
    reasons,
    updatedAt: updatedAt?.toISOString() ?? null,
  });

  route(app, endpoints.listRejectReasons, async () => present(await readRejectReasons(db)));

  route(app, endpoints.saveRejectReasons, async ({ body: { reasons, expectedUpdatedAt }, write }) => {
    const saved = await write(async (tx, note) => {
      const before = await lockRejectReasons(tx);
      if (isDeepStrictEqual(before.reasons, reasons)) {
        note({ unchanged: true });
        return before;
      }
      requireUnchanged(before.updatedAt, expectedUpdatedAt);
      note({ before: { count: before.reasons.length }, details: { count: reasons.length } });
      return replaceRejectReasons(tx, before, reasons);
    });
    return present(saved);
  });

  route(app, endpoints.readContact, async () => presentContact(await readContact(db)));

  route(app, endpoints.saveContact, async ({ body: { expectedUpdatedAt, ...contact }, write }) => {
    const saved = await write(async (tx, note) => {
      const stored = await lockContact(tx);
      const { updatedAt, ...before } = stored;
      if (updatedAt && isDeepStrictEqual(before, contact)) {
        note({ unchanged: true });
        return stored;
      }
      requireUnchanged(updatedAt, expectedUpdatedAt);
      note({ before, details: contact });
      return writeContact(tx, contact);
    });
    return presentContact(saved);
  });
}

const presentContact = ({ updatedAt, ...contact }: ContactRow): endpoints.Contact => ({
  ...contact,
  updatedAt: updatedAt?.toISOString() ?? null,
});
