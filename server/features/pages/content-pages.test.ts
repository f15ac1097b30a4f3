import { expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, nextNumber } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

const page = (fields: object = {}) => ({
  slug: `page-${nextNumber()}`,
  title: 'Aide',
  content: '## Titre\nTexte',
  ...fields,
});
const create = (fields: object = {}) => admin.post('/api/admin/content-pages', page(fields));
const change = (id: number, fields: object) => admin.put(`/api/admin/content-pages/${id}`, fields);
const read = (slug: string, client = api.client()) => client.get(`/api/content-pages/${slug}`);

test('a page is created active and read by anybody, as it was written', async () => {
  const content = '## Titre\n### Sous-titre\n<script>alert(1)</script> & "texte"\nÉté 😀';
  const created = await create({ slug: 'aide-2', title: ' Aide & <b>contact</b> ', content });
  expect(created).toMatchObject({ status: 201, body: { title: 'Aide & <b>contact</b>', content, isActive: true } });
  const answer = await read('aide-2');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(created.body);
  expect(answer.headers['content-type']).toContain('application/json');
});

test('an inactive or unknown page does not exist for readers, administrators included', async () => {
  const { body } = await create({ slug: 'brouillon', isActive: false });
  expect(body.isActive).toBe(false);
  const user = (await buildCaller(api)).client;
  for (const slug of ['brouillon', 'inconnue', 'AIDE-2', "'--", '%25', 'x'.repeat(80)])
    for (const client of [api.client(), user, admin])
      expect(await read(slug, client)).toMatchObject({
        status: 404,
        body: { code: 'PAGE_NOT_FOUND', message: 'Page non trouvée' },
      });
  expect(await change(body.id, { isActive: true })).toMatchObject({ status: 200, body: { isActive: true } });
  expect(await read('brouillon')).toMatchObject({ status: 200 });
});

test('what is left out of a change stays, and the date of the change moves', async () => {
  const { body: before } = await create({ content: 'Avant' });
  const hidden = await change(before.id, { isActive: false });
  expect(hidden.body).toEqual({ ...before, isActive: false, updatedAt: expect.any(String) });
  expect(hidden.body.updatedAt > before.updatedAt).toBe(true);
  const whole = await change(before.id, page({ title: 'Après', content: 'Après', isActive: true }));
  expect(whole).toMatchObject({ status: 200, body: { id: before.id, title: 'Après', isActive: true } });
  expect(whole.body.createdAt).toBe(before.createdAt);
  expect(await change(before.id, {})).toMatchObject({ status: 200, body: { title: 'Après' } });
  expect(await read(before.slug)).toMatchObject({ status: 404 });
  expect(await read(whole.body.slug)).toMatchObject({ status: 200 });
});

const bad = (path: string, values: unknown[]) =>
  values.map((value): [path: string, fields: Record<string, unknown>] => [path, { [path]: value }]);

test.each([
  ...bad('slug', ['', 'Aide', 'a b', 'a--b', '../a', 'x'.repeat(81)]),
  ...bad('title', ['  ', 'x'.repeat(161), undefined]),
  ...bad('content', ['\n', 'x'.repeat(100_001), undefined]),
  ...bad('isActive', ['oui']),
])('a page with a bad %s is refused, created or changed', async (path, fields) => {
  const { body: target } = await create();
  const before = await countRows(api, 'content_pages');
  expect(await create(fields)).toMatchObject({ status: 400, body: { code: 'INVALID', issues: [{ path }] } });
  expect(await countRows(api, 'content_pages')).toBe(before);
  if (fields[path] !== undefined)
    expect(await change(target.id, fields)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
  expect(await read(target.slug)).toMatchObject({ status: 200, body: target });
});

test('an address belongs to one page, also of many created at once', async () => {
  await create({ slug: 'unique' });
  const taken = { status: 409, body: { code: 'SLUG_TAKEN', message: 'Cette adresse de page est déjà utilisée.' } };
  expect(await create({ slug: 'unique' })).toMatchObject(taken);
  const { body: other } = await create();
  expect(await change(other.id, { slug: 'unique', title: 'Volé' })).toMatchObject(taken);
  expect(await read(other.slug)).toMatchObject({ status: 200, body: { title: 'Aide' } });
  expect(await change(other.id, { slug: other.slug })).toMatchObject({ status: 200 });
  const answers = await Promise.all(Array.from({ length: 15 }, () => create({ slug: 'course' })));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, ...Array(14).fill(409)]);
  expect(await countRows(api, 'content_pages', `slug = 'course'`)).toBe(1);
});

test('a page is deleted, and what does not exist is not found', async () => {
  const { body } = await create();
  expect(await admin.delete(`/api/admin/content-pages/${body.id}`)).toMatchObject({
    status: 200,
    body: { id: body.id },
  });
  expect(await read(body.slug)).toMatchObject({ status: 404 });
  for (const answer of [
    await admin.delete(`/api/admin/content-pages/${body.id}`),
    await change(body.id, { isActive: true }),
  ])
    expect(answer).toMatchObject({ status: 404, body: { code: 'PAGE_NOT_FOUND' } });
});
