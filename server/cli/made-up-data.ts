import { createHash } from 'node:crypto';
import pg from 'pg';
import { needsAmount } from '#contract/dial-code.ts';
import { type Country, countries } from '#contract/phone.ts';
import { listedAmount, priceOf } from '#contract/pricing.ts';
import type { PathStep } from '#contract/tickets.ts';
import { type CataloguedService, commissionRuleOf } from '#server/features/catalogue/store.ts';
import { makeUpPayments } from './made-up-payments.ts';

/** How much to make up. */
export interface Volume {
  users: number;
  tickets: number;
}

/** What hears of the progress, in French sentences. */
type Tell = (progress: string) => void;

interface Work {
  client: pg.PoolClient;
  count: number;
  /** The instant at which the made-up past ends. */
  now: string | undefined;
  tell: Tell;
}

const rowsPerBatch = 25_000;
/** With fewer final services a made-up catalogue is added, so that searches by path have something to choose from. */
const enoughServices = 1_000;
const inventedRoot = 'Services inventés';

/**
 * Adds made-up people, services, tickets, events and notifications to whatever the database holds, a batch of rows at a
 * time. On equal databases equal volumes give equal rows, but for what follows from the instant at which their past ends. The
 * ids of one call follow time. The people cannot sign in: their password is no hash.
 */
export async function makeUpData(pool: pg.Pool, { users, tickets }: Volume, tell: Tell = () => {}): Promise<void> {
  const client = await pool.connect();
  try {
    // No change is announced per row: caches of a database that fills like this are stale anyway.
    await client.query(
      "set guichet.quiet = 'on'; set statement_timeout = 0; set timezone = 'UTC'; set work_mem = '64MB'",
    );
    const { rows } = await client.query<{ now: string }>('select now()::text as now');
    const work = { client, now: rows[0]?.now, tell };
    await addCatalogue(work);
    await addPeople({ count: users, ...work });
    await addTickets({ count: tickets, ...work });
    await makeUpPayments(client);
    tell('Mise à jour des statistiques de la base.');
    await client.query('vacuum (analyze)');
  } finally {
    // Its settings and temporary tables go with the connection.
    client.release(true);
  }
}

/** SQL: a number from 0 to below 1 that looks random and is the same for the same row and `salt`. */
const chance = (row: string, salt: number) =>
  `((hashint8extended(${row}, ${salt}) & 9007199254740991) / 9007199254740992::float8)`;

const arrayOf = (list: readonly (string | number)[], type: 'text' | 'int' | 'float8') =>
  `${pg.escapeLiteral(`{${list.map((each) => JSON.stringify(each)).join()}}`)}::${type}[]`;

/** SQL: one of the list, by a number from 0 to below 1. */
const pick = (list: readonly string[], by: string) =>
  `(${arrayOf(list, 'text')})[1 + floor(${list.length} * ${by})::int]`;

/** Calls `write` with the first and the last number of each batch, and with what numbers the rows of `table` go on from. */
async function inBatches({ client, count, tell }: Work, table: 'users' | 'tickets', write: WriteBatch): Promise<void> {
  const { rows } = await client.query<{ highest: number }>(`select coalesce(max(id), 0) as highest from ${table}`);
  for (let made = 0; made < count; made += rowsPerBatch) {
    const to = Math.min(made + rowsPerBatch, count);
    await write(made + 1, to, rows[0]?.highest ?? 0);
    tell(`${frenchOf[table]} : ${to.toLocaleString('fr-FR')} sur ${count.toLocaleString('fr-FR')}.`);
  }
}
type WriteBatch = (from: number, to: number, base: number) => Promise<unknown>;
const frenchOf = { users: 'Personnes', tickets: 'Tickets' };

const firstNames = `Aïcha Issa Kouassi Fatoumata Moussa Aminata Ibrahim Mariam Ousmane Awa Adama Salimata Ramatou Élodie
  Seydou Kadiatou Yacouba Rokia Souleymane Nafissatou Boureima Bintou Cheick Djénéba Mamadou Safiatou Koffi Akissi Yao
  Affoué Komlan Afi Kossi Ablavi Sènami Dossou Ndèye Modou Khady Désiré Théophile Inès Hadiza Oumarou Zeïnabou`;
