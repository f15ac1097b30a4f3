import { createHash } from 'node:crypto';
import { expect, vi } from 'vitest';
import { topics } from '#contract/topics.ts';
import type { TestApi, TestClient, TestResponse } from './test-api.ts';

export interface TopicListener {
  /** The topics that are announced while something is done; each must be one of the contract's. */
  during(work: () => Promise<void>): Promise<string[]>;
  /** The topics that a call with this status announces. */
  of(status: number, call: () => Promise<TestResponse>): Promise<string[]>;
  stop(): void;
}

const words = topics.map((topic) => topic.replace(/\{\w+Id\}/, '\\d+').replace('{sid}', '[0-9a-f]{64}'));
const oneOfTheContract = expect.stringMatching(new RegExp(`^(?:${words.join('|')})$`));

/** Listens to the changes of the tests' database. Stop it before the API is closed. */
export async function hearTopics({ pool }: TestApi): Promise<TopicListener> {
  const heard: string[] = [];
  let marks = 0;
  const listener = await pool.connect();
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await listener.query('listen guichet_changes');

  /** A topic of the test's own: once it is heard, so is all that was committed before it. Answers where it stands. */
  async function mark(): Promise<number> {
    marks += 1;
    const topic = `mark:${marks}`;
    await pool.query("select pg_notify('guichet_changes', $1)", [topic]);
    await vi.waitFor(() => expect(heard).toContain(topic), { timeout: 5_000, interval: 5 });
    return heard.indexOf(topic);
  }

  async function during(work: () => Promise<void>): Promise<string[]> {
    const start = await mark();
    await work();
    const announced = heard.slice(start + 1, await mark());
    expect(announced).toEqual(announced.map(() => oneOfTheContract));
    return announced;
  }

  return {
    during,
    of: (status, call) => during(async () => expect((await call()).status).toBe(status)),
    stop: () => listener.release(true),
  };
}

/** The primary key of a caller's session. */
export const sidOf = (client: TestClient): string =>
  createHash('sha256')
    .update(client.cookies.get('guichet_session') ?? '')
    .digest('hex');
