import pg from 'pg';
import { countries } from '#contract/phone.ts';

/** How much to make up. */
export interface Volume {
  users: number;
  tickets: number;
}

const rowsPerBatch = 25_000;

const firstNames = `Aïcha Issa Kouassi Fatoumata Moussa Aminata Ibrahim Mariam Ousmane Awa Adama Ramatou Élodie Seydou Kadiatou
  Rokia Souleymane Boureima Bintou Cheick Mamadou Koffi Akissi Yao Komlan Afi Sènami Ndèye Modou Khady Inès Hadiza`;
const lastNames = `Ouédraogo Kaboré N'Guessan Traoré Sawadogo Coulibaly Diallo Konaté Zongo Compaoré Touré Kouamé Koné Bamba
  Ouattara Keïta Sangaré Dembélé Maïga Diarra Issoufou Garba Fall Adjovi Houénou Amégan Lawson Ndiaye Diop Sarr Barry`;
/** How a mobile number of each country begins, before six more digits. */
const starts = { BF: '70', CI: '0707', ML: '76', NE: '96', BJ: '0197', TG: '90', SN: '770' };
const families = `Envoi d'argent, Recharge de crédit, Forfait internet, Forfait appels, Facture d'électricité, Facture d'eau,
  Bouquet de télévision, Frais de scolarité, Assurance, Dépôt bancaire, Épargne, Billet d'autocar, Pharmacie, Timbre fiscal`;

/** SQL: a number from 0 to below 1 that looks random and is the same for the same row and `salt`. */
const chance = (row: string, salt: number) =>
  `((hashint8extended(${row}, ${salt}) & 9007199254740991) / 9007199254740992::float8)`;
const listOf = (words: readonly string[]) => `array[${words.map((word) => pg.escapeLiteral(word)).join()}]`;
/** SQL: one of the list, by a number from 0 to below 1. */
const pick = (words: readonly string[], by: string) => `(${listOf(words)})[1 + floor(${words.length} * ${by})::int]`;
/** SQL: a mobile number in E.164, by a country's number from 0 to below 1, and six digits. */
const phoneOf = (country: string, digits: string) =>
  `${pick(
    countries.map(({ code, iso }) => code + starts[iso]),
    `power(${country}, 1.5)`,
  )} || lpad((${digits})::text, 6, '0')`;

/** 14 families for each country, with ten final services each, a fifth of them for an amount that the person types. */
const addServices = `
  with root as (
    insert into services (name, level) select 'Services inventés', 1
    where not exists (select from services where name = 'Services inventés') returning id
  ), country as (
    insert into services (name, level, parent_id, sort_order) select name, 2, root.id, place
    from root, unnest(${listOf(countries.map(({ name }) => name))}) with ordinality as each (name, place) returning id
  ), family as (
    insert into services (name, level, parent_id, sort_order) select name, 3, country.id, place
    from country, unnest(${listOf(families.split(/,\s+/))}) with ordinality as each (name, place) returning id, name
  )
  insert into services (name, level, parent_id, sort_order, is_final_level, price, allow_user_price_input, commission_value, phone_number)
  select name || ' ' || n, 4, id, n, true, case when n % 5 > 0 then n * 500 || ' FCFA' end, n % 5 = 0, n * 10,
         case when n % 3 > 0 then '*144*10*00000000*XX#' end
  from family cross join generate_series(1, 10) n`;

