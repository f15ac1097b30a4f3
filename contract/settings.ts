import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component, expectedUpdatedAt, instant, listOf, text } from './shapes.ts';
import { rejectReasonLength } from './tickets.ts';

/** Canned reject reasons; one screen shows all of them. */
export const cannedReasonsAtMost = 20;

export const rejectReasonsForm = z.object({
  reasons: listOf(text(rejectReasonLength, 'Un motif ne peut pas être vide.'), { max: cannedReasonsAtMost }),
});

const rejectReasons = component('RejectReasons', z.extend(rejectReasonsForm, { updatedAt: z.nullable(instant) }));
export type RejectReasons = z.output<typeof rejectReasons>;

export const listRejectReasons = endpoint('listRejectReasons', 'GET', '/api/admin/reject-reasons', {
  access: 'admin',
  summary: 'The reasons for a rejection that administrators choose from, in their order.',
  response: rejectReasons,
  topics: ['settings'],
});

export const saveRejectReasons = endpoint('saveRejectReasons', 'PUT', '/api/admin/reject-reasons', {
  access: 'admin',
  summary: 'Replaces the reasons for a rejection.',
  body: z.extend(rejectReasonsForm, { expectedUpdatedAt }),
  response: rejectReasons,
  failures: ['CHANGED_MEANWHILE'],
  audit: { title: 'Motifs de rejet modifiés', fields: [] },
});
