import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Closed, Load, Open, Outcome, Task } from './generator.ts';

/** What has to end with a bench, however it ends: servers, databases, processes, folders. */
export type Ends = AsyncDisposableStack;

/** Starts another process of the bench's, in production mode. It ends with the bench. */
export function startChild(ends: Ends, file: string, environment: Record<string, string> = {}) {
  const child = fork(file, {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    execArgv: [],
    serialization: 'advanced',
  });
  ends.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid as number,
    send: (message: object) => void child.send(message),
    /** Its next message. Throws when it ends before. */
    hear: <Message>() =>
      new Promise<Message>((resolve, reject) => {
        const ended = (code: number | null) => reject(new Error(`${file} ended with ${code}`));
        child.once('exit', ended);
        child.once('message', (message) => {
          child.off('exit', ended);
          resolve(message as Message);
        });
      }),
  };
}

/** Starts a process that sends requests, so that it shares no event loop with what it measures; for one task at a time. */
export function startGenerator(ends: Ends) {
  const child = startChild(ends, path.join(import.meta.dirname, 'generator.ts'));
  const ask = (task: Task) => {
    child.send(task);
    return child.hear<Outcome>();
  };
  return {
    load: (load: Load) => child.send({ load } satisfies Task),
    closed: (closed: Closed) => ask({ closed }),
    open: (open: Open) => ask({ open }),
  };
}
export type Generator = ReturnType<typeof startGenerator>;

/** Seconds of processor time that a process took so far, which Linux counts in hundredths (proc_pid_stat(5), utime and stime). */
export function cpuSeconds(pid: number): number {
  const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const [user, system] = rest.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

/** Looks at a process until it is asked for the megabytes (2^20) of memory that it had in use at most. */
export function watchMemory(pid: number): () => number {
  let most = 0;
  const look = () => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    most = Math.max(most, Number(kilobytes) / 1_024);
  };
  const timer = setInterval(look, 100);
  return () => {
    clearInterval(timer);
    look();
    return most;
  };
}