const lastNames = `Ouédraogo Kaboré N'Guessan Traoré Sawadogo Coulibaly Diallo Konaté Zongo Compaoré Ilboudo Touré Kinda
  Nikiéma Kouamé Koné Bamba Yéo Gbagbo Ouattara Keïta Sangaré Dembélé Maïga Sidibé Diarra Issoufou Mahamadou Garba Fall
  Adjovi Houénou Dossou-Yovo Gnassingbé Amégan Lawson Mensah Ndiaye Diop Sarr Sène Guèye Barry Bationo Tiendrébéogo`;

/** A country's share of the people, ten ways its mobile numbers begin, each with six more digits, and its operators. */
const plans: Record<Country['iso'], { share: number; starts: string; operators: string }> = {
  BF: { share: 0.3, starts: '70 71 72 74 75 76 60 64 65 54', operators: 'Orange, Moov, Telecel' },
  CI: { share: 0.22, starts: '0707 0708 0709 0747 0748 0505 0504 0544 0101 0142', operators: 'Orange, MTN, Moov' },
  ML: { share: 0.14, starts: '70 72 74 76 78 65 66 67 90 91', operators: 'Orange, Moov, Telecel' },
  NE: { share: 0.06, starts: '90 91 92 93 94 96 97 98 80 84', operators: 'Airtel, Zamani, Moov' },
  BJ: { share: 0.1, starts: '0197 0196 0195 0194 0166 0167 0161 0162 0190 0191', operators: 'MTN, Moov, Celtiis' },
  TG: { share: 0.06, starts: '90 91 92 93 96 97 98 99 70 79', operators: 'Yas, Moov' },
  SN: { share: 0.12, starts: '770 771 775 776 778 779 780 781 760 700', operators: 'Orange, Yas, Expresso' },
};
const starts = countries.flatMap(({ code, iso }) => plans[iso].starts.split(' ').map((start) => code + start));
const bounds = countries.map((_, at) => countries.slice(0, at).reduce((sum, { iso }) => sum + plans[iso].share, 0));

/** SQL: a mobile number in E.164; `country` is from 0 to below 1, `digits` to below ten million. */
function phoneOf(country: string, digits: string): string {
  const first = `10 * width_bucket(${country}, ${arrayOf(bounds, 'float8')}) - 9`;
  return `((${arrayOf(starts, 'text')})[${first} + ${digits} / 1000000] || lpad((${digits} % 1000000)::text, 6, '0'))`;
}

/** Over two years, ever more people a month. A number or address that is taken is left out. */
async function addPeople(work: Work): Promise<void> {
  await inBatches(work, 'users', (from, to, base) =>
    work.client.query(
      `insert into users (first_name, last_name, phone, email, password, is_guest, is_verified, country_code, created_at, updated_at)
       select case when is_guest then 'Invité' else first_name end, case when is_guest then '' else last_name end,
              case when is_guest then 'guest:' || md5('guest ' || n)::uuid else phone end,
              case when not is_guest and ${chance('n', 4)} < 0.25 then
                translate(lower(first_name || '.' || last_name), 'àâäçéèêëîïôöùûü''-', 'aaaceeeeiioouuu') || n || '@example.org'
              end,
              case when is_guest then null else '-' end, is_guest, is_verified,
              case when is_guest then '+226' else left(phone, 4) end, at, at
       from (
         select n, ${chance('n', 1)} < 0.02 as is_guest, ${chance('n', 1)} >= 0.1 as is_verified,
                ${pick(firstNames.split(/\s+/), chance('n', 2))} as first_name, ${pick(lastNames.split(/\s+/), `power(${chance('n', 3)}, 1.5)`)} as last_name,
                ${phoneOf(chance('n', 5), 'digits')} as phone,
                $5::timestamptz - interval '730 days' * (1 - power((n - $3 - ${chance('n', 6)}) / $4::float8, 0.7)) as at
         from generate_series($3::bigint + $1::int, $3 + $2::int) n
         -- Mixed so that no two of ten million share them.
         cross join lateral (select n * 6700417 % 10000000 as mixed) once
         cross join lateral (select (mixed % 1000 * 10000 + mixed / 1000) * 7368787 % 10000000 as digits) twice
       ) person
       order by n
       on conflict do nothing`,
      [from, to, base, work.count, work.now],
    ),
  );
}

