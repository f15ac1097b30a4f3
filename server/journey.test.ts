import { expect, test } from 'vitest';
import type { Service } from '#contract/catalogue.ts';
import { parsePrice } from '#contract/money.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import { countries } from '#contract/phone.ts';
import { signUpBody } from '#server/testing/auth-steps.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

/** Goes down the catalogue as a guest does: into the country where there is one, else into the last service shown. */
async function walkDown(client: TestClient, root: string, country: string): Promise<Service[]> {
  const path: Service[] = [];
  while (!path.at(-1)?.isFinalLevel) {
    const parent = path.at(-1);
    const { status, body } = await client.get(parent ? `/api/services?parentId=${parent.id}` : '/api/services');
    expect(status).toBe(200);
    const shown = body as Service[];
    const next = shown.find((each) => [root, country].includes(each.name)) ?? shown.at(-1);
    if (!next) throw new Error(`nothing under ${parent?.name}`);
    path.push(next);
  }
  return path;
}

test.each(countries)('$name: from the sign-up to the notification of the approved request', async (country) => {
  const phone = country.code + country.example;
  const client = api.client();
  expect(await client.post('/api/init-data', {})).toMatchObject({ status: 200 });
  expect(await client.post('/api/auth/guest')).toMatchObject({ status: 200, body: { user: { isGuest: true } } });
  const form = signUpBody(country.example, { countryCode: country.code });
  expect((await client.post('/api/auth/signup', form)).status).toBe(201);
  const verified = await client.post('/api/auth/verify-otp', { phone, code: await api.readCode(phone) });
  expect(verified).toMatchObject({
    status: 200,
    body: { user: { phone, countryCode: country.code, isVerified: true, isGuest: false, isAdmin: false } },
  });
  const { id: userId } = verified.body.user;
  expect(await countRows(api, 'users', 'is_guest')).toBe(0);

  const path = await walkDown(client, 'Télécom et mobile', country.name);
  expect(path.map((service) => service.level)).toEqual([1, 2, 3, 4, 5]);
  expect(path[1]?.name).toBe(country.name);
  const { id: serviceId, price } = path.at(-1) as Service;
  const amount = parsePrice(price) ?? 0;
  expect(amount).toBeGreaterThan(0);
  const { commission } = (await client.get(`/api/commission/${serviceId}?userPrice=${amount}`)).body;
  expect(commission).toBeGreaterThan(0);
  const types: PaymentType[] = (await client.get('/api/payment-types')).body;
  const isHere = (each: { country: string }) => each.country === country.code;
  const paymentType = types.find(({ dialTemplates }) => dialTemplates.some(isHere)) as PaymentType;
  const totalPrice = String(amount + commission);
  const asked = { beneficiaryPhoneNumber: country.example, paymentTypeName: paymentType.name, totalPrice };
  const filed = await client.post('/api/tickets', { ...asked, serviceId, servicePath: JSON.stringify(path), userId });
  const ticket = { ...asked, userId, status: 'pending', amount, commission, beneficiaryPhoneNumber: phone };
  expect(filed).toMatchObject({ status: 201, body: ticket });
  expect(filed.body.dialCode).toMatch(/^[*#][0-9*#]+#$/);
  expect(filed.body.dialCode).toContain(totalPrice);
  expect(await client.get(`/api/tickets/user/${userId}`)).toMatchObject({ status: 200, body: [filed.body] });

  const decision = { status: 'approved', expectedStatus: 'pending' };
  const approved = await admin.patch(`/api/tickets/${filed.body.id}/status`, decision);
  expect(approved).toMatchObject({ status: 200, body: { status: 'approved', user: { id: userId, phone } } });
  const countUnread = async () => (await client.get(`/api/notifications/user/${userId}/unread-count`)).body.count;
  expect(await countUnread()).toBe(1);
  const [notification] = (await client.get(`/api/notifications/user/${userId}`)).body;
  expect(notification).toMatchObject({
    title: 'Demande approuvée',
    type: 'success',
    isRead: false,
    relatedTicketId: filed.body.id,
  });
  expect((await client.patch(`/api/notifications/${notification.id}/read`)).status).toBe(200);
  expect(await countUnread()).toBe(0);

  expect(await client.post('/api/auth/signout')).toMatchObject({ status: 200 });
  expect(await client.get(`/api/tickets/user/${userId}`)).toMatchObject({ status: 401 });
  const back = await client.post('/api/auth/signin', { phoneOrEmail: country.example, password: 'secret1' });
  expect(back).toMatchObject({ status: 200, body: { user: { id: userId } } });
  expect((await client.get(`/api/tickets/user/${userId}`)).body).toMatchObject([{ status: 'approved' }]);
});
