import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type Browser, type BrowserServer, chromium, type Frame, type Locator, type Page } from 'playwright-core';
import sharp from 'sharp';
import { inject } from 'vitest';
import { skipBecause } from './skips.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** The same engine without the window around it: a third less work. It has no switch against
 *  cookies of third parties. */
const headlessShell = '/usr/bin/chromium-headless-shell';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A frame that moves to another site stays in its process: fewer processes on two cores, and none
  // that is lost on the way.
  '--disable-site-isolation-trials',
];

/** Whether there is a browser to test with; where there is none, says so once and how to get
 *  one. */
export function hasBrowser(): boolean {
  if (existsSync(executablePath)) return true;
  skipBecause(
    'there is no Chromium',
    'Browser tests run where /usr/bin/chromium is installed or CHROMIUM names the program.',
  );
  return false;
}

/** The browser of the whole run; closing it here closes only the contexts that were opened here. */
export async function launchBrowser(): Promise<Browser> {
  const response = await fetch(`${inject('sharedServersUrl')}/browser`);
  if (!response.ok) throw new Error(await response.text());
  const { address } = (await response.json()) as { address: string };
  return withoutLimits(await chromium.connect(address));
}

/** A whole Chromium for one file of tests, also where the others share a headless shell.
 *  @param more switches beside the usual ones */
export async function launchOwnBrowser(more: readonly string[] = []): Promise<Browser> {
  return withoutLimits(await chromium.launch({ executablePath, args: [...args, ...more] }));
}

/** What Playwright awaits may take this long: a busy machine needs more than its 30 s. */
const PATIENCE_MS = 300_000;

/** Contexts, and pages that are opened without one, wait for as long as a test may. */
function withoutLimits(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

/** Waits until the frame is at such an address. */
export const waitForAddress = (frame: Frame, address: RegExp): Promise<void> =>
  sayWhereItStays(frame, frame.waitForURL(address));

/** Where what is awaited of a frame does not come, says where the frame stays and what it shows. */
export async function sayWhereItStays(frame: Frame, awaited: Promise<void>): Promise<void> {
  await awaited.catch(async (error: unknown) => {
    const shown = await Promise.race([frame.content().catch(String), setTimeout(2_000, 'nothing that can be read')]);
    throw new Error(`It stays at ${frame.url()}: ${shown}`, { cause: error });
  });
}

/** Keeps what is seen as a picture of the guides, where these are to be made anew
 *  (`UPDATE_IMAGES=1`). Its colours are reduced to 256: a third of the size. */
export async function keepPicture(seen: Page | Locator, name: string): Promise<void> {
  if (process.env.UPDATE_IMAGES !== '1') return;
  const picture = sharp(await seen.screenshot({ animations: 'disabled' }));
  await picture.png({ palette: true, quality: 90, effort: 10 }).toFile(`docs/images/${name}.png`);
}

/** For `shared-servers.ts`. */
export function startChromium(): Promise<BrowserServer> {
  const hasShell = process.env.CHROMIUM === undefined && existsSync(headlessShell);
  return chromium.launchServer({
    executablePath: hasShell ? headlessShell : executablePath,
    args,
    host: '127.0.0.1',
  });
}