interface MadeUpService {
  name: string;
  /** CFA francs; without one, a final service takes any amount. */
  price?: number;
  children?: MadeUpService[];
}

// Final services by the level they stand on, some with a price after a colon.
const ofOperators = {
  "Transfert d'argent": `Envoi national, Retrait sans carte, Paiement marchand, ${countries.map(({ name }) => `Envoi vers ${name}`).join()}`,
  'Recharge de crédit': `Crédit d'appel libre, Crédit d'appel 100 F: 100, Crédit d'appel 200 F: 200, Crédit d'appel 500 F: 500, Crédit d'appel 1000 F: 1000,
    Crédit d'appel 2000 F: 2000, Crédit d'appel 2500 F: 2500, Crédit d'appel 5000 F: 5000, Crédit d'appel 10000 F: 10000`,
  'Forfaits internet': `Forfait internet 1 jour 250 Mo: 150, Forfait internet 1 jour 1 Go: 300, Forfait internet nuit: 200,
    Forfait internet 3 jours 3 Go: 900, Forfait internet 7 jours 1 Go: 700, Forfait internet 7 jours 5 Go: 1500,
    Forfait internet 15 jours 8 Go: 3000, Forfait internet 30 jours 2 Go: 2000, Forfait internet 30 jours 10 Go: 5000,
    Forfait internet 30 jours 50 Go: 15000, Forfait internet illimité: 25000, Forfait internet week-end: 750`,
  'Forfaits appels et SMS': `Forfait appels 30 minutes: 300, Forfait appels 1 heure: 500, Forfait appels 5 heures: 2000, Forfait nuit: 200,
    Forfait week-end: 400, Forfait international: 2500, 50 SMS: 100, 200 SMS: 300, SMS illimités: 1000, Forfait jeunes: 250`,
};
const ofCountries = {
  Télévision: `Bouquet Access: 5000, Bouquet Évasion: 10000, Bouquet Tout Canal: 25000, Bouquet Sport: 8000, Bouquet Enfants: 3500,
    Décodeur: 15000, Cinéma à la demande: 1000, Bouquet Découverte: 2500`,
  Scolarité: `Frais d'inscription, Frais d'examen: 6000, Cantine scolaire: 12000, Bibliothèque: 2500, Transport scolaire: 9000,
    Cotisation des parents d'élèves: 3000, Fournitures scolaires, Bourse d'études`,
  Assurance: `Assurance automobile, Assurance moto: 7500, Assurance santé: 5000, Assurance voyage: 10000, Assurance récolte,
    Assurance bétail, Assurance obsèques: 1500, Assurance habitation: 4000`,
  'Banque et épargne': `Dépôt sur compte bancaire, Retrait d'un compte bancaire, Épargne libre, Épargne bloquée, Tontine: 10000,
    Remboursement de microcrédit, Carte prépayée: 3000, Relevé de compte: 250`,
  Santé: `Consultation à distance: 2000, Pharmacie, Analyses médicales, Carnet de vaccination: 500, Mutuelle: 3500, Maternité,
    Lunettes: 20000, Don de sang: 100`,
  'Taxes et démarches': `Timbre fiscal: 1500, Passeport: 50000, Carte d'identité: 2500, Extrait de naissance: 300, Patente,
    Casier judiciaire: 500, Amende routière, Vignette automobile: 12000`,
};
const ofFamilies = {
  "Facture d'électricité": 'SONABEL, CIE, EDM, NIGELEC, SBEE, CEET, Senelec',
  "Facture d'eau": "ONEA, SODECI, SOMAGEP, SEEN, SONEB, TdE, SEN'EAU",
  "Billet d'autocar": `Bobo-Dioulasso: 7000, Koudougou: 2500, Ouahigouya: 4000, Banfora: 8000, Yamoussoukro: 4500, Bouaké: 6000,
    Korhogo: 9000, San-Pédro: 7500, Sikasso: 7000, Ségou: 5000, Tombouctou: 20000, Zinder: 15000, Agadez: 18000, Porto-Novo: 1000,
    Parakou: 8000, Natitingou: 10500, Sokodé: 6500, Kara: 8000, Thiès: 2000, Saint-Louis: 5500, Ziguinchor: 11000`,
};
const ofRoot = `Assistance en ligne: 250, Journal du jour: 200, Météo agricole: 50, Prix du marché: 50, Sonnerie d'attente: 150,
  Jeu-concours: 100, Livraison de repas, Bouteille de gaz: 5500, Location de taxi, Conseil juridique: 5000, Petites annonces: 300`;
