import { describe, expect, test } from 'vitest';
import { cannedReasonsAtMost } from '#contract/settings.ts';
import { rejectReasonLength } from '#contract/tickets.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

const address = '/api/admin/reject-reasons';
const save = (reasons: unknown) => admin.put(address, { reasons });
const read = async () => (await admin.get(address)).body.reasons;
const readRows = async () => (await api.pool.query('select position, text from reject_reasons order by position')).rows;

describe('saving', () => {
  test('replaces all of them, trimmed, in the order sent', async () => {
    const answer = await save(['  Illisible. ', 'Déjà payé 👍', 'Illisible.']);
    const reasons = ['Illisible.', 'Déjà payé 👍', 'Illisible.'];
    expect(answer).toMatchObject({ status: 200, body: { reasons } });
    expect(await read()).toEqual(reasons);
    expect(await readRows()).toEqual(reasons.map((text, index) => ({ position: index + 1, text })));
    expect((await save([])).body).toEqual({ reasons: [], updatedAt: null });
    expect(await readRows()).toEqual([]);
  });

  test('is recorded with how many there were and are; the same list again changes and records nothing', async () => {
    await save(['Un', 'Deux']);
    const before = await countRows(api, 'audit_log');
    await save(['Deux', 'Un', 'Trois']);
    const { rows } = await api.pool.query('select details, target from audit_log order by id desc limit 1');
    expect(rows).toEqual([{ details: { count: 3, before: { count: 2 } }, target: null }]);
    const [version] = (await api.pool.query('select xmin from reject_reasons where position = 1')).rows;
    expect((await save(['Deux ', 'Un', 'Trois'])).status).toBe(200);
    expect(await countRows(api, 'audit_log')).toBe(before + 1);
    expect((await api.pool.query('select xmin from reject_reasons where position = 1')).rows).toEqual([version]);
  });

  test.each([
    [['   ']],
    [['x'.repeat(rejectReasonLength + 1)]],
    [Array.from({ length: cannedReasonsAtMost + 1 }, () => 'x')],
    [[7]],
    ['x'],
  ])('of %j is a mistake of the caller', async (reasons) => {
    await save(['Reste.']);
    expect(await save(reasons)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    expect(await read()).toEqual(['Reste.']);
  });
});
