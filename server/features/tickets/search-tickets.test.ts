import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TicketStatus } from '#contract/tickets.ts';
import { buildUser } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { searchTickets, type TicketSearch } from './ticket-search.ts';

const names = [
  'Télécom',
  'Forfait 7 jours',
  'Électricité',
  "Transfert d'argent",
  'Œuvres',
  '100 % remise',
  'Orange_Money',
];

const api = await startTestApi();
const people = [
  { firstName: 'Aïcha', lastName: 'Ouédraogo', phone: '+22676000001' },
  { firstName: 'Inès', lastName: 'Sarr' },
];
const userIds = await Promise.all(people.map(async (person) => (await buildUser(api.db, person)).id));
// Numbers of seven digits, as after a million tickets: some are then looked for one by one, others among the newest.
await api.pool.query('alter table tickets alter column id restart with 1234500');
const { rows } = await api.pool.query(
  `with filed as (insert into tickets (user_id, status, payment_type_name, amount, commission, total_price, service_path,
                          beneficiary_phone_number, fingerprint, payment_reference, payment_declared_at, created_at)
     select case n % 5 when 0 then null else ($1::int[])[1 + n % 2] end,
            (array['pending', 'approved', 'approved', 'rejected'])[1 + n % 4], 'Wave', n % 5 * 450, 50, (n % 5 * 450 + 50)::text,
            (select jsonb_agg(jsonb_build_object('id', k, 'name', ($2::text[])[1 + (n * k + n / 7) % 7], 'price', null, 'level', k))
             from generate_series(1, 1 + n % 5) k),
            '+22670' || lpad((n % 60 * 1234)::text, 6, '0'), n::text,
            case n % 4 when 0 then 'PP26.' || lpad(n::text, 4, '0') end, case n % 4 when 0 then now() end,
            -- Three at each instant, and not quite in the order of their numbers.
            '2026-11-01T00:00:00Z'::timestamptz + make_interval(mins => (n / 3) * 7 - (n / 3) % 4 * 9)
     from generate_series(1, 700) n
     returning *)
     select t.id, user_id as "userId", status, t.created_at as at, beneficiary_phone_number as beneficiary,
            total_price as total, payment_reference as reference, first_name || ' ' || last_name as person, phone,
            array(select step->>'name' from jsonb_array_elements(service_path) step) as path
     from filed t left join users u on u.id = user_id`,
  [userIds, names],
);
/** What is in the database, as P16.1 would search it. */
const all: {
  id: number;
  path: string[];
  status: TicketStatus;
  at: string;
  userId: number | null;
  /** Of its user. */
  person: string | null;
  phone: string | null;
  beneficiary: string;
  total: string;
  reference: string | null;
}[] = rows.map((row) => ({ ...row, at: row.at.toISOString() }));

const fold = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace('œ', 'oe')
    .replace('’', "'");

function holds(ticket: (typeof all)[number], search: string): boolean {
  const digits = /^[\d\s+]+$/.test(search) ? search.replace(/\D/g, '') : '';
  const plain = (text: string) => text.toUpperCase().replace(/[.\s]/g, '');
  return (
    String(ticket.id).includes(search) ||
    ticket.path.some((name) => fold(name).includes(fold(search))) ||
    (search.length > 2 &&
      ticket.person !== null &&
      search.split(' ').every((word) => fold(`${ticket.person}`).includes(fold(word)))) ||
    (digits.length > 3 &&
      [ticket.phone, ticket.beneficiary].some((phone) => phone?.endsWith(digits.replace(/^00/, '')))) ||
    (/^\d+$/.test(search) && Number(ticket.total) === Number(search)) ||
    (ticket.reference !== null &&
      (plain(search).length < 6
        ? plain(ticket.reference) === plain(search)
        : /^(?=.*\d)[A-Z0-9]+$/.test(plain(search)) && plain(ticket.reference).includes(plain(search))))
  );
}

function expected({ search, status, from, to, userId }: TicketSearch): number[] {
  return all
    .filter(
      (ticket) =>
        (!search || holds(ticket, search)) &&
        (!status || ticket.status === status) &&
        (!from || ticket.at >= new Date(from).toISOString()) &&
        (!to || ticket.at <= new Date(to).toISOString()) &&
        (!userId || ticket.userId === userId),
    )
    .sort((a, b) => b.at.localeCompare(a.at) || b.id - a.id)
    .map((ticket) => ticket.id);
}

