import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';

/** Whether a process is there. */
const lives = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  'a run of the tests that is told to end by %s leaves no PostgreSQL behind',
  async (signal, code) => {
    const setup = pathToFileURL(path.join(import.meta.dirname, 'global-setup.ts')).href;
    const program = `
    import pg from 'pg';
    const { default: setUp } = await import(${JSON.stringify(setup)});
    let server;
    await setUp({ provide: (_, given) => { server = given; } });
    const client = new pg.Client({ ...server, database: 'postgres' });
    await client.connect();
    const { rows } = await client.query("select split_part(pg_read_file('postmaster.pid'), E'\\\\n', 1) as pid");
    await client.end();
    console.log('postmaster ' + rows[0].pid);
    setInterval(() => {}, 1_000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const ended = once(child, 'close');
    const pid = await eventually(() => {
      const [, found] = /postmaster (\d+)/.exec(said) ?? [];
      if (!found) throw new Error(`not there yet: ${said}`);
      return Number(found);
    });
    expect(lives(pid)).toBe(true);
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
    // It is there as long as nobody has asked how it ended, and whoever does takes their time on a busy machine.
    await eventually(() => expect(lives(pid)).toBe(false));
  },
  120_000,
);
