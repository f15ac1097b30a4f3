import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { buildAdmin, buildUser, knownPassword } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { createLog, redact } from './log.ts';

test.each(['error', 'trace'])(
  'at %s no cookie, password, code or number of anybody gets into the log',
  async (level) => {
    const lines: string[] = [];
    const api = await startTestApi({ log: createLog(level, { write: (line: string) => void lines.push(line) }) });
    const { client } = await buildAdmin(api);
    const { phone } = await buildUser(api.db, { phone: '+22670998877' });
    const session = client.cookies.get('guichet_session') ?? 'none';
    await api.client().post('/api/auth/signin', { phoneOrEmail: phone, password: knownPassword });
    await api.client().post('/api/auth/signin', { phoneOrEmail: '70 99 88 77', password: 'un-faux-mot-de-passe' });
    await client.get('/api/admin/users?search=70998877');
    await client.get(`/api/admin/users?search=${encodeURIComponent('+226 70 99 88 77')}`);
    await client.get('/%zz?search=%2B22670998877');
    const named = [
      '/api/tickets/70998877',
      '/api/beneficiaries/70998877',
      '/api/nowhere/70%2099%2088%2077',
      '/70998877',
    ];
    // One that is answered, and one from memory.
    await api.pool.query("insert into content_pages (slug, title, content) values ('70998877', 'Aide', 'Texte')");
    for (const url of [...named, '/api/content-pages/70998877', '/api/content-pages/70998877']) await client.get(url);
    await client.get('/api/receipts/12-7KQ0ZP4M1XHA');
    await client.get('/recu/12-7KQ0ZP4M1XHA');
    await client.post('/api/payment-feed/secret-of-a-source/sms', { text: 'x' });
    await client.delete('/api/beneficiaries/70998877');
    const form = new FormData();
    form.set('image', new Blob(['no image'], { type: 'image/png' }), 'a.png');
    await client.send('POST', '/api/admin/upload-background', form);
    await api.pool.query('alter table audit_log rename to away');
    await client.patch('/api/admin/users/1/reset-password', { password: 'mot-pour-le-journal' });
    for (const secret of ['guichet_session', 'guichet_device'])
      api.app.log[level as 'info']({ req: { headers: { cookie: `${secret}=${session}` } } }, 'headers');
    api.app.log[level as 'info']({ rawHeaders: ['Cookie', `guichet_session=${session}`] }, `call of ${phone}`);
    await api.close();

    const whole = lines.join('');
    expect(whole).toContain('headers');
    expect(session.length).toBeGreaterThan(40);
    const inPaths = ['secret-of-a-source', '7KQ0ZP4M1XHA'];
    for (const secret of [session, knownPassword, 'un-faux-mot-de-passe', 'mot-pour-le-journal', ...inPaths])
      expect(whole).not.toContain(secret);
    expect(whole).not.toMatch(/70[\s.%-]?(?:20)?99[\s.%-]?(?:20)?88[\s.%-]?(?:20)?77/);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  },
);

test('of a query that failed the log has the words, and none of its values', async () => {
  const lines: string[] = [];
  const api = await startTestApi();
  const error = await api.db.execute(sql`select ${'Awa Ouédraogo'} from nowhere`).catch((cause: unknown) => cause);
  await api.close();
  createLog('error', { write: (line: string) => void lines.push(line) }).error({ err: error }, 'failed');
  const [line] = lines;
  for (const word of ['Failed query', 'select $1 from nowhere', '42P01']) expect(line).toContain(word);
  expect(line).not.toContain('Ouédraogo');
});

test.each([
  ['"headers":{"cookie":"guichet_session=abc; a=\\"b\\"","host":"x"}', '"headers":{"cookie":"…","host":"x"}'],
  ['"set-cookie":["guichet_session=abc","b=c"]', '"set-cookie":"…"'],
  ['["Host","x","Cookie","guichet_session=abc"]', '["Host","x","Cookie","…"]'],
  ['"msg":"got guichet_device=abc.1-2.def from a phone"', '"msg":"got guichet_device=… from a phone"'],
  ['"phone":"70112233","code":"1234"', '"phone":"70112233","code":"…"'],
  ['"code":"ECONNREFUSED"', '"code":"ECONNREFUSED"'],
  ['"code":"23505"', '"code":"23505"'],
  ['"msg":"SMS to +2250701234567 failed"', '"msg":"SMS to +225…67 failed"'],
  ['"msg":"221 77 123 45 67"', '"msg":"+221…67"'],
  ['"url":"/api/tickets/%2B226%2070%2099%2088%2077"', '"url":"/api/tickets/+226…77"'],
  ['"stack":"Error: +22670998877\\n    at f (/a.ts:1:2)"', '"stack":"Error: +226…77\\n    at f (/a.ts:1:2)"'],
  ['"time":1763756400123,"pid":22612,"id":226123', '"time":1763756400123,"pid":22612,"id":226123'],
])('%s', (line, redacted) => {
  expect(redact(line)).toBe(redacted);
});
