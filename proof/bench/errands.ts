import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import type { Product } from '../../e2e/product.ts';
import { signInAdministrator } from './administrator.ts';
import type { Stage } from './stage.ts';

/** What became of the errands: how many rounds, and what failed, by errand and reason. */
export interface Errands {
  rounds: number;
  failed: Record<string, number>;
}

const pauseMs = 200;
/** A backup, a command of its own beside the product, once in so many rounds. */
const roundsPerBackup = 60;

/**
 * Everything that people and administrators do beside polls, tickets and decisions: sign up, forget a password, look around
 * as a guest, edit the catalogue with pictures, pages and the background, search, export, import, back up. One after the
 * other, over and over, until the answered function is called.
 */
export async function startErrands({ ends }: Stage, product: Product, folder: string): Promise<() => Promise<Errands>> {
  const admin = await signInAdministrator(product);
  const photo = await sharp({
    create: { width: 3000, height: 2000, channels: 3, background: '#0b6b3a', noise: { type: 'gaussian', sigma: 30 } },
  })
    .jpeg()
    .toBuffer();
  const backups = mkdtempSync(path.join(os.tmpdir(), 'guichet-errands-'));
  ends.add(() => rmSync(backups, { recursive: true, force: true }));
  const outcome: Errands = { rounds: 0, failed: {} };
  let ended = false;

  const call = async (method: string, url: string, { cookie = '', body }: { cookie?: string; body?: object } = {}) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(product.url + url, {
      method,
      headers: { cookie, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url.split('?')[0]?.replace(/\d+/g, 'N')}: ${answer.status}`);
    const cookies = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
    return { text, cookie: cookies.join('; '), json: () => JSON.parse(text) as Record<string, never> };
  };
  const asAdmin = (method: string, url: string, body?: object) =>
    call(method, url, { cookie: admin, ...(body && { body }) });
  const withImage = (field: string, data?: object) => {
    const form = new FormData();
    if (data) form.append('data', JSON.stringify(data));
    form.append(field, new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg');
    return form;
  };

  const errands: Record<string, (round: number) => Promise<unknown>> = {
    async 'sign-up, sign-out and a forgotten password'(round) {
      const phone = `+22655${String(round).padStart(6, '0')}`;
      const password = 'un mot de passe';
      const names = { firstName: 'Awa', lastName: 'Traoré', countryCode: '+226' };
      const flow = await call('POST', '/api/auth/signup', {
        body: { ...names, phone, password, confirmPassword: password },
      });
      const verified = { phone, code: await product.readCode(phone) };
      const { cookie } = await call('POST', '/api/auth/verify-otp', { cookie: flow.cookie, body: verified });
      await call('GET', '/api/auth/me', { cookie });
      await call('POST', '/api/auth/signout', { cookie });
      const reset = await call('POST', '/api/auth/forgot-password', { body: { phoneOrEmail: phone } });
      const exchanged = { phone, code: await product.readCode(phone) };
      const right = await call('POST', '/api/auth/verify-reset-otp', { cookie: reset.cookie, body: exchanged });
      const { token } = right.json();
      const newPassword = `${password} neuf`;
      await call('POST', '/api/auth/reset-password', { body: { newPassword, confirmPassword: newPassword, token } });
      await call('POST', '/api/auth/signin', { body: { phoneOrEmail: phone, password: newPassword } });
    },
    async 'a guest'() {
      const { cookie } = await call('POST', '/api/auth/guest');
      for (const url of ['/', '/api/catalogue', '/api/payment-types', '/api/content-pages/conditions-utilisation'])
        await call('GET', url, { cookie });
      await call('POST', '/api/auth/signout', { cookie });
    },
    async 'a service with its picture'(round) {
      const data = { name: `Service ${round}`, level: 1 };
      const { id } = (await asAdmin('POST', '/api/services', withImage('image', data))).json();
      await asAdmin('PUT', `/api/admin/services/${id}`, withImage('image', { ...data, description: 'Changé' }));
      await asAdmin('DELETE', `/api/admin/services/${id}`);
    },
    async 'pages, payment types and the background'(round) {
      const page = { slug: `page-${round}`, title: 'Une page', content: '## Titre\nTexte', isActive: true };
      const { id } = (await asAdmin('POST', '/api/admin/content-pages', page)).json();
      await asAdmin('PUT', `/api/admin/content-pages/${id}`, { isActive: false });
      await asAdmin('DELETE', `/api/admin/content-pages/${id}`);
      const type = (await asAdmin('POST', '/api/admin/payment-types', { name: `Type ${round}` })).json();
      await asAdmin('PUT', `/api/admin/payment-types/${type.id}`, { isActive: false });
      await asAdmin('DELETE', `/api/admin/payment-types/${type.id}`);
      const { url } = (await asAdmin('POST', '/api/admin/upload-background', withImage('background'))).json();
      const settings = { backgroundImage: url, opacity: round % 100, blur: round % 20 };
      await asAdmin('POST', '/api/admin/background-settings', settings);
    },
    async 'lists and searches'(round) {
      for (const url of [
        'dashboard?timeZone=Africa/Ouagadougou',
        'services',
        'content-pages',
        'audit',
        'sms',
        'backups',
      ])
        await asAdmin('GET', `/api/admin/${url}`);
      await asAdmin('GET', `/api/admin/tickets?search=${round}&status=pending`);
      await asAdmin('GET', `/api/admin/users?search=traor`);
    },
    async 'exports and an import'() {
      await asAdmin('GET', '/api/admin/ticket-export?timeZone=Africa/Ouagadougou&status=rejected');
      const { text } = await asAdmin('GET', '/api/admin/catalogue-export');
      await asAdmin('POST', '/api/admin/catalogue-import', { csv: text, dryRun: true });
    },
    async 'a backup'(round) {
      if (round % roundsPerBackup !== 1) return;
      const command = [path.resolve(import.meta.dirname, '../../server/cli/guichet.ts'), 'backup'];
      const environment = { ...process.env, DATA_DIR: folder, DATABASE_URL: '' };
      const file = path.join(backups, `${round}.backup`);
      await promisify(execFile)(process.execPath, [...command, file], { cwd: backups, env: environment });
      rmSync(file);
    },
  };

  const running = (async () => {
    while (!ended) {
      outcome.rounds += 1;
      for (const [name, errand] of Object.entries(errands))
        try {
          await errand(outcome.rounds);
          await setTimeout(pauseMs);
        } catch (error) {
          const reason = `${name}: ${(error as Error).message}`;
          outcome.failed[reason] = (outcome.failed[reason] ?? 0) + 1;
        }
    }
  })();
  return async () => {
    ended = true;
    await running;
    return outcome;
  };
}
