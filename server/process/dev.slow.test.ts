import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { cleanUp, createDataFolder, findFreePort, postgresPid } from '#server/testing/server-process.ts';

/** Whole processes start here, on machines that may be busy. */
vi.setConfig({ testTimeout: 240_000 });
afterAll(cleanUp);

/** Whether something listens on a port of this machine. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect({ port, host: 'localhost' });
    probe.once('connect', () => resolve(true)).once('error', () => resolve(false));
    probe.once('connect', () => probe.destroy());
  });
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'npm run dev, told to end by %s, leaves neither server, nor Vite, nor PostgreSQL behind',
  async (signal) => {
    const folder = createDataFolder();
    const port = await findFreePort();
    const root = path.resolve(import.meta.dirname, '../..');
    const dev = spawn(process.execPath, ['scripts/dev.mjs'], {
      cwd: root,
      env: { ...process.env, DATA_DIR: folder, PORT: String(port), DATABASE_URL: '', NO_COLOR: '1', NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    dev.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const vitePort = await eventually(
      () => {
        const [, found] = /localhost:(\d+)\/\s/.exec(said) ?? [];
        if (!found || !said.includes('Guichet est prêt')) throw new Error(`not both ready yet: ${said}`);
        return Number(found);
      },
      { withinMs: 180_000 },
    );
    expect([await listens(port), await listens(vitePort)]).toEqual([true, true]);
    expect(postgresPid(folder)).toBeGreaterThan(0);

    const ended = once(dev, 'close');
    dev.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect([await listens(port), await listens(vitePort)]).toEqual([false, false]);
    // PostgreSQL removes its pid file when it has stopped in order.
    expect(postgresPid(folder)).toBeUndefined();
  },
);
