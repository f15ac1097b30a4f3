import { isSafeToDial, placeholderMerchant } from '#contract/dial-code.ts';
import { isPriceUnreadable } from '#contract/money.ts';
import { addressesOf } from '#server/process/database-url.ts';
import type { Environment } from '#server/process/environment.ts';
import type { Check, Finding } from './finding.ts';

/** What settings that can all be read still leave open. */
export const checkSettings: Check = {
  title: 'Réglages',
  async look({ environment, pool }) {
    const { ADMIN_PASSWORD, ALARM_PHONE, ALARM_WEBHOOK, METRICS_PORT, METRICS_HOST, NODE_ENV } = environment;
    const findings: Finding[] = [];
    const { rows = [] } = ADMIN_PASSWORD && pool ? await pool.query('select from users where is_admin limit 1') : {};
    if (rows.length > 0)
      findings.push({
        is: "ADMIN_PASSWORD est encore là, en clair, alors que l'administrateur existe.",
        mend: "Supprimez-en la ligne : il ne sert qu'au premier démarrage.",
      });
    if (METRICS_PORT !== undefined && ['0.0.0.0', '::'].includes(METRICS_HOST))
      findings.push({
        is: `METRICS_HOST=${METRICS_HOST} montre les mesures, sans mot de passe, à qui atteint le port ${METRICS_PORT}.`,
        mend: "METRICS_HOST=127.0.0.1, ou l'adresse du réseau d'où Prometheus les lit.",
      });
    if (NODE_ENV !== 'production') return findings;
    if (ALARM_PHONE.length === 0 && ALARM_WEBHOOK === undefined)
      findings.push({
        is: "Ni ALARM_PHONE ni ALARM_WEBHOOK n'est réglé : personne n'apprend ce qui ne va pas sans ouvrir le tableau de bord.",
        mend: 'Réglez ALARM_PHONE, ALARM_WEBHOOK, ou les deux.',
      });
    for (const host of listOpenHosts(environment))
      findings.push({
        is: `La connexion à PostgreSQL sur ${host} n'a pas à être chiffrée : DATABASE_URL ne le demande pas.`,
        mend: "Ajoutez ?sslmode=verify-full à DATABASE_URL, et le certificat à PostgreSQL s'il n'en a pas.",
      });
    return findings;
  },
};

/** Servers elsewhere to which rows may travel as they are. A name without a dot is of a network of containers. */
function listOpenHosts({ DATABASE_URL }: Environment): string[] {
  if (DATABASE_URL === undefined) return [];
  return addressesOf(DATABASE_URL).flatMap((address) => {
    const { hostname, searchParams } = new URL(address);
    const host = searchParams.get('host') ?? decodeURIComponent(hostname);
    const isNear = !/[.:]/.test(host) || host.startsWith('/') || /^(?:127\.|\[?::1\]?$)/.test(host);
    const isEncrypted = /^(?:require|verify-ca|verify-full)$/.test(searchParams.get('sslmode') ?? '');
    return isNear || isEncrypted || searchParams.get('ssl') === 'true' ? [] : [host];
  });
}

export const checkCatalogue: Check = {
  title: 'Catalogue',
  async look({ environment, pool }) {
    if (!pool) return [];
    const { rows } = await pool.query<{ name: string }>(
      `select name from (
         select name, 1 as place, id from services where strpos(phone_number, $1) > 0
         union all select p.name, 2, d.id from dial_templates d join payment_types p on p.id = d.payment_type_id
         where d.merchant = $1 and p.is_active) codes
       order by place, id`,
      [placeholderMerchant],
    );
    const [first] = rows;
    if (!first) return [{ is: "Aucun code ne porte le numéro de marchand du catalogue d'exemple." }];
    const whose =
      rows.length === 1
        ? `Le code de « ${first.name} » porte`
        : `Les codes de ${rows.length} services et types de paiement, dont « ${first.name} », portent`;
    const is = `${whose} le numéro de marchand d'exemple ${placeholderMerchant}.`;
    const mend =
      'Mettez-y le vôtre, dans Administration, Services et Paiements : autrement personne ne reçoit ce que les gens paient.';
    return environment.NODE_ENV === 'production' ? [{ is, mend }] : [{ is }];
  },
};

/** What is stored since before it was refused: nothing is given or ordered by it. */
export const checkUnusable: Check = {
  title: 'Codes et prix',
  async look({ pool }) {
    if (!pool) return [];
    const { rows } = await pool.query<{ name: string; code: string | null; price: string | null }>(
      `select name, phone_number as code, price from services
       union all select p.name, d.template, null from dial_templates d join payment_types p on p.id = d.payment_type_id`,
    );
    const unsafe = rows.filter(({ code }) => code && !isSafeToDial(code));
    const unpriced = rows.filter(({ price }) => isPriceUnreadable(price));
    const findings: Finding[] = [];
    if (unsafe.length > 0)
      findings.push({
        is: `Des codes ne sont ceux d'aucun portefeuille, et ne sont donnés à personne : ${namesOf(unsafe)}.`,
        mend: 'Corrigez-les dans Administration, Services et Paiements : jamais un code du réseau ou du téléphone.',
      });
    if (unpriced.length > 0)
      findings.push({
        is: `Des prix ne peuvent pas être lus, et rien ne se commande à ces prix : ${namesOf(unpriced)}.`,
        mend: 'Corrigez-les dans Administration, Services, par exemple « 1 500 FCFA ».',
      });
    return findings.length > 0 ? findings : [{ is: 'Tous peuvent être composés, et lus.' }];
  },
};

const namesOf = (rows: { name: string }[]) =>
  rows
    .slice(0, 5)
    .map(({ name }) => `« ${name} »`)
    .join(', ') + (rows.length > 5 ? `, et ${rows.length - 5} autres` : '');

/** A hint, and no fault: a product without a contact works, and its screens say that there is none. */
export const checkContact: Check = {
  title: 'Contact',
  async look({ pool }) {
    if (!pool) return [];
    const { rows } = await pool.query("select from contact_settings where concat(whatsapp, phone, email) <> ''");
    const is =
      rows.length > 0
        ? '« Nous contacter » mène à vous.'
        : '« Nous contacter » ne mène à personne : donnez votre WhatsApp, votre téléphone ou votre e-mail dans Administration, Paramètres, Contact.';
    return [{ is }];
  },
};
