/// <reference lib="dom" />
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPicker } from '../demo/demo-in-browser.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { type HostProcess, startHostProcess } from '../helpers/host-process.ts';
import { setUp } from './admin-journey.ts';
import { walkPages } from './admin-pages.ts';

const publicPaths = [
  '/',
  '/?q=python',
  '/?q=qqqqqq',
  '/browse',
  '/browse?topic=0613',
  '/tags',
  '/connect',
  '/docs',
  '/docs/guides',
  '/docs/guides/moodle',
  '/nowhere',
  '/skills?uri=skilldock%3Apython-programming',
];

/** WCAG 2.2, 1.4.10: a window of 1280 by 1024 pixels, enlarged to 400 %. */
const enlarged = { width: 320, height: 256 };
/** A walk that is longer has been caught. */
const MAX_STOPS = 600;

describe.skipIf(!hasBrowser())('every page by keyboard alone, and at 400 %', () => {
  let host: HostProcess;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    [host, browser] = await Promise.all([startHostProcess(), launchBrowser()]);
    // Without motion, what has the focus is in the window at once.
    context = await browser.newContext({ locale: 'en', viewport: enlarged, reducedMotion: 'reduce' });
    page = await context.newPage();
  });
  afterAll(async () => {
    await context?.close();
    await browser?.close();
    await host?.stop();
  });

  test.each(publicPaths)('%s', async (path) => {
    await page.goto(host.url + path, { waitUntil: 'networkidle' });
    await expectReach(page);
    expect(await page.locator('footer a[href="/docs/guides"]').last().textContent()).toBe('Help');
  });

  test('signing in takes a pasted password, offers itself to password managers, and asks no riddle', async () => {
    await setUp(page, host);
    const other = await browser.newContext({ locale: 'en', permissions: ['clipboard-read', 'clipboard-write'] });
    const visitor = await other.newPage();
    await visitor.goto(`${host.url}/admin`);
    const password = visitor.getByLabel('Password', { exact: true });
    expect(await password.getAttribute('autocomplete')).toBe('current-password');
    expect(await visitor.getByLabel('Name', { exact: true }).getAttribute('autocomplete')).toBe('username');
    await visitor.evaluate(() => navigator.clipboard.writeText('nine boats under paper'));
    await visitor.getByLabel('Name', { exact: true }).fill('Ada');
    await password.focus();
    await visitor.keyboard.press('Control+V');
    await visitor.keyboard.press('Enter');
    await visitor.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await other.close();
  });

  test('all pages of the administration', async () => {
    const kinds = await walkPages(page, host.url, async () => {
      await expectReach(page);
      expect(await page.locator('footer a[href="/docs/guides"]').count(), page.url()).toBe(1);
    });
    expect(kinds.length).toBeGreaterThan(25);
  });

  test('the picker', async () => {
    await page.goto(`${host.url.replace('127.0.0.1', 'localhost')}/demo?as=ines&lang=en`);
    const picker = await openPicker(page, 'statistics');
    for (const tab of ['search', 'plan', 'shelf', 'own']) {
      await picker.locator('.tabs-menu').selectOption(`tab-${tab}`);
      await picker.locator(`#panel-${tab}`).waitFor();
      await expectReach(page, picker);
    }
  });
});

/** The Tab key comes to every control that can be seen, in the order of the page, shows where it is, and leaves the page again;
 *  nothing is wider than the window. */
async function expectReach(page: Page, within: Page | Frame = page): Promise<void> {
  const address = within.url();
  const wanted = await within.evaluate(listControls);
  await within.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const reached = new Set<number>();
  const hidden: string[] = [];
  for (let stops = 0; stops < MAX_STOPS && reached.size < wanted.length; stops++) {
    await page.keyboard.press('Tab');
    const { id, name, isShown } = await within.evaluate(describeFocus);
    if (id === null) break;
    if (!isShown) hidden.push(name);
    // Regions that scroll are stops, too.
    if (id >= 0) reached.add(id);
  }
  const missed = wanted.filter(({ id }) => !reached.has(id)).map(({ name }) => name);
  const tooWide = await within.evaluate(findTooWide);
  // All pages of a walk are said at once.
  expect.soft({ address, missed, hidden, tooWide }).toEqual({ address, missed: [], hidden: [], tooWide: [] });
}

/** Numbers all controls that the Tab key should come to; of a group of radio buttons only one. */
function listControls(): { id: number; name: string }[] {
  const found: { id: number; name: string }[] = [];
  const groups = new Set<string>();
  for (const element of document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')) {
    const { type, name, checked } = element as HTMLInputElement;
    if (element.tabIndex < 0 || element.matches(':disabled') || type === 'hidden') continue;
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('[inert]') !== null) continue;
    if (type === 'radio') {
      const group = document.querySelectorAll<HTMLInputElement>(`input[type="radio"][name="${CSS.escape(name)}"]`);
      if (groups.has(name) || (!checked && [...group].some((each) => each.checked))) continue;
      groups.add(name);
    }
    element.dataset.stop = String(found.length);
    found.push({ id: found.length, name: element.outerHTML.slice(0, 120) });
  }
  return found;
}

/** What stands out of the window, where the page can be scrolled aside. */
function findTooWide(): string[] {
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  const wide = [...document.body.querySelectorAll('*')].filter(
    (each) => each.getBoundingClientRect().right > innerWidth,
  );
  return wide.slice(0, 5).map((each) => each.outerHTML.slice(0, 160));
}

/** The element with the focus: its number, and whether a mark of the focus can be seen in the window. */
function describeFocus(): { id: number | null; name: string; isShown: boolean } {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return { id: null, name: '', isShown: true };
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  // Of a date, the browser marks the part within that has the focus.
  const isDate = element.matches('[type="date"]');
  const isMarked = isDate || (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  const isInWindow = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const id = element.dataset.stop === undefined ? -1 : Number(element.dataset.stop);
  return { id, name: element.outerHTML.slice(0, 120), isShown: isMarked && isInWindow };
}
