import { describe, expect, test } from 'vitest';
import type { Service } from '#contract/catalogue.ts';
import { dialTemplateProblem } from '#contract/dial-code.ts';
import { parsePrice } from '#contract/money.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import { countries } from '#contract/phone.ts';
import { databaseLimits } from '#server/database/limits.ts';
import { countRows, orderBody } from '#server/testing/bodies.ts';
import { buildCaller } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { starterCatalogue, starterPaymentTypes } from './catalogue.ts';
import { starterPages } from './pages.ts';

const init = (api: TestApi) => api.client().post('/api/init-data', {});
const counts = async (api: TestApi) =>
  Promise.all(
    ['services', 'payment_types', 'content_pages', 'background_settings', 'users'].map((table) =>
      countRows(api, table),
    ),
  );
const countTree = (list: typeof starterCatalogue): number =>
  list.reduce((sum, { children }) => sum + 1 + countTree(children ?? []), 0);
const whole = [countTree(starterCatalogue), starterPaymentTypes.length, starterPages.length, 1, 0];

describe('written once', () => {
  test('many calls at once on an empty database write one catalogue, and no administrator', async () => {
    // Each has its connection: what waits for one longer than a statement may take is refused.
    const calls = databaseLimits.connections - 3;
    const api = await startTestApi();
    expect(await counts(api)).toEqual([0, 0, 0, 0, 0]);
    const answers = await Promise.all(Array.from({ length: calls }, () => init(api)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(calls).fill(200));
    expect(answers.filter((answer) => answer.body.seeded).length).toBe(1);
    expect(await counts(api)).toEqual(whole);
  });

  test('a start that fails half way leaves nothing, and the next one writes everything', async () => {
    const api = await startTestApi();
    await api.pool.query('alter table content_pages add constraint none_now check (false) not valid');
    expect((await init(api)).status).toBe(500);
    expect(await counts(api)).toEqual([0, 0, 0, 0, 0]);
    await api.pool.query('alter table content_pages drop constraint none_now');
    expect(await init(api)).toMatchObject({ status: 200, body: { seeded: true } });
    expect(await counts(api)).toEqual(whole);
  });
});

const api = await startTestApi();
await init(api);
/** Every service with its path from the root, as a guest finds them. */
const found: Service[][] = [];
const descend = async (path: Service[]): Promise<void> => {
  const parent = path.at(-1);
  const url = parent ? `/api/services?parentId=${parent.id}` : '/api/services';
  for (const service of (await api.client().get(url)).body as Service[]) {
    found.push([...path, service]);
    await descend([...path, service]);
  }
};
await descend([]);

describe('the starter catalogue', () => {
  const leaves = () => found.filter((path) => path.at(-1)?.isFinalLevel);
  const last = (path: Service[]) => path.at(-1) as Service;

  test('is wholly visible to anybody, has every family of P1.1 and each country, and ends in something to order', async () => {
    expect(found.length).toBe(whole[0]);
    expect(found.length).toBe(await countRows(api, 'services'));
    expect(new Set(found.map((path) => last(path).level))).toEqual(new Set([1, 2, 3, 4, 5]));
    const namesBelow = (name?: string) =>
      found.filter((path) => path.at(-2)?.name === name && path.length <= 2).map((path) => last(path).name);
    expect(namesBelow()).toEqual([
      "Transfert d'argent",
      'Télécom et mobile',
      'Factures et paiements',
      'Banque et épargne',
    ]);
    expect(namesBelow('Télécom et mobile')).toEqual([
      'Burkina Faso',
      "Côte d'Ivoire",
      'Mali',
      'Niger',
      'Bénin',
      'Togo',
      'Sénégal',
    ]);
    for (const path of found) {
      expect(path.length).toBe(last(path).level);
      const below = found.filter((other) => other.at(-2)?.id === last(path).id).length;
      expect(below > 0, last(path).name).toBe(!last(path).isFinalLevel);
    }
  });

  test('has good codes, which hold no number but that of the merchant', () => {
    expect(leaves().length).toBeGreaterThan(40);
    for (const path of found) {
      const { phoneNumber, isFinalLevel, name } = last(path);
      expect(phoneNumber !== null, name).toBe(isFinalLevel);
      if (phoneNumber === null) continue;
      expect(dialTemplateProblem(phoneNumber), name).toBeUndefined();
      expect(phoneNumber.match(/\d{4,}|\{marchand\}/g), name).toEqual(['{marchand}']);
      expect(phoneNumber, name).toMatch(/XX|\{montant\}/);
    }
  });

  /** Files an order for the total that is shown, and checks that its code has it. */
  async function order(client: TestClient, path: Service[], chosen: object): Promise<void> {
    const { id, price, allowUserPriceInput, name } = last(path);
    const amount = allowUserPriceInput ? 2500 : (parsePrice(price) ?? 0);
    expect(amount, name).toBeGreaterThan(0);
    const { commission } = (await api.client().get(`/api/commission/${id}?userPrice=${amount}`)).body;
    const totalPrice = String(amount + commission);
    const wish = { ...chosen, totalPrice, ...(allowUserPriceInput && { userPrice: amount }) };
    const { body } = await client.post('/api/tickets', orderBody(path, wish));
    expect(body, name).toMatchObject({ amount, commission, totalPrice, status: 'pending' });
    expect(body.dialCode, name).toMatch(/^[*#][0-9*#]+#$/);
    expect(body.dialCode, name).toContain(`*${totalPrice}`);
  }

  test('takes a ticket on its final services, for the total that is shown', async () => {
    const { client, user } = await buildCaller(api);
    for (const path of leaves()) {
      const { allowUserPriceInput, price, name } = last(path);
      expect(allowUserPriceInput || (parsePrice(price) ?? 0) > 0, name).toBe(true);
    }
    // One in seven. Orange has a code of its own, where the service's is another wallet's.
    const ordered = leaves().filter((_, index) => index % 7 === 0);
    for (const path of ordered) await order(client, path, { paymentTypeName: 'Orange Money' });
    expect(await countRows(api, 'tickets', `user_id = ${user.id}`)).toBe(ordered.length);
  });

  test.each(countries)(
    '$name: a person there orders a service of there, by a wallet with a code there',
    async (country) => {
      const { client } = await buildCaller(api, { phone: country.code + country.example, countryCode: country.code });
      const types: PaymentType[] = (await client.get('/api/payment-types')).body;
      const wallet = types.find(({ dialTemplates }) => dialTemplates.some((each) => each.country === country.code));
      const path = leaves().findLast((each) => each[1]?.name === country.name) ?? [];
      await order(client, path, { paymentTypeName: wallet?.name, beneficiaryPhoneNumber: country.example });
    },
  );

  test('comes with its payment types, its two pages and the plain background', async () => {
    const { body: types } = await api.client().get('/api/payment-types');
    expect(types).toHaveLength(starterPaymentTypes.length);
    const asOffered = starterPaymentTypes.map(({ templates = [], ...type }) =>
      expect.objectContaining({
        ...type,
        dialTemplates: expect.arrayContaining(
          templates.map(({ country, template }) => ({ country, template, state: 'unverified', message: null })),
        ),
      }),
    );
    expect(types).toEqual(expect.arrayContaining(asOffered));
    // Every one says where it was found, and pays nobody yet.
    expect(await countRows(api, 'dial_templates', `template !~ '[{]marchand[}]' or source is null`)).toBe(0);
    expect(await countRows(api, 'merchant_numbers')).toBe(0);
    expect(await countRows(api, 'dial_templates')).toBe(
      starterPaymentTypes.flatMap(({ templates = [] }) => templates).length,
    );
    for (const { template } of starterPaymentTypes.flatMap(({ templates = [] }) => templates))
      expect(dialTemplateProblem(template), template).toBeUndefined();
    // Wave has none.
    for (const { name, countries, templates = [] } of starterPaymentTypes)
      expect(
        templates.map(({ country }) => country),
        name,
      ).toEqual(name === 'Wave' ? [] : countries);
    for (const slug of ['conditions-utilisation', 'politique-confidentialite'])
      expect(await api.client().get(`/api/content-pages/${slug}`)).toMatchObject({ status: 200, body: { slug } });
    expect((await api.client().get('/api/admin/background-settings')).body).toEqual({
      backgroundImage: null,
      opacity: 30,
      blur: 5,
      updatedAt: expect.any(String),
    });
  });
});
