import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Access, type Endpoint, failuresOf } from './endpoint.ts';
import { Failure, failureBody, failureCatalogue } from './failure.ts';

const modules = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./*.test.ts'], { eager: true });
const exported = Object.values(modules).flatMap((module) =>
  Object.entries(module).filter((each): each is [string, Endpoint] => isEndpoint(each[1])),
);
const endpoints = exported.map(([, each]) => each);

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'operation' in value && 'path' in value;
}

/** The calls that P21.6 keeps as they are, and who may make each (P2.7 to P2.10). */
const stableCalls: [call: string, access: Access][] = [
  ['POST /api/auth/signup', 'anyone'],
  ['POST /api/auth/signin', 'anyone'],
  ['POST /api/auth/guest', 'anyone'],
  ['POST /api/auth/verify-otp', 'anyone'],
  ['POST /api/auth/resend-otp', 'anyone'],
  ['POST /api/auth/forgot-password', 'anyone'],
  ['POST /api/auth/verify-reset-otp', 'anyone'],
  ['POST /api/auth/resend-reset-otp', 'anyone'],
  ['POST /api/auth/reset-password', 'anyone'],
  ['POST /api/init-data', 'anyone'],
  ['GET /api/services', 'anyone'],
  ['GET /api/payment-types', 'anyone'],
  ['GET /api/commission/{}', 'anyone'],
  ['POST /api/tickets', 'verified'],
  ['GET /api/tickets/user/{}', 'verified'],
  ['GET /api/notifications/user/{}', 'verified'],
  ['GET /api/notifications/user/{}/unread-count', 'verified'],
  ['GET /api/notifications/{}', 'verified'],
  ['PATCH /api/notifications/{}/read', 'verified'],
  ['GET /api/content-pages/{}', 'anyone'],
  ['GET /api/admin/background-settings', 'anyone'],
  ['POST /api/admin/background-settings', 'admin'],
  ['POST /api/admin/upload-background', 'admin'],
  ['GET /api/admin/users', 'admin'],
  ['PATCH /api/admin/users/{}/reset-password', 'admin'],
  ['PATCH /api/admin/users/{}/deactivate', 'admin'],
  ['PATCH /api/admin/users/{}/activate', 'admin'],
  ['DELETE /api/admin/users/{}', 'admin'],
  ['GET /api/admin/tickets', 'admin'],
  ['GET /api/admin/services', 'admin'],
  ['PATCH /api/tickets/{}/status', 'admin'],
  ['POST /api/services', 'admin'],
  ['PUT /api/admin/services/{}', 'admin'],
  ['DELETE /api/admin/services/{}', 'admin'],
  ['POST /api/admin/payment-types', 'admin'],
  ['PUT /api/admin/payment-types/{}', 'admin'],
  ['DELETE /api/admin/payment-types/{}', 'admin'],
  ['GET /api/admin/content-pages', 'admin'],
  ['POST /api/admin/content-pages', 'admin'],
  ['PUT /api/admin/content-pages/{}', 'admin'],
  ['DELETE /api/admin/content-pages/{}', 'admin'],
];

const callOf = ({ method, path }: Endpoint) => `${method} ${path.replace(/:\w+/g, '{}')}`;
const parameterNames = ({ path }: Endpoint) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);

