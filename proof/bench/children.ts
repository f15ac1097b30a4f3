import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Stage } from './stage.ts';

export interface Child {
  pid: number;
  send(message: object): void;
  /** Its next message. Throws when it ends before. */
  hear<M>(): Promise<M>;
}

/** Starts another process of the bench's, in production mode. It ends with the bench. */
export function startChild({ ends }: Stage, file: string, environment: Record<string, string> = {}): Child {
  const child = fork(file, {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    execArgv: [],
    serialization: 'advanced',
  });
  ends.add(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid as number,
    send: (message) => void child.send(message),
    hear: <M>() =>
      new Promise<M>((resolve, reject) => {
        const ended = (code: number | null) => reject(new Error(`${file} ended with ${code}`));
        child.once('exit', ended);
        child.once('message', (message) => {
          child.off('exit', ended);
          resolve(message as M);
        });
      }),
  };
}

/**
 * Seconds of processor time that a process took so far, by Linux's count in hundredths (proc_pid_stat(5), utime and stime), if
 * wanted with that of the children it had and that have ended (cutime and cstime).
 */
export function cpuSeconds(pid: number, { withEnded = false } = {}): number {
  const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const fields = rest.split(' ').slice(11, withEnded ? 15 : 13);
  return fields.reduce((sum, hundredths) => sum + Number(hundredths), 0) / 100;
}

/** Megabytes (2^20) of memory that a process has in use now. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = 'nothing'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

/** The processes that this one started and that live. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}
