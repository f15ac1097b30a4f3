// Plain JavaScript without dependencies: it runs before the first install.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const systemPaths = [
  // The headless build; the tests take a quarter less time in it.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The Chromium for the browser tests: CHROMIUM_PATH, else the system's; undefined leaves the search to Playwright.
 * @returns {string | undefined} its path
 */
export function findChromium() {
  return process.env.CHROMIUM_PATH || systemPaths.find((each) => existsSync(each));
}

function isThere() {
  const { chromium } = createRequire(import.meta.url)('@playwright/test');
  return Boolean(findChromium()) || existsSync(chromium.executablePath());
}

/**
 * Ensures that a Chromium exists: Playwright's download, or, for root on Debian, the distribution's package.
 * @param {(sentence: string) => void} say
 */
export function ensureChromium(say) {
  if (isThere()) return;
  say('Téléchargement de Chromium pour les tests…');
  run(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
  if (isThere()) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('Installation de Chromium par apt-get…');
    run('apt-get', ['update', '-qq']);
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'fonts-noto-color-emoji'];
    run('apt-get', [...install, 'chromium-headless-shell']);
    // Ubuntu and older Debian releases package only the full browser.
    if (!isThere()) run('apt-get', [...install, 'chromium']);
  }
  if (!isThere()) throw new Error('Aucun Chromium : installez-le, ou indiquez son chemin dans CHROMIUM_PATH.');
}

function run(command, args) {
  try {
    execFileSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  } catch {
    // A failed download does not matter if a Chromium exists afterwards.
  }
}