/** All other calls, in alphabetical order, with `{}` for each parameter, and who may make each. */
const addedCalls: [call: string, access: Access][] = [
  ['DELETE /api/admin/payment-types/{}/dial-templates/{}', 'admin'],
  ['DELETE /api/admin/payments/imports/{}', 'admin'],
  ['DELETE /api/admin/payments/shapes/{}', 'admin'],
  ['DELETE /api/admin/payments/sources/{}', 'admin'],
  ['DELETE /api/beneficiaries/{}', 'verified'],
  ['DELETE /api/push/subscriptions', 'verified'],
  ['GET /api/admin/audit', 'admin'],
  ['GET /api/admin/backups', 'admin'],
  ['GET /api/admin/catalogue-export', 'admin'],
  ['GET /api/admin/dashboard', 'admin'],
  ['GET /api/admin/merchant-numbers', 'admin'],
  ['GET /api/admin/payment-types/{}/dial-templates', 'admin'],
  ['GET /api/admin/payments', 'admin'],
  ['GET /api/admin/payments/accounts', 'admin'],
  ['GET /api/admin/payments/closings', 'admin'],
  ['GET /api/admin/payments/closings/days', 'admin'],
  ['GET /api/admin/payments/closings/export', 'admin'],
  ['GET /api/admin/payments/closings/lines', 'admin'],
  ['GET /api/admin/payments/count', 'admin'],
  ['GET /api/admin/payments/imports', 'admin'],
  ['GET /api/admin/payments/messages', 'admin'],
  ['GET /api/admin/payments/proposals', 'admin'],
  ['GET /api/admin/payments/shapes', 'admin'],
  ['GET /api/admin/payments/tickets/{}', 'admin'],
  ['GET /api/admin/pending-tickets', 'admin'],
  ['GET /api/admin/reject-reasons', 'admin'],
  ['GET /api/admin/sms', 'admin'],
  ['GET /api/admin/ticket-export', 'admin'],
  ['GET /api/admin/tickets/{}', 'admin'],
  ['GET /api/admin/users/{}', 'admin'],
  ['GET /api/auth/me', 'signed-in'],
  ['GET /api/beneficiaries', 'verified'],
  ['GET /api/catalogue', 'anyone'],
  ['GET /api/contact', 'anyone'],
  ['GET /api/decision-time', 'anyone'],
  ['GET /api/health/live', 'anyone'],
  ['GET /api/health/ready', 'anyone'],
  ['GET /api/push/key', 'verified'],
  ['GET /api/receipts/{}', 'anyone'],
  ['GET /api/tickets/{}', 'verified'],
  ['GET /api/tickets/{}/receipt', 'verified'],
  ['PATCH /api/auth/profile', 'verified'],
  ['POST /api/admin/catalogue-import', 'admin'],
  ['POST /api/admin/payment-types/{}/dial-templates', 'admin'],
  ['POST /api/admin/payments/accounts', 'admin'],
  ['POST /api/admin/payments/approvals', 'admin'],
  ['POST /api/admin/payments/closings', 'admin'],
  ['POST /api/admin/payments/imports', 'admin'],
  ['POST /api/admin/payments/lines/{}/ignore', 'admin'],
  ['POST /api/admin/payments/lines/{}/match', 'admin'],
  ['POST /api/admin/payments/lines/{}/unmatch', 'admin'],
  ['POST /api/admin/payments/messages/{}/ignore', 'admin'],
  ['POST /api/admin/payments/messages/{}/payment', 'admin'],
  ['POST /api/admin/payments/messages/{}/shape', 'admin'],
  ['POST /api/admin/payments/pasted', 'admin'],
  ['POST /api/admin/payments/read', 'admin'],
  ['POST /api/admin/payments/reminders', 'admin'],
  ['POST /api/admin/payments/sources', 'admin'],
  ['POST /api/admin/payments/sources/{}/rotation', 'admin'],
  ['POST /api/admin/payments/sources/{}/sim', 'admin'],
  ['POST /api/admin/sms/test', 'admin'],
  ['POST /api/admin/ticket-decisions', 'admin'],
  ['POST /api/admin/upload-payment-picture', 'admin'],
  ['POST /api/auth/change-password', 'verified'],
  ['POST /api/auth/signout', 'anyone'],
  ['POST /api/payment-feed/{}/sms', 'anyone'],
  ['POST /api/payment-feed/{}/wave', 'anyone'],
  ['POST /api/push/subscriptions', 'verified'],
  ['POST /api/tickets/{}/code-report', 'verified'],
  ['POST /api/tickets/{}/payment-declaration', 'verified'],
  ['PUT /api/admin/contact', 'admin'],
  ['PUT /api/admin/payment-types/{}/dial-templates/{}', 'admin'],
  ['PUT /api/admin/payment-types/{}/merchant-numbers', 'admin'],
  ['PUT /api/admin/payments/accounts/{}', 'admin'],
  ['PUT /api/admin/reject-reasons', 'admin'],
  ['PUT /api/admin/service-order', 'admin'],
  ['PUT /api/admin/sms/settings', 'admin'],
  ['PUT /api/beneficiaries/{}', 'verified'],
];