/** Over two years, ever more people a month; one in fifty a guest, one in ten unverified. A number that is taken is left out. */
const addPeople = `
  insert into users (first_name, last_name, phone, email, password, is_guest, is_verified, country_code, created_at, updated_at)
  select case when is_guest then 'Invité' else first_name end, case when is_guest then '' else last_name end,
         case when is_guest then 'guest:' || md5('guest ' || n)::uuid else phone end,
         case when not is_guest and ${chance('n', 4)} < 0.25 then 'personne' || n || '@example.org' end,
         case when is_guest then null else '-' end, is_guest, ${chance('n', 1)} >= 0.1,
         case when is_guest then '+226' else left(phone, 4) end, at, at
  from (
    select n, ${chance('n', 1)} < 0.02 as is_guest, ${pick(firstNames.split(/\s+/), chance('n', 2))} as first_name,
           ${pick(lastNames.split(/\s+/), chance('n', 3))} as last_name, ${phoneOf(chance('n', 5), 'n * 700417 % 1000000')} as phone,
           $4::timestamptz - interval '730 days' * (1 - power((n - $3) / $5::float8, 0.7)) as at
    from generate_series($3::bigint + $1::int, $3 + $2::int) n
  ) person
  order by n
  on conflict do nothing`;

/** What tickets are filed for and by whom, numbered; few services are asked for often. */
const prepareTickets = `
  create temp table offers as
    with recursive path as (
      select id, 1 as depth, jsonb_build_array(jsonb_build_object('id', id, 'name', name, 'price', price, 'level', level)) as path
      from services where name = 'Services inventés'
      union all
      select s.id, depth + 1, path || jsonb_build_object('id', s.id, 'name', s.name, 'price', s.price, 'level', s.level)
      from path join services s on s.parent_id = path.id
    )
    select row_number() over (order by hashint8extended(id, 0))::int as place, id as service, path, commission_value::int as commission,
           substring(price from '^\\d+')::int as price, replace(phone_number, 'XX', '%s') as dial
    from path join services using (id) where is_final_level;
  create temp table people as
    select row_number() over (order by id)::int as place, id, phone from users where password = '-' and is_verified;
  create unique index on offers (place);
  create unique index on people (place);
  analyze offers, people`;

/** The year up to now, in the order of time, with its events and notifications. Only of the last days many are still pending. */
const addTickets = `
  with known as (
    select (select count(*)::int from offers) as offers, (select count(*)::int from people) as people,
           (select array_agg(id order by id) from payment_types where is_active) as payments,
           (select array_agg(id order by id) from users where is_admin) as admins
  ), drawn as (
    select n, $4::timestamptz - interval '365 days' * (1 - (n - $3) / $5::float8) as at,
           case when ${chance('n', 6)} < 0.002 + 0.8 * power(greatest(0.5, (n - $3) / $5::float8), 99) then 'pending'
                when ${chance('n', 7)} < 0.09 then 'rejected' else 'approved' end as status,
           1 + floor(offers * power(${chance('n', 2)}, 3))::int as offer, 1 + floor(people * power(${chance('n', 3)}, 2))::int as person,
           payments[1 + floor(cardinality(payments) * ${chance('n', 4)})::int] as payment, admins
    from known, generate_series($3::bigint + $1::int, $3 + $2::int) n
  ), filed as (
    insert into tickets (user_id, service_id, status, payment_type_id, payment_type_name, amount, commission, total_price, service_path,
                         beneficiary_phone_number, dial_code, reject_reason, idempotency_key, fingerprint, created_at, updated_at)
    select people.id, service, status, payment, coalesce(payment_types.name, 'Orange Money'), amount, commission,
           (amount + commission)::text, path,
           case when ${chance('n', 9)} < 0.45 and phone is not null then phone
                else ${phoneOf(chance('n', 10), `floor(1000000 * ${chance('n', 15)})`)} end,
           format(dial, amount + commission), case when status = 'rejected' then 'Paiement introuvable.' end,
           md5('key ' || n)::uuid, encode(sha256(('order ' || n)::bytea), 'hex'), at,
           case when status = 'pending' then at else least(at + interval '1 hour' * ${chance('n', 8)}, $4) end
    from drawn join offers on offers.place = offer
    cross join lateral (select coalesce(price, 5 * floor(20 * power(2000, ${chance('n', 11)}))::int) as amount) priced
    left join people on people.place = person left join payment_types on payment_types.id = payment
    order by n
    returning id, user_id, status, service_path, reject_reason, created_at, updated_at
  ), events as (
    insert into ticket_events (ticket_id, status, reason, actor_id, created_at)
    select id, 'pending', null, user_id, created_at from filed
    union all select id, status, reject_reason, (select admins[1] from known), updated_at from filed where status <> 'pending'
  )
  insert into notifications (user_id, related_ticket_id, type, title, message, is_read, created_at)
  select user_id, id, case status when 'approved' then 'success' else 'error' end,
         'Demande ' || case status when 'approved' then 'approuvée' else 'rejetée' end,
         'Votre demande n°\u00a0' || id || ' (' || (service_path -> -1 ->> 'name') ||  ') a été ' || case status when 'approved' then 'approuvée.' else 'rejetée. Motif : ' || reject_reason end, ${chance('id', 16)} < 0.7, updated_at
  from filed where status <> 'pending' and user_id is not null`;

