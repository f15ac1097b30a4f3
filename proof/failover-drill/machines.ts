import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ends } from '../bench/stage.ts';

const bridge = 'guichet-drill';
const network = '10.213.7';
/** Where the drill itself, the proxies and the product are. */
export const ownAddress = `${network}.1`;
/** A service manager starts again what ended, after so long. */
const restartMs = 2_000;

const ip = (...words: string[]) => execFileSync('ip', words, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });

/** Removes what may be left of a drill that was killed. */
function sweep(kind: 'link' | 'netns', name: string): void {
  try {
    ip(kind, 'del', name);
  } catch {
    // Nothing is left.
  }
}

export interface Service {
  name: string;
  command: string[];
  env?: Record<string, string>;
}

/** A machine of its own as far as the network goes: a network namespace of Linux, with a cable to a bridge. */
export class Machine {
  readonly name: string;
  readonly address: string;
  /** Of all machines: each has its own in it. */
  readonly folder: string;
  readonly #services: Service[] = [];
  readonly #running = new Map<string, ChildProcess>();
  /** Services that nobody starts again for now. */
  readonly #held = new Set<string>();
  #isUp = true;

  constructor(name: string, number: number, folder: string) {
    this.name = name;
    this.address = `${network}.${10 + number}`;
    this.folder = folder;
    sweep('link', this.#cable);
    sweep('netns', this.#space);
    ip('netns', 'add', this.#space);
    ip('link', 'add', this.#cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.#space);
    ip('link', 'set', this.#cable, 'master', bridge, 'up');
    this.#inside('addr', 'add', `${this.address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) this.#inside('link', 'set', device, 'up');
  }

  get #space() {
    return `guichet-drill-${this.name}`;
  }

  get #cable() {
    return `gdrill-${this.name}`;
  }

  #inside(...words: string[]) {
    ip('-n', this.#space, ...words);
  }

  /** Starts a service, and again whenever it ends, as long as the machine is up. */
  serve(service: Service): void {
    this.#services.push(service);
    this.#start(service);
  }

  #start(service: Service): void {
    const output = openSync(path.join(this.folder, `${this.name}-${service.name}.log`), 'a');
    const command = ['netns', 'exec', this.#space, 'setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
    const child = spawn('ip', [...command, ...service.command], {
      cwd: this.folder,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', HOME: this.folder, ...service.env },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.#running.set(service.name, child);
    child.once('exit', async () => {
      this.#running.delete(service.name);
      await pause(restartMs);
      if (this.#isUp && !this.#held.has(service.name) && !this.#running.has(service.name)) this.#start(service);
    });
  }

  /** The processes of the machine now. */
  get pids(): number[] {
    return ip('netns', 'pids', this.#space).split('\n').filter(Boolean).map(Number);
  }

  /** Ends everything on it at once, as a cut of its power. */
  async crash(): Promise<void> {
    this.#isUp = false;
    const ends = [...this.#running.values()].map((child) => once(child, 'exit'));
    // What is about to be forked escapes the first look.
    for (let pids = this.pids; pids.length > 0; pids = this.pids) {
      for (const pid of pids) kill(pid);
      await pause(10);
    }
    await Promise.all(ends);
  }

  boot(): void {
    this.#isUp = true;
    this.#held.clear();
    for (const service of this.#services) if (!this.#running.has(service.name)) this.#start(service);
  }

  /** Ends a service alone, with what it started or not; nobody starts it again before `release`, unless told so. */
  async kill(name: string, { hold = true }: { hold?: boolean } = {}): Promise<void> {
    const child = this.#running.get(name);
    if (hold) this.#held.add(name);
    if (!child?.pid) return;
    const ended = once(child, 'exit');
    kill(child.pid);
    await ended;
  }

  release(name: string): void {
    this.#held.delete(name);
    const service = this.#services.find((each) => each.name === name);
    if (service && !this.#running.has(name)) this.#start(service);
  }

  /** Pulls the cable: what is sent to it or by it is lost, and nobody is told. */
  cut(): void {
    ip('link', 'set', this.#cable, 'nomaster');
  }

  mend(): void {
    ip('link', 'set', this.#cable, 'master', bridge);
  }

  async remove(): Promise<void> {
    await this.crash();
    // A namespace takes its cable along only some time after its end.
    sweep('link', this.#cable);
    sweep('netns', this.#space);
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

/** Lays the network between machines, and these on it. All of it ends with the drill. */
export function layMachines(names: readonly string[], folder: string, ends: Ends): Machine[] {
  sweep('link', bridge);
  ip('link', 'add', bridge, 'type', 'bridge');
  ends.add(() => sweep('link', bridge));
  ip('addr', 'add', `${ownAddress}/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  return names.map((name, index) => {
    const machine = new Machine(name, index + 1, folder);
    ends.add(() => machine.remove());
    return machine;
  });
}