describe('the endpoints', () => {
  test.each(stableCalls)('%s is there, as P21.6 keeps it, for %s', (call, access) => {
    expect(endpoints.filter((each) => callOf(each) === call)).toEqual([expect.objectContaining({ access })]);
  });

  test('beside those there are the ones named here, each for whom it is named with, no other', () => {
    const known = new Set(stableCalls.map(([call]) => call));
    const added = endpoints.filter((each) => !known.has(callOf(each)));
    expect(added.map((each) => [callOf(each), each.access]).sort()).toEqual(addedCalls);
  });

  test.each(endpoints.map((each) => [callOf(each), each] as const))('%s declares what it takes', (_, each) => {
    const shape = 'shape' in each.params ? Object.keys(each.params.shape as object) : [];
    expect(shape).toEqual(parameterNames(each));
    expect(each.summary).toMatch(/^[A-Z].*\.$/);
    if (each.method === 'GET') expect(z.safeParse(each.body, {})).toEqual({ success: true, data: {} });
  });

  test('no answer has a field for a password or a session', () => {
    for (const { response, operation } of endpoints)
      expect(JSON.stringify(z.toJSONSchema(response, { unrepresentable: 'any' })), operation).not.toMatch(
        /"(?:password|sid)":/,
      );
  });
});

const operations = (those: Endpoint[]) => those.map((each) => each.operation).sort();
const reads = endpoints.filter((each) => each.method === 'GET');
/** Its text is too long for an address. */
const readByPost = ['lookAtShape', 'readMessages'];
const writes = endpoints.filter(({ method, operation }) => method !== 'GET' && !readByPost.includes(operation));

describe('what an endpoint says of itself', () => {
  test('each read says what its answer depends on, and no write does', () => {
    expect(operations(endpoints.filter((each) => each.topics))).toEqual(operations(reads));
  });

  test('a read open to anyone looks at the session exactly where its answer depends on the caller', () => {
    const ofCaller = reads.filter((each) => each.topics?.some((topic) => /\{(?:callerId|sid)\}/.test(topic)));
    const openToAnyone = (each: Endpoint) => each.access === 'anyone';
    expect(operations(reads.filter((each) => each.looksAtSession))).toEqual(operations(ofCaller.filter(openToAnyone)));
    expect(endpoints.filter((each) => each.looksAtSession).every(openToAnyone)).toBe(true);
  });

  test("the audit log has each write of an administrator, each way in, each change of one's account, and what is taken away", () => {
    const waysIn = ['signIn', 'verifyOtp', 'verifyResetOtp', 'resetPassword', 'signOut'];
    const ofOneself = ['changePassword', 'changeProfile'];
    // Files with other people's names and numbers or with takings, and what strangers' phones received, word for word.
    const taken = ['exportTickets', 'exportClosings', 'listUnreadMessages'];
    const byAdministrators = writes.filter((each) => each.access === 'admin').map((each) => each.operation);
    expect(byAdministrators.length).toBeGreaterThan(15);
    expect(operations(endpoints.filter((each) => each.audit))).toEqual(
      [...byAdministrators, ...waysIn, ...ofOneself, ...taken].sort(),
    );
    for (const { audit, body, operation } of endpoints) {
      for (const field of audit?.fields ?? []) expect(field, operation).not.toMatch(/password|code|otp|token|phone/i);
      const sent = 'shape' in body ? Object.keys(body.shape as object) : [];
      expect(sent, operation).toEqual(expect.arrayContaining([...(audit?.fields ?? [])]));
    }
  });

  test('no failure is declared that follows from who may call and from what is taken, nor twice', () => {
    for (const each of endpoints) {
      const implied = failuresOf({ ...each, failures: [] });
      expect(
        each.failures.filter((code) => implied.includes(code)),
        callOf(each),
      ).toEqual([]);
      expect(new Set(each.failures).size, callOf(each)).toBe(each.failures.length);
    }
  });

  test('what has a full length is a read of a list or a file, and so is each list that is read in parts', () => {
    const counted = endpoints.filter((each) => each.counted);
    for (const each of counted) {
      expect(each.method, callOf(each)).toBe('GET');
      if (!each.download) expect(each.response, callOf(each)).toBeInstanceOf(z.ZodMiniArray);
    }
    const inParts = endpoints.filter(({ query }) => 'limit' in (query as z.ZodMiniObject).shape);
    expect(inParts.length).toBeGreaterThanOrEqual(4);
    expect(operations(counted)).toEqual(expect.arrayContaining(operations(inParts)));
  });
});

test.each(Object.entries(failureCatalogue))(
  'the failure %s has a 4xx or 5xx status and a French sentence',
  (code, [status, message]) => {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(message).toMatch(/^\p{Lu}/u);
    const failure = new Failure(code as keyof typeof failureCatalogue);
    expect(failure).toMatchObject({ code, status, message });
    expect(z.parse(failureBody, { ...failure.details, code, message: failure.message })).toEqual({ code, message });
  },
);
