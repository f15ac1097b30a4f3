import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readXlsx } from 'hucre/xlsx';
import { beforeEach, expect, test } from 'vitest';
import { buildFinalService, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { exportLimits, exportTickets } from './ticket-export.ts';

const api = await startTestApi();
beforeEach(() => api.pool.query('truncate tickets cascade'));

const everything = { where: 'true', values: [] as unknown[] };

function start(filter = everything, timeZone = 'UTC'): Readable {
  return exportTickets({ pool: api.pool, filter, timeZone });
}

async function read(bytes: Uint8Array) {
  const { sheets } = await readXlsx(bytes, { readStyles: true });
  const [heading = [], ...rows] = sheets[0]?.rows ?? [];
  return { sheets, cells: sheets[0]?.cells, heading, rows };
}

const readAll = async (filter = everything, timeZone = 'UTC') => read(await buffer(start(filter, timeZone)));

test('a ticket is a row of typed cells under a heading that stays', async () => {
  const user = await buildUser(api.db, { email: 'awa@exemple.bf', phone: '+2250700000001' });
  const service = (await buildFinalService(api.db)).at(-1)?.id;
  const ticket = await buildTicket(api.db, user.id, {
    serviceId: service,
    status: 'approved',
    numberOfBeneficiaries: 3,
    amount: 1_250_000,
    commission: 500,
    totalPrice: '1250500',
    servicePath: [
      { id: 1, name: 'Transfert', price: null, level: 1 },
      { id: 2, name: "Envoi à l'étranger", price: '1 000 FCFA', level: 2 },
    ],
    beneficiaryPhoneNumber: '+22901020304',
    createdAt: new Date('2026-03-01T09:05:07Z'),
    updatedAt: new Date('2026-03-02T10:00:00Z'),
  });
  const { sheets, cells, heading, rows } = await readAll();
  expect(sheets.map((sheet) => sheet.name)).toEqual(['Tickets']);
  expect(sheets[0]?.freezePane).toMatchObject({ rows: 1 });
  expect(heading).toEqual([
    'ID du ticket',
    'Utilisateur',
    'E-mail',
    'Téléphone',
    'Service',
    'Statut',
    'Nombre de bénéficiaires',
    'Prix total',
    'Téléphone du bénéficiaire',
    'Type de paiement',
    'Date de création',
    'Date de mise à jour',
  ]);
  expect(rows).toEqual([
    [
      ticket.id,
      'Awa Ouédraogo',
      'awa@exemple.bf',
      '+2250700000001',
      "Envoi à l'étranger",
      'Approuvé',
      3,
      1_250_500,
      '+22901020304',
      'Orange Money',
      new Date('2026-03-01T09:05:07Z'),
      new Date('2026-03-02T10:00:00Z'),
    ],
  ]);
  expect(cells?.get('1,7')?.style?.numFmt).toBe('#,##0 "FCFA"');
  for (const column of [10, 11]) expect(cells?.get(`1,${column}`)?.style?.numFmt).toBe('dd/mm/yyyy hh:mm');
});

test('who or what is unknown is said, and a guest has no phone', async () => {
  const guest = await buildUser(api.db, {
    firstName: 'Invité',
    lastName: '',
    phone: 'guest:00000000-0000-4000-8000-000000000000',
    isGuest: true,
    isVerified: false,
    password: null,
  });
  const user = await buildUser(api.db, { email: null });
  await buildTicket(api.db, guest.id, { status: 'pending' });
  const gone = await buildTicket(api.db, user.id, { status: 'rejected' });
  await api.pool.query('update tickets set user_id = null where id = $1', [gone.id]);
  const { rows } = await readAll();
  expect(rows.map((row) => row.slice(1, 6))).toEqual([
    ['Utilisateur inconnu', null, null, 'Service inconnu', 'Rejeté'],
    ['Invité', null, null, 'Service inconnu', 'En attente'],
  ]);
});

test('each of several pages of tickets of the same moment is there once, newest first; one that fails is an error', async () => {
  // Two microseconds in turn, so that a page ends among equal ones.
  await api.pool.query(
    `insert into tickets (payment_type_name, amount, commission, total_price, service_path, beneficiary_phone_number,
                          fingerprint, created_at)
     select 'Wave', 100, 0, '100', '[{"name": "Envoi"}]', '+22670123456', n::text,
            timestamptz '2026-01-01 00:00:00.000001+00' + make_interval(secs => n % 2 * 0.000001)
     from generate_series(1, $1::int) n`,
    [2.5 * exportLimits.rowsPerPage],
  );
  const { rows } = await api.pool.query('select id from tickets order by created_at desc, id desc');
  const exported = await readAll();
  expect(exported.rows.map(([id]) => id)).toEqual(rows.map((row) => row.id));
  const breaks = { where: '1 / (t.id - $1::int) is not null', values: [rows.at(-1).id] };
  await expect(buffer(start(breaks))).rejects.toThrow('division by zero');
});
