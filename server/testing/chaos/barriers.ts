import type { Fixture } from './fixture.ts';
import type { Barrier } from './journal.ts';
import type { PollingClient } from './polling-client.ts';

/** How a right ends. */
const kinds = ['signed out', 'deactivated', 'deactivated by hand', 'session ended by hand', 'demoted by hand'] as const;

interface EndingGate extends Barrier {
  kind: (typeof kinds)[number];
  userId: number;
}

/** Somebody new for each way in which a right can end, whom all processes let in. */
export async function makeBarriers(world: Fixture): Promise<EndingGate[]> {
  return Promise.all(
    kinds.map(async (kind): Promise<EndingGate> => {
      const isAdmin = kind === 'demoted by hand';
      const { id, cookie } = await world.createPerson({ isAdmin });
      return {
        kind,
        userId: id,
        name: kind,
        cookie,
        url: isAdmin ? '/api/admin/pending-tickets' : `/api/tickets/user/${id}`,
        after: isAdmin ? 403 : 401,
        askedAt: Number.POSITIVE_INFINITY,
        endedAt: Number.POSITIVE_INFINITY,
        through: undefined,
        closedAt: new Set(),
        openAt: new Set(),
      };
    }),
  );
}

interface Tools {
  world: Fixture;
  clients: PollingClient[];
  choose(): number;
}

/** Ends each right, through a process by chance or by hand; resolves when all that is acknowledged. */
export async function endRights(gates: EndingGate[], { world, clients, choose }: Tools): Promise<void> {
  await Promise.all(
    gates.map(async (gate) => {
      gate.askedAt = performance.now();
      const sql = {
        'deactivated by hand': 'update users set is_verified = false, deactivated_at = now() where id = $1',
        'session ended by hand': 'delete from sessions where user_id = $1',
        'demoted by hand': 'update users set is_admin = false where id = $1',
        'signed out': undefined,
        deactivated: undefined,
      }[gate.kind];
      if (sql) await world.byHand(sql, [gate.userId]);
      else gate.through = await endThroughApi(gate, { world, clients, choose });
      gate.endedAt = performance.now();
    }),
  );
}

/** Tries until it is acknowledged; answers by which process. */
async function endThroughApi({ kind, userId, cookie }: EndingGate, { world, clients, choose }: Tools): Promise<number> {
  for (;;) {
    const process = choose();
    const answer =
      kind === 'signed out'
        ? await clients[process]?.write('POST', '/api/auth/signout', cookie)
        : await clients[process]?.write('PATCH', `/api/admin/users/${userId}/deactivate`, world.admin.cookie);
    if (answer?.status === 200) return process;
    if (answer && answer.status !== 0 && answer.status !== 503)
      throw new Error(`${kind}: answered ${answer.status} ${JSON.stringify(answer.body)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
