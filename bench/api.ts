import { randomBytes } from 'node:crypto';
import autocannon from 'autocannon';
import type { Volume } from '#server/cli/made-up-data.ts';
import { makeDataFolder, startProduct } from '../e2e/product.ts';
import { fill } from './fill.ts';

/**
 * How many requests a second the calls that every open screen repeats take, beside one that does nothing, in the same
 * run on the same machine: read the ratios, since the machine's own speed is in the baseline.
 */
const volume: Volume = { users: 2_000, tickets: 50_000 };
const seconds = 5;
const connections = 20;

const folder = makeDataFolder();
await fill(folder, volume);
const product = await startProduct(folder, { RATE_LIMITS: 'off' });
try {
  const user = await signUp();
  const admin = await signIn(product.administrator.phone, product.administrator.password);
  const baseline = await measure('nothing (health)', { path: '/api/health/live' });
  const rows = [
    baseline,
    await measure('the families', { path: '/api/services' }),
    await measure('own tickets', { path: `/api/tickets/user/${user.id}`, cookie: user.cookie }),
    await measure('own notifications', { path: `/api/notifications/user/${user.id}`, cookie: user.cookie }),
    await measure('unread count', { path: `/api/notifications/user/${user.id}/unread-count`, cookie: user.cookie }),
    await measure('100 of all tickets', { path: '/api/admin/tickets', cookie: admin.cookie }),
    await measure('filing a ticket', { path: '/api/tickets', cookie: user.cookie, body: await orderOf(user) }),
  ];
  console.table(
    rows.map((row) => ({
      call: row.title,
      'requests/s': Math.round(row.requests),
      'of the baseline': `${((100 * row.requests) / baseline.requests).toFixed(1)} %`,
      'p99 (ms)': row.p99,
      'not 2xx': row.failed,
    })),
  );
} finally {
  await product.stop();
}

async function measure(title: string, call: { path: string; cookie?: string; body?: object }) {
  const result = await autocannon({
    url: product.url + call.path,
    connections,
    duration: seconds,
    method: call.body ? 'POST' : 'GET',
    headers: { ...(call.cookie && { cookie: call.cookie }), ...(call.body && { 'content-type': 'application/json' }) },
    ...(call.body && { body: JSON.stringify(call.body) }),
    requests: [
      {
        // Each a ticket of its own.
        setupRequest: (request) => ({
          ...request,
          headers: { ...request.headers, 'idempotency-key': randomBytes(12).toString('hex') },
        }),
      },
    ],
  });
  return { title, requests: result.requests.average, p99: result.latency.p99, failed: result.non2xx };
}

async function post(path: string, body: object, cookie = '') {
  const response = await fetch(product.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0]);
  return { body: (await response.json()) as { user: { id: number } }, cookie: cookies.join('; ') };
}

async function signIn(phoneOrEmail: string, password: string) {
  const { body, cookie } = await post('/api/auth/signin', { phoneOrEmail, password });
  return { id: body.user.id, cookie };
}

async function signUp() {
  const password = randomBytes(8).toString('hex');
  const form = { firstName: 'Banc', lastName: 'Essai', phone: '+22670999999', password, confirmPassword: password };
  const { cookie } = await post('/api/auth/signup', form);
  const verified = await post(
    '/api/auth/verify-otp',
    { phone: form.phone, code: await product.readCode(form.phone) },
    cookie,
  );
  return { id: verified.body.user.id, cookie: verified.cookie };
}

/** A request for the first service with a fixed price, as the summary would send it. */
async function orderOf(user: { id: number }) {
  const get = async (path: string) => (await fetch(product.url + path)).json();
  const path: { id: number; name: string; isFinalLevel: boolean; allowUserPriceInput: boolean }[] = [];
  for (const name of ['Factures et paiements', 'Télévision', 'Bouquet Access']) {
    const parent = path.at(-1);
    const level = (await get(`/api/services${parent ? `?parentId=${parent.id}` : ''}`)) as typeof path;
    const found = level.find((service) => service.name === name);
    if (!found) throw new Error(`no service called ${name}`);
    path.push(found);
  }
  return {
    userId: user.id,
    serviceId: path.at(-1)?.id,
    servicePath: path.map(({ id }) => ({ id })),
    beneficiaryPhoneNumber: '+22670123456',
    paymentTypeName: 'Wave',
    totalPrice: '5100',
    status: 'pending',
  };
}