const roots = `Don solidaire (inventé), Cotisation du village (inventé), Loterie (inventée): 500, Appel de secours (inventé): 100`;

/** Some roots are final themselves; under one more root stand final services of each of the other four levels. */
function inventedCatalogue(): MadeUpService[] {
  const finals = (list: string): MadeUpService[] =>
    list.split(/,\s*/).map((each) => {
      const [name = '', price] = each.split(/:\s*/);
      return price ? { name, price: Number(price) } : { name };
    });
  const families = (lists: Record<string, string>, childrenOf: (list: string) => MadeUpService[]): MadeUpService[] =>
    Object.entries(lists).map(([name, list]) => ({ name, children: childrenOf(list) }));
  const byCountry = (childrenOf: (country: Country) => MadeUpService[]): MadeUpService[] =>
    countries.map((country) => ({ name: country.name, children: childrenOf(country) }));
  const byOperator = (list: string, { iso }: Country) =>
    plans[iso].operators.split(', ').map((name) => ({ name, children: finals(list) }));
  const children = [
    ...families(ofOperators, (list) => byCountry((country) => byOperator(list, country))),
    ...families(ofCountries, (list) => byCountry(() => finals(list))),
    ...families(ofFamilies, finals),
    ...finals(ofRoot),
  ];
  return [...finals(roots), { name: inventedRoot, children }];
}

/** Payment codes to a merchant number that no operator gives out. */
const templates = ['*144*10*00000000*{montant}#', '*555*4*1*00000000*XX#', '*880*00000000*{montant}*{beneficiaire}#'];

async function addCatalogue({ client, tell }: Pick<Work, 'client' | 'tell'>): Promise<void> {
  const { rows } = await client.query<{ finals: number; isThere: boolean }>(
    `select count(*) filter (where is_final_level)::int as finals, coalesce(bool_or(name = $1), false) as "isThere" from services`,
    [inventedRoot],
  );
  if (rows.some(({ finals, isThere }) => isThere || finals >= enoughServices)) return;
  await client.query('begin');
  await insertServices(client, inventedCatalogue());
  await client.query('commit');
  tell('Catalogue inventé ajouté.');
}

async function insertServices(client: pg.PoolClient, list: MadeUpService[], level = 1, parent?: number): Promise<void> {
  const { rows } = await client.query<{ id: number; name: string }>(
    `insert into services (name, parent_id, level, sort_order, is_final_level, price, allow_user_price_input, commission_type,
                           commission_value, phone_number)
     select name, $2, $3, place, is_final, price || ' FCFA', is_final and price is null,
            case when price is null then 'percentage' else 'fixed' end,
            case when not is_final then 0 when price is null then 0.5 * (1 + place % 4) else greatest(5, price / 40) end,
            case when is_final then ($4::text[])[1 + place % 3] end
     from rows from (jsonb_to_recordset($1) as (name text, price int, children jsonb)) with ordinality
          as each (name, price, children, place)
     cross join lateral (select children is null as is_final) kind
     order by place returning id, name`,
    [JSON.stringify(list), parent, level, templates],
  );
  for (const { name, children } of list)
    if (children) await insertServices(client, children, level + 1, rows.find((row) => row.name === name)?.id);
}