/** An account for each payment type, and a payment for each ticket of the last 30 days; those of approved ones are matched. */
const addPayments = `
  insert into payment_accounts (payment_type_id, country, number, label, allowed_senders)
  select id, '+226', '00000000', name, array[name] from payment_types p
  where not exists (select from payment_accounts a where a.payment_type_id = p.id) on conflict do nothing;
  with paid as (
    select t.*, a.id as account_id, 'INV' || lpad(t.id::text, 9, '0') as reference, u.phone
    from tickets t join payment_accounts a on a.payment_type_id = t.payment_type_id left join users u on u.id = t.user_id
    where t.amount + t.commission > 0 and t.created_at > now() - interval '30 days' and t.status <> 'rejected'
      and not exists (select from payment_matches m where m.ticket_id = t.id)
  ), lines as (
    insert into payment_lines (account_id, line_key, direction, state, gross, reference, payer, paid_at, seen_in, is_trusted)
    select account_id, 'r:in:' || reference, 'in', 'settled', amount + commission, reference, phone,
           created_at + interval '3 minutes', 8, true
    from paid on conflict do nothing returning id, line_key
  )
  insert into payment_matches (line_id, ticket_id, rule, evidence, decided_at)
  select lines.id, paid.id, 'R2', '["Numéro du payeur et montant égaux."]', updated_at
  from lines join paid on lines.line_key = 'r:in:' || reference where status = 'approved'`;

/** How many customers have an account that was not made up. */
export async function countPeople(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from users where not is_guest and not is_admin and password is distinct from '-'",
  );
  return rows[0]?.count ?? 0;
}

/**
 * Adds made-up people, services, tickets, events, notifications and payments to whatever the database holds, which has payment
 * types and an administrator. On equal databases equal volumes give equal rows, but for their times, which end now. The people
 * cannot sign in: their password is no hash. `tell` hears of the progress in French.
 */
export async function makeUpData(
  pool: pg.Pool,
  { users, tickets }: Volume,
  tell: (progress: string) => void = () => {},
): Promise<void> {
  const client = await pool.connect();
  async function inBatches(table: 'users' | 'tickets', count: number, insertion: string): Promise<void> {
    const { rows } = await client.query(`select coalesce(max(id), 0) as base, now()::text as now from ${table}`);
    for (let made = 0; made < count; made += rowsPerBatch) {
      const to = Math.min(made + rowsPerBatch, count);
      await client.query(insertion, [made + 1, to, rows[0].base, rows[0].now, count]);
      tell(`${table === 'users' ? 'Personnes' : 'Tickets'} : ${to.toLocaleString('fr-FR')}.`);
    }
  }
  try {
    // No change is announced per row: caches of a database that fills like this are stale anyway.
    await client.query("set guichet.quiet = 'on'; set statement_timeout = 0; set timezone = 'UTC'");
    await client.query(addServices);
    await inBatches('users', users, addPeople);
    await client.query(prepareTickets);
    await inBatches('tickets', tickets, addTickets);
    await client.query(addPayments);
    await client.query('vacuum (analyze)');
  } finally {
    // Its settings and temporary tables go with the connection.
    client.release(true);
  }
}
