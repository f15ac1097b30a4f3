import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { signIn } from './auth.ts';
import { type Access, type Endpoint, failuresOf } from './endpoint.ts';
import { Failure, failureBody, failureCatalogue } from './failure.ts';
import { user } from './users.ts';

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

/** All other calls, in alphabetical order, with `{}` for each parameter. */
const addedCalls = [
  'DELETE /api/admin/payment-types/{}/dial-templates/{}',
  'DELETE /api/admin/payments/sources/{}',
  'DELETE /api/beneficiaries/{}',
  'DELETE /api/push/subscriptions',
  'GET /api/admin/audit',
  'GET /api/admin/backups',
  'GET /api/admin/catalogue-export',
  'GET /api/admin/dashboard',
  'GET /api/admin/payment-types/{}/dial-templates',
  'GET /api/admin/payments',
  'GET /api/admin/payments/accounts',
  'GET /api/admin/payments/count',
  'GET /api/admin/payments/messages',
  'GET /api/admin/payments/proposals',
  'GET /api/admin/payments/tickets/{}',
  'GET /api/admin/pending-tickets',
  'GET /api/admin/reject-reasons',
  'GET /api/admin/services/{}/use',
  'GET /api/admin/sms',
  'GET /api/admin/ticket-export',
  'GET /api/admin/tickets/{}',
  'GET /api/admin/users/{}',
  'GET /api/auth/me',
  'GET /api/beneficiaries',
  'GET /api/catalogue',
  'GET /api/contact',
  'GET /api/decision-time',
  'GET /api/health/live',
  'GET /api/health/ready',
  'GET /api/push/key',
  'GET /api/receipts/{}',
  'GET /api/tickets/{}',
  'GET /api/tickets/{}/receipt',
  'PATCH /api/admin/users/{}/administrator',
  'PATCH /api/auth/profile',
  'POST /api/admin/catalogue-import',
  'POST /api/admin/payment-types/{}/dial-templates',
  'POST /api/admin/payments/accounts',
  'POST /api/admin/payments/approvals',
  'POST /api/admin/payments/imports',
  'POST /api/admin/payments/lines/{}/ignore',
  'POST /api/admin/payments/lines/{}/match',
  'POST /api/admin/payments/lines/{}/unmatch',
  'POST /api/admin/payments/messages/{}/ignore',
  'POST /api/admin/payments/messages/{}/payment',
  'POST /api/admin/payments/pasted',
  'POST /api/admin/payments/read',
  'POST /api/admin/payments/reminders',
  'POST /api/admin/payments/sources',
  'POST /api/admin/payments/sources/{}/rotation',
  'POST /api/admin/sms/test',
  'POST /api/admin/ticket-decisions',
  'POST /api/admin/upload-payment-picture',
  'POST /api/auth/change-password',
  'POST /api/auth/confirm-password',
  'POST /api/auth/signout',
  'POST /api/payment-feed/{}/sms',
  'POST /api/payment-feed/{}/wave',
  'POST /api/push/subscriptions',
  'POST /api/tickets/{}/code-report',
  'POST /api/tickets/{}/payment-declaration',
  'PUT /api/admin/contact',
  'PUT /api/admin/payment-types/{}/dial-templates/{}',
  'PUT /api/admin/payments/accounts/{}',
  'PUT /api/admin/reject-reasons',
  'PUT /api/admin/service-order',
  'PUT /api/admin/sms/settings',
  'PUT /api/beneficiaries/{}',
];

describe('the endpoints', () => {
  test.each(stableCalls)('%s is there, as P21.6 keeps it, for %s', (call, access) => {
    expect(endpoints.filter((each) => callOf(each) === call)).toEqual([expect.objectContaining({ access })]);
  });

  test('beside those there are the ones named here, no other', () => {
    const known = new Set(stableCalls.map(([call]) => call));
    expect(
      endpoints
        .map(callOf)
        .filter((call) => !known.has(call))
        .sort(),
    ).toEqual(addedCalls);
  });

  test.each(endpoints.map((each) => [callOf(each), each] as const))('%s declares what it takes', (_, each) => {
    const shape = 'shape' in each.params ? Object.keys(each.params.shape as object) : [];
    expect(shape).toEqual(parameterNames(each));
    expect(each.summary).toMatch(/^[A-Z].*\.$/);
    if (each.method === 'GET') expect(z.safeParse(each.body, {})).toEqual({ success: true, data: {} });
  });

  test('no answer carries a password, whatever row a handler returns', () => {
    const instant = '2026-11-21T00:00:00.000Z';
    const row = {
      id: 1,
      firstName: 'Awa',
      lastName: 'Sawadogo',
      phone: '+22670123456',
      email: null,
      isGuest: false,
      isVerified: true,
      isAdmin: false,
      countryCode: '+226',
      createdAt: instant,
      updatedAt: instant,
      password: '$argon2id$…',
      deactivatedAt: null,
    };
    expect(Object.keys(z.parse(user, row))).not.toContain('password');
    expect(JSON.stringify(z.parse(signIn.response, { user: row, sid: 'x' }))).not.toMatch(/argon2|sid/);
  });
});

const operations = (those: Endpoint[]) => those.map((each) => each.operation).sort();
const reads = endpoints.filter((each) => each.method === 'GET');
/** Its text is too long for an address. */
const readByPost = ['readMessages'];
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
    // A file with other people's names and numbers, and what strangers' phones received, word for word.
    const taken = ['exportTickets', 'listUnreadMessages'];
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

describe('the failures', () => {
  test.each(Object.entries(failureCatalogue))(
    '%s has a 4xx or 5xx status and a French sentence',
    (code, [status, message]) => {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      expect(message).toMatch(/^\p{Lu}/u);
      const failure = new Failure(code as keyof typeof failureCatalogue);
      expect(failure).toMatchObject({ code, status, message });
      expect(z.parse(failureBody, { ...failure.details, code, message: failure.message })).toEqual({ code, message });
    },
  );
});
