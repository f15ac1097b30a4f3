import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { topics } from '#contract/topics.ts';
import type { TestApi, TestClient, TestResponse } from './test-api.ts';

export interface TopicListener {
  /** The topics that are announced while something is done, each once; each must be one of the contract's. */
  during(work: () => Promise<unknown>): Promise<string[]>;
  /** The topics that a call with this status announces. */
  of(status: number, call: () => Promise<TestResponse>): Promise<string[]>;
}

const words = topics.map((topic) =>
  topic.replace(/\{(?:\w+Id|id)\}/, '(?:\\d+|\\*)').replace('{sid}', '(?:[0-9a-f]{64}|\\*)'),
);
const oneOfTheContract = expect.stringMatching(new RegExp(`^(?:${words.join('|')})$`));

/** Reads which changes the tests' database announces. */
export function hearTopics({ pool }: Pick<TestApi, 'pool'>): TopicListener {
  async function during(work: () => Promise<unknown>): Promise<string[]> {
    const { rows: before } = await pool.query<{ now: string }>('select pg_current_snapshot()::text as now');
    await work();
    const { rows } = await pool.query<{ topic: string }>(
      'select distinct topic from changes where not pg_visible_in_snapshot(xid, $1) order by topic',
      [before[0]?.now],
    );
    const announced = rows.map(({ topic }) => topic);
    expect(announced).toEqual(announced.map(() => oneOfTheContract));
    return announced;
  }
  return {
    during,
    of: (status, call) => during(async () => expect((await call()).status).toBe(status)),
  };
}

/** The primary key of a caller's session. */
export const sidOf = (client: TestClient): string =>
  createHash('sha256')
    .update(client.cookies.get('guichet_session') ?? '')
    .digest('hex');