const instants = fc.date({ min: new Date('2026-10-31'), max: new Date('2026-11-03'), noInvalidDate: true });
const searches = fc.oneof(
  fc.constantFrom(
    'telecom',
    'ÉLECTRICITÉ',
    'e',
    'xz',
    'jours',
    'd’argent',
    'oeuv',
    '%',
    '_',
    '\\',
    '100 %',
    '7',
    '99',
    "'",
  ),
  fc.integer({ min: 0, max: 1235300 }).map(String),
  fc
    .integer({ min: 1234500, max: 1235300 })
    .chain((id) =>
      fc
        .tuple(fc.nat(6), fc.integer({ min: 1, max: 7 }))
        .map(([start, length]) => String(id).slice(start, start + length)),
    ),
  fc.constantFrom('0', '00', '012', '1234567890123'),
  // What a person or an SMS says.
  fc.constantFrom(
    'aïcha',
    'OUEDRAOGO Aicha',
    '76 00 00 01',
    '+226 70 01 23 40',
    '0022670012340',
    '2340',
    '950',
    '1850',
    'pp26 0008',
    // A part of a reference, and its end.
    'pp 26.00',
    'p26.010',
    '26.0128',
    '260128',
  ),
);

/** Of a search that are read at most. */
const pages = 40;

test('finds what P16.1 asks for, in either order, on every page, and counts it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          search: searches,
          status: fc.constantFrom<TicketStatus>('pending', 'approved', 'rejected'),
          from: instants.map((each) => each.toISOString()),
          to: instants.map((each) => each.toISOString()),
          userId: fc.constantFrom(0, 1),
        },
        { requiredKeys: [] },
      ),
      // Short pages end in the middle of an instant.
      fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 300 })),
      fc.constantFrom('newest' as const, 'oldest' as const),
      async ({ userId: whose, ...search }, limit, order) => {
        const query = { ...search, ...(whose !== undefined && { userId: userIds[whose] }) };
        const found: number[] = [];
        for (let page = 0; page < pages; page += 1) {
          const { rows, count } = await searchTickets(api.db, query, { limit, before: found.at(-1), order });
          expect(count).toEqual({ total: expected(query).length, capped: false });
          found.push(...rows.map((row) => row.ticket.id));
          if (rows.length < limit) break;
        }
        const wanted = order === 'oldest' ? expected(query).toReversed() : expected(query);
        expect(found).toEqual(wanted.slice(0, pages * limit));
      },
    ),
    { numRuns: 40 },
  );
});

test('an SMS finds its ticket by the reference, else by number and amount, by number, by amount; never others by a filter', async () => {
  const ticket = all.find((each) => each.reference !== null && each.userId === userIds[0]);
  const find = async (search: string, status?: TicketStatus) => {
    const { rows } = await searchTickets(api.db, { search, status }, { limit: 1000 });
    return rows.map((row) => row.ticket.id);
  };
  const idsOf = (which: (each: (typeof all)[number]) => boolean) =>
    expected({}).filter((id) => all.some((each) => each.id === id && which(each)));
  const sms = (reference: string, total: string, from = '76000001') =>
    `Vous avez recu ${total}.00 FCFA du ${from}, OUEDRAOGO AICHA. Nouveau solde: 950 FCFA. Trans ID: ${reference}.`;
  const of = (phone: string) => (each: (typeof all)[number]) => each.phone === phone || each.beneficiary === phone;
  const aicha = of('+22676000001');
  const total = `${ticket?.total}`;
  expect(await find(sms(`${ticket?.reference}`, total))).toEqual([ticket?.id]);
  expect(await find(sms('XX26.9999', total))).toEqual(
    idsOf((each) => aicha(each) && [total, '950'].includes(each.total)),
  );
  expect(await find(sms('XX26.9999', '77777').replace(' 950 ', ' 3 '))).toEqual(idsOf(aicha));
  expect(await find(sms('XX26.9999', total, 'X'))).toEqual(idsOf((each) => each.total === total));
  const other = (['approved', 'pending', 'rejected'] as const).find((each) => each !== ticket?.status);
  expect(await find(sms(`${ticket?.reference}`, total), other)).toEqual([]);
  expect(await find(`La demande n° ${ticket?.id} attend`)).toEqual([ticket?.id]);
});

test('the count stays exact up to 10,000 and says beyond that there are more', async () => {
  const many = `insert into tickets (status, payment_type_name, amount, commission, total_price, service_path,
                                       beneficiary_phone_number, fingerprint)
      select 'rejected', 'Wave', 100, 0, '100', '[{"id": 1, "name": "Beaucoup", "price": null, "level": 1}]', '+22670123456', 'x'
      from generate_series(1, $1)`;
  await api.pool.query(many, [10_000]);
  const search = { search: 'beaucoup' };
  expect((await searchTickets(api.db, search, { limit: 1 })).count).toEqual({ total: 10_000, capped: false });
  await api.pool.query(many, [1]);
  expect((await searchTickets(api.db, search, { limit: 1 })).count).toEqual({ total: 10_000, capped: true });
  // Kept as they change, so exact at any size.
  const rejected = all.filter((each) => each.status === 'rejected').length + 10_001;
  expect((await searchTickets(api.db, { status: 'rejected' }, { limit: 1 })).count).toEqual({
    total: rejected,
    capped: false,
  });
  expect((await searchTickets(api.db, {}, { limit: 1 })).count).toEqual({ total: 10_701, capped: false });
});
