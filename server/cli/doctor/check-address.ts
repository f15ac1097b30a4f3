import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import type pg from 'pg';
import { signInAsGuest } from '#contract/auth.ts';
import { conditions, dayInFrench } from '#server/features/alarms/conditions.ts';
import { answerMs, type Check, type Finding, type Patient, reasonOf } from './finding.ts';

/** For documentation alone (RFC 5737): no caller has it. */
const strangersAddress = '203.0.113.77';

interface Answer {
  status: number;
  body: string;
  date: number;
  /** With https: when the certificate ends, and why it would not be trusted. */
  endsAt: number | undefined;
  distrust: string | undefined;
}

/** Calls the product at the address that people type, whatever its certificate. */
async function call(origin: string): Promise<Answer> {
  const url = new URL(signInAsGuest.path, origin);
  const { request: open } = url.protocol === 'https:' ? https : http;
  const request = open(url, {
    method: signInAsGuest.method,
    rejectUnauthorized: false,
    agent: false,
    headers: { 'x-forwarded-for': strangersAddress, 'content-length': 0 },
    signal: AbortSignal.timeout(answerMs),
  });
  const responded = once(request, 'response') as Promise<[IncomingMessage]>;
  request.end();
  const [response] = await responded;
  const socket = response.socket as Partial<TLSSocket>;
  const validTo = socket.getPeerCertificate?.().valid_to;
  const distrust = socket.authorized === false ? String(socket.authorizationError) : undefined;
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  return {
    status: response.statusCode ?? 0,
    body,
    date: Date.parse(response.headers.date ?? ''),
    endsAt: validTo ? Date.parse(validTo) : undefined,
    distrust,
  };
}

/** Whether the answer's guest is in this very database; the guest is deleted again. */
async function isThisProduct({ body }: Answer, pool: pg.Pool): Promise<boolean> {
  try {
    const { id } = (JSON.parse(body) as { user: { id: number } }).user;
    const { rowCount } = await pool.query(
      "delete from users where id = $1 and is_guest and created_at > now() - interval '1 minute'",
      [Number(id)],
    );
    return rowCount === 1;
  } catch {
    return false;
  }
}

/** Whether an address that a caller made up was counted as theirs, which is forgotten again. */
async function believesStrangers(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query('delete from rate_limits where key like $1', [`%${strangersAddress}`]);
  return (rowCount ?? 0) > 0;
}

function lookAtCertificate({ endsAt, distrust }: Answer, host: string): Finding[] {
  if (endsAt === undefined) return [];
  const end = new Date(endsAt);
  const day = dayInFrench(end);
  const renew =
    'Renouvelez-le ; Caddy le fait de lui-même si le nom mène à cette machine et que le port 80 est ouvert.';
  if (endsAt < Date.now()) return [{ is: `Le certificat de ${host} a expiré le ${day}.`, mend: renew }];
  if (distrust)
    return [
      {
        is: `Les navigateurs ne font pas confiance au certificat de ${host} (${distrust}).`,
        mend: "Prenez-en un d'une autorité reconnue, avec ses certificats intermédiaires ; Caddy s'en charge.",
      },
    ];
  const is = `Le certificat de ${host} vaut jusqu'au ${day}.`;
  return [conditions.certificate.level({ end, now: new Date(), host }) ? { is, mend: renew } : { is }];
}

async function lookAtAnswer(answer: Answer, { environment, pool }: Patient): Promise<Finding[]> {
  const url = environment.PUBLIC_URL ?? '';
  if (!pool) return [];
  if (answer.status !== 200 || !(await isThisProduct(answer, pool)))
    return [
      {
        is: `${url} n'est pas servi par ce Guichet-ci (réponse ${answer.status}).`,
        mend: 'Vérifiez que le nom mène à cette machine, que le mandataire envoie au bon port, et que Guichet tourne.',
      },
    ];
  const apartMs = answer.date - Date.now();
  return [
    { is: `${url} est servi par ce Guichet-ci.` },
    conditions.clock.level({ apartMs, host: url })
      ? {
          is: `L'horloge de la machine qui sert ${url} diffère de celle-ci de ${Math.round(Math.abs(apartMs) / 1_000)} s.`,
          mend: "Mettez-les à l'heure : timedatectl set-ntp true.",
        }
      : { is: 'Les horloges concordent.' },
    (await believesStrangers(pool))
      ? {
          is: "Un visiteur peut se donner l'adresse qu'il veut par X-Forwarded-For, et échapper aux limites.",
          mend: 'Que le mandataire remplace cet en-tête, et que TRUST_PROXY ne nomme que lui.',
        }
      : { is: "Une adresse inventée par un visiteur n'est pas crue." },
  ];
}

export const checkAddress: Check = {
  title: 'Adresse publique',
  async look(patient) {
    const { PUBLIC_URL, TRUST_PROXY, NODE_ENV } = patient.environment;
    if (PUBLIC_URL === undefined)
      return NODE_ENV === 'production'
        ? [{ is: 'PUBLIC_URL manque.', mend: "Écrivez-y l'adresse que les gens tapent, en https." }]
        : [{ is: "PUBLIC_URL n'est pas réglé : Guichet n'est servi que sur cette machine." }];
    const { protocol, hostname, host } = new URL(PUBLIC_URL);
    const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
    const findings: Finding[] = [];
    if (protocol === 'http:' && !isLocal)
      findings.push({
        is: `${PUBLIC_URL} n'est pas chiffré : mots de passe et codes passent en clair.`,
        mend: 'Mettez un mandataire avec TLS devant (ops/caddy/Caddyfile) et une adresse en https.',
      });
    // The product itself speaks no TLS.
    if (protocol === 'https:' && TRUST_PROXY === undefined)
      findings.push({
        is: 'TRUST_PROXY manque : derrière le mandataire, tous les visiteurs comptent comme une seule adresse.',
        mend: 'TRUST_PROXY=127.0.0.1 si le mandataire est sur cette machine, sinon son adresse.',
      });
    try {
      const answer = await call(PUBLIC_URL);
      return [...findings, ...lookAtCertificate(answer, host), ...(await lookAtAnswer(answer, patient))];
    } catch (error) {
      const mend =
        'Vérifiez que le nom mène à cette machine, que ses ports 80 et 443 sont ouverts et que le mandataire tourne.';
      return [...findings, { is: `${PUBLIC_URL} ne répond pas (${reasonOf(error)}).`, mend }];
    }
  },
};