/** Every visible final service, the most asked for first: in no order that tells anything, but short paths early. */
async function listOffers(client: pg.PoolClient) {
  const { rows } = await client.query<CataloguedService>(
    `select id, name, price, level, parent_id as "parentId", is_final_level as "isFinalLevel", is_visible as "isVisible",
            allow_user_price_input as "allowUserPriceInput", commission_type as "commissionType",
            commission_value::float8 as "commissionValue", phone_number as "phoneNumber",
            (select coalesce(jsonb_agg(jsonb_build_object('minPrice', min_price, 'maxPrice', max_price, 'commissionType',
                      r.commission_type, 'commissionValue', r.commission_value) order by min_price), '[]')
             from commission_ranges r where service_id = s.id) as ranges
     from services s`,
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  const pathOf = (row: CataloguedService): CataloguedService[] => {
    const parent = known.get(row.parentId ?? 0);
    return parent ? [...pathOf(parent), row] : [row];
  };
  return rows
    .filter((row) => row.isFinalLevel && pathOf(row).every((step) => step.isVisible))
    .map((service) => {
      const path = pathOf(service).map(({ id, name, price, level }) => ({ id, name, price, level }));
      const names = path.map((step) => step.name).join('/');
      return { path, service, hash: createHash('sha256').update(names).digest().readUInt32BE() };
    })
    .sort((a, b) => a.hash * a.path.length - b.hash * b.path.length)
    .map(offerOf);
}

/** What a ticket may ask for: a path, and amounts in CFA francs with the commission on each. */
function offerOf({ path, service, hash }: { path: PathStep[]; service: CataloguedService; hash: number }) {
  const rule = commissionRuleOf(service);
  // From 100 to 200,000 francs, small amounts more often than large ones.
  const typed = Array.from({ length: 32 }, (_, i) => 5 * Math.round(20 * 2_000 ** (((hash + 29 * i) % 101) / 101)));
  const prices = (service.allowUserPriceInput ? typed : [listedAmount(path)]).map((amount) => priceOf(amount, rule));
  const template = service.phoneNumber?.replace(/\s/g, '').replaceAll('{service}', String(service.id)) ?? '';
  const isDialled = template !== '' && (!needsAmount(template) || prices.some((price) => price.total > 0));
  // For SQL's `format`, with the total and the beneficiary's national digits.
  const dial = template.replace(/XX|\{montant\}/g, '%1$$s').replaceAll('{beneficiaire}', '%2$$s');
  return {
    service: service.id,
    path,
    amounts: prices.map((price) => price.amount),
    commissions: prices.map((price) => price.commission),
    dial: isDialled ? dial : null,
  };
}

/** How much is asked for in each hour of the day, in UTC, which is also the time of most of the countries. */
const rhythm = [1, 1, 1, 1, 1, 2, 4, 7, 10, 12, 12, 11, 10, 9, 9, 10, 11, 12, 12, 11, 9, 6, 4, 2];
const rejectReasons = ['Paiement introuvable.', 'Numéro du bénéficiaire incorrect.', 'Demande en double.'];

/** The year up to now: tickets with times, people and services. The first few people are agents, who file for others. */
async function prepareTickets({ client, count, now }: Work) {
  const offers = await listOffers(client);
  await client.query(`
    create temp table offers (place int primary key, service int, path jsonb, amounts int[], commissions int[], dial text);
    create temp table people as
      select row_number() over (order by created_at, id)::int as place, id, phone, created_at
      from users where password = '-' and is_verified;
    create unique index on people (place); create index on people (created_at);
    analyze people`);
  await client.query(
    `insert into offers select row_number() over (), each.* from jsonb_to_recordset($1)
       as each (service int, path jsonb, amounts int[], commissions int[], dial text)`,
    [JSON.stringify(offers)],
  );
  await client.query(
    `create temp table hours as
     with hour as (
       select greatest(at, $2::timestamptz - interval '365 days') as opening, least(at + interval '1 hour', $2) as closing
       from generate_series(date_trunc('hour', $2::timestamptz - interval '365 days'), $2, interval '1 hour') at
     ), weighed as (
       select opening, closing, sum(
           (${arrayOf(rhythm, 'int')})[1 + extract(hour from opening)::int] * extract(epoch from closing - opening)
           * case when extract(isodow from opening) = 7 then 0.6 else 1 end
         ) over (order by opening)::float8 as weight
       from hour
     ), numbered as (
       select opening, closing, round($1::int * weight / max(weight) over ())::int as highest from weighed
     )
     select opening, closing, coalesce(lag(highest) over (order by opening), 0) + 1 as lowest, highest,
            coalesce((select place from people where created_at <= opening order by created_at desc limit 1), 1) as crowd
     from numbered`,
    [count, now],
  );
  await client.query('analyze offers; analyze hours');
}

async function addTickets(work: Work): Promise<void> {
  await prepareTickets(work);
  await inBatches(work, 'tickets', (from, to, base) =>
    work.client.query(
      `with known as (
         select (select count(*) / 500 + 1 from people) as agents, (select count(*)::int from offers) as services,
                (select array_agg(id order by id) from payment_types where is_active) as payment_ids,
                (select array_agg(name order by id) from payment_types where is_active) as payment_names,
                (select array_agg(id order by id) from users where is_admin) as admins
       ), drawn as (
         select $3::bigint + k as n, k / $4::float8 as progress, crowd,
                opening + (closing - opening) * ((k - lowest + ${chance('$3::bigint + k', 1)}) / (highest - lowest + 1)) as at
         from hours cross join lateral generate_series(greatest(lowest, $1::int), least(highest, $2::int)) k
         where lowest <= $2 and highest >= $1
       ), wished as (
         select n, at, least(floor(power(services + 1, ${chance('n', 2)}))::int, services) as offer,
                case when ${chance('n', 3)} < 0.01 then null
                     when ${chance('n', 3)} < 0.11 then 1 + floor(agents * power(${chance('n', 4)}, 2))::int
                     when ${chance('n', 5)} < 0.5 then 1 + floor(crowd * ${chance('n', 4)})::int
                     else 1 + floor(crowd * ${chance('n', 4)})::int / 4 * 4 end as person,
                case when ${chance('n', 6)} < 0.002 + 0.8 * power(greatest(progress, 0.5), 99) then 'pending'
                     when ${chance('n', 7)} < 0.091 then 'rejected' else 'approved' end as status,
                at + least(interval '1 minute' * (2 - 25 * ln(1 - ${chance('n', 8)})), ($5::timestamptz - at) * 0.9) as decided_at
         from drawn cross join known
       ), priced as (
         select wished.*, people.id as user_id, service, path, dial,
                amounts[variant] as amount, commissions[variant] as commission,
                case when ${chance('n', 9)} < 0.45 and people.phone is not null then people.phone
                     else ${phoneOf(chance('n', 10), 'digits')} end as beneficiary
         from wished join offers on offers.place = offer
         cross join lateral (
           select 1 + floor(cardinality(amounts) * ${chance('n', 11)})::int as variant,
                  floor(10000000 * ${chance('n', 15)})::int as digits
         ) numbers
         left join people on people.place = person
       ), filed as (
         insert into tickets (user_id, service_id, status, payment_type_id, payment_type_name, amount, commission, total_price,
                              service_path, beneficiary_phone_number, dial_code, reject_reason, idempotency_key, fingerprint,
                              created_at, updated_at)
         select user_id, service, status, payment_ids[payment], coalesce(payment_names[payment], 'Orange Money'),
                amount, commission, (amount + commission)::text, path, beneficiary,
                format(dial, amount + commission, substr(beneficiary, 5)),
                case when status = 'rejected' and ${chance('n', 13)} < 0.7 then ${pick(rejectReasons, chance('n', 14))} end,
                md5('key ' || n)::uuid, encode(sha256(('order ' || n)::bytea), 'hex'),
                at, case when status = 'pending' then at else decided_at end
         from priced cross join known
         cross join lateral (select 1 + floor(cardinality(payment_ids) * ${chance('n', 12)})::int as payment) paid
         order by n
         returning id, user_id, status, service_path, reject_reason, created_at, updated_at
       ), events as (
         insert into ticket_events (ticket_id, status, reason, actor_id, created_at)
         select * from (
           select id, 'pending', null, user_id, created_at as at from filed
           union all select id, status, reject_reason, admins[1 + floor(cardinality(admins) * ${chance('id', 17)})::int], updated_at
           from filed cross join known where status <> 'pending'
         ) event
         order by at, id
       )
       insert into notifications (user_id, related_ticket_id, type, title, message, is_read, created_at)
       select user_id, id, case status when 'approved' then 'success' else 'error' end,
              case status when 'approved' then 'Demande approuvée' else 'Demande rejetée' end,
              'Votre demande n°\u00a0' || id || ' (' || (service_path -> -1 ->> 'name') || ') a été '
                || case status when 'approved' then 'approuvée.' else 'rejetée.' || coalesce(' Motif : ' || reject_reason, '') end,
              ${chance('id', 16)} < 0.7, updated_at
       from filed where status <> 'pending' and user_id is not null
       order by updated_at, id`,
      [from, to, base, work.count, work.now],
    ),
  );
}
