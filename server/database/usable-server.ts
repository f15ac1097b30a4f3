import type pg from 'pg';
import { CannotStart } from '#server/process/cannot-start.ts';
import { DatabaseClient, sqlState } from './connect.ts';
import { databaseLimits } from './limits.ts';

/** The oldest PostgreSQL that the migrations run on, as `server_version_num` writes it. */
const oldestVersion = 150_000;

/** Throws `CannotStart` where this server cannot be used: the one thing to change, never with the password. */
export async function requireUsableServer(url: string): Promise<void> {
  const client = new DatabaseClient({
    connectionString: url,
    connectionTimeoutMillis: databaseLimits.connectAtStartMs,
  });
  try {
    await client.connect();
    await requireVersionAndRights(client, url);
  } catch (error) {
    throw asSentence(error, url);
  } finally {
    await client.end().catch(() => {});
  }
}

async function requireVersionAndRights(client: pg.Client, url: string): Promise<void> {
  const { name, user } = partsOf(url);
  const { rows } = await client.query<{
    version: number;
    release: string;
    encoding: string;
    creates: boolean;
    trigrams: boolean;
  }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as release,
            current_setting('server_encoding') as encoding,
            has_database_privilege(current_database(), 'create')
              and coalesce(has_schema_privilege(to_regnamespace('public'), 'create'), true) as creates,
            exists (select from pg_available_extensions where name = 'pg_trgm') as trigrams`,
  );
  const [server] = rows;
  if (!server) return;
  if (server.version < oldestVersion)
    throw new CannotStart(
      `Le serveur de DATABASE_URL est PostgreSQL ${server.release} : Guichet demande la version ${oldestVersion / 10_000} ou une plus récente.`,
    );
  if (server.encoding !== 'UTF8')
    throw new CannotStart(
      `La base de données « ${name} » de DATABASE_URL est en ${server.encoding} : créez-en une en UTF8 (create database … encoding 'UTF8' template template0).`,
    );
  if (!server.creates)
    throw new CannotStart(
      `Le compte « ${user} » de DATABASE_URL ne peut pas créer de tables dans la base « ${name} » : faites-en le propriétaire (alter database … owner to …).`,
    );
  if (!server.trigrams)
    throw new CannotStart(
      "Il manque l'extension pg_trgm au serveur de DATABASE_URL : installez les modules complémentaires de PostgreSQL (postgresql-contrib).",
    );
}

/** The cause of a failure to use the server of `DATABASE_URL`, for the operator. */
export function asSentence(error: unknown, url: string): Error {
  if (error instanceof CannotStart) return error;
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { host, port, name, user } = partsOf(url);
  const at = `${host}:${port}`;
  const said = first instanceof Error ? first.message : String(first);
  const { code = '' } = first as { code?: string };
  const state = sqlState(first) ?? code;
  const causes: [boolean, string][] = [
    [
      /^28/.test(state) || /password authentication failed|SASL|no such user/.test(said),
      `le compte « ${user} » ou son mot de passe est refusé`,
    ],
    [state === '3D000' || /no such database/.test(said), `il n'y a pas de base « ${name} » sur ce serveur`],
    [state === '25006', "ce serveur n'accepte que de lire : indiquez celui qui écrit"],
    [state === 'ENOTFOUND' || state === 'EAI_AGAIN', `le nom « ${host} » ne désigne aucune machine connue`],
    [state === 'ECONNREFUSED' || state === 'ENOENT', `aucun serveur n'écoute sur ${at}`],
    [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/.test(state) || /timeout/.test(said), `${at} ne répond pas`],
  ];
  const [, cause] = causes.find(([holds]) => holds) ?? [true, said];
  return new CannotStart(`La base de données de DATABASE_URL ne peut pas être utilisée : ${cause}.`, { cause: error });
}

/** A socket's folder stands in the query. */
function partsOf(url: string) {
  const { hostname, port, pathname, username, searchParams } = new URL(url);
  const user = decodeURIComponent(username);
  return {
    host: searchParams.get('host') ?? hostname,
    port: port || '5432',
    user,
    name: decodeURIComponent(pathname.slice(1)) || user,
  };
}
