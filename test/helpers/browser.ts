import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { skipBecause } from './skips.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whether there is a browser to test with; where there is none, says so once and how to get one. */
export function hasBrowser(): boolean {
  if (existsSync(executablePath)) return true;
  skipBecause(
    'there is no Chromium',
    'Browser tests run where /usr/bin/chromium is installed or CHROMIUM names the program.',
  );
  return false;
}

/** @param more switches beside the usual ones */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...args, ...more] });
}
