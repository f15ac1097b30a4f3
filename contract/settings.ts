import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { listOf, text } from './shapes.ts';
import { rejectReasonLength } from './tickets.ts';

/** Reasons that an administrator chooses from: a screen's worth. */
export const cannedReasonsAtMost = 20;

/** What an administrator writes. */
export const rejectReasonsForm = z.object({
  reasons: listOf(text(rejectReasonLength, 'Un motif ne peut pas être vide.'), { max: cannedReasonsAtMost }),
});

export const listRejectReasons = endpoint({
  operation: 'listRejectReasons',
  method: 'GET',
  path: '/api/admin/reject-reasons',
  access: 'admin',
  summary: 'The reasons for a rejection that administrators choose from, in their order.',
  response: rejectReasonsForm,
  failures: [],
  topics: ['settings'],
});

export const saveRejectReasons = endpoint({
  operation: 'saveRejectReasons',
  method: 'PUT',
  path: '/api/admin/reject-reasons',
  access: 'admin',
  summary: 'Replaces the reasons for a rejection.',
  body: rejectReasonsForm,
  response: rejectReasonsForm,
  failures: [],
  audit: { title: 'Motifs de rejet modifiés', fields: [] },
});
