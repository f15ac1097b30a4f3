import { expect, test } from 'vitest';
import { dayOf, endOf, isDay, startOf } from '#web/features/admin/shared/calendar-day.ts';
import { auditQuery, readAuditFilter } from './audit-filters.tsx';

const queryOf = (search: string) => auditQuery(readAuditFilter(new URLSearchParams(search)));

test('the address is read into what the server takes', () => {
  expect(queryOf('acteur=7&qui=autres&resultat=refuse')).toEqual({
    actorId: '7',
    actors: 'others',
    outcome: 'refused',
  });
  expect(queryOf('qui=administrateurs&resultat=fait')).toEqual({ actors: 'administrators', outcome: 'done' });
  const { from, to } = queryOf('du=2026-11-01&au=2026-11-21');
  expect(new Date(from ?? '')).toEqual(new Date(2026, 10, 1));
  expect(new Date(to ?? '')).toEqual(new Date(2026, 10, 21, 23, 59, 59, 999));
});

test('what an address cannot mean is left out', () => {
  for (const search of [
    '',
    'acteur=0&acteur=1',
    'acteur=-1',
    'acteur=2147483648',
    'qui=tous',
    'qui=toString',
    'resultat=__proto__',
    'du=hier',
    'du=2026-02-30',
    'au=2026-13-01',
    'au=21/11/2026',
  ])
    expect(queryOf(search), search).toEqual({});
});

test('a day is from its first moment to its last', () => {
  expect(isDay('2026-11-21')).toBe(true);
  expect(dayOf(startOf('2026-11-21'))).toBe('2026-11-21');
  expect(dayOf(endOf('2026-12-31'))).toBe('2026-12-31');
  expect(endOf('2026-12-31').getTime() + 1).toBe(startOf('2027-01-01').getTime());
});
