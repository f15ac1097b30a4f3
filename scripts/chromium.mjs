// Plain JavaScript without dependencies: it runs before the first install.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const systemPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The Chromium the browser tests drive: CHROMIUM_PATH, else the system's, else the one Playwright downloaded.
 * @returns {string | undefined} its path
 */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const system = systemPaths.find((each) => existsSync(each));
  if (system) return system;
  const { chromium } = createRequire(import.meta.url)('@playwright/test');
  const downloaded = chromium.executablePath();
  return existsSync(downloaded) ? downloaded : undefined;
}

/**
 * Makes sure there is a Chromium: Playwright's download, or, for root on Debian, the distribution's package.
 * @param {(sentence: string) => void} say
 */
export function ensureChromium(say) {
  if (findChromium()) return;
  say('Téléchargement de Chromium pour les tests…');
  run(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
  if (findChromium()) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('Installation de Chromium par apt-get…');
    run('apt-get', ['update', '-qq']);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-color-emoji']);
  }
  if (!findChromium()) throw new Error('Aucun Chromium : installez-le, ou indiquez son chemin dans CHROMIUM_PATH.');
}

function run(command, args) {
  try {
    execFileSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  } catch {
    // What counts is whether a Chromium is there afterwards.
  }
}
