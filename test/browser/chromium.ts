// Finds or installs Chromium, in this order: CHROMIUM_PATH, npm package, system, package manager, Playwright.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { root } from '../../scripts/databases.ts';
import { HANG_MS } from '../support/timeout.ts';
import { type InstalledChromium, unpackPinnedChromium } from './pinned-chromium.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({ ...(await findChromium()), args: flags, timeout: HANG_MS });
  return browser.on('context', (context) => {
    context.setDefaultTimeout(HANG_MS);
    context.on('page', sendKeysAfterScripts);
  });
}

/** Shortcuts have no effect until a page's scripts have run, so key presses wait for the scripts. */
function sendKeysAfterScripts(page: Page) {
  const { keyboard } = page;
  for (const name of ['press', 'type'] as const) {
    const send = keyboard[name].bind(keyboard);
    keyboard[name] = async (keys, options) => {
      await page.waitForLoadState('domcontentloaded');
      await send(keys, options);
    };
  }
}

async function findChromium(): Promise<InstalledChromium> {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) {
    if (existsSync(CHROMIUM_PATH)) return { executablePath: CHROMIUM_PATH };
    throw new Error(`CHROMIUM_PATH names no file: ${CHROMIUM_PATH}`);
  }
  const pinned = await unpackPinnedChromium();
  if (pinned) return pinned;
  for (const install of [() => true, installPackage, installByPlaywright]) {
    const executablePath = install() && findInstalled();
    if (executablePath) return { executablePath };
  }
  throw new Error(
    'The browser tests need Chromium and found none. Install it (apt-get install chromium, or npx playwright-core install chromium), or say where it is: CHROMIUM_PATH=/path/to/chromium npm test',
  );
}

function findInstalled(): string | undefined {
  const { PATH = '' } = process.env;
  const folders = ['/usr/bin', ...PATH.split(delimiter)];
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, chromium.executablePath()].find((path) => path && existsSync(path));
}

function installPackage(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  process.stderr.write('Installing Chromium (apt-get install chromium) …\n');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const runApt = (...args: string[]) =>
    spawnSync('apt-get', args, { stdio: 'ignore', env: environment }).status === 0;
  return runApt('install', '-y', 'chromium') || (runApt('update') && runApt('install', '-y', 'chromium'));
}

function installByPlaywright(): boolean {
  process.stderr.write('Installing Chromium (playwright-core install chromium) …\n');
  const cli = join(root, 'node_modules', 'playwright-core', 'cli.js');
  return spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore' }).status === 0;
}
