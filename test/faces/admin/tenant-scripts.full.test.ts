import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeUpstream, startFakeUpstream, UPSTREAM_KEY } from '../../fakes/upstream.ts';
import { hasBrowser, launchBrowser } from '../../helpers/browser.ts';
import { type RunningAdmin, startAdmin } from './start-admin.ts';

/** What the browser code adds to the pages of a tenant. */
describe.skipIf(!hasBrowser())('in a browser', () => {
  let browser: Browser;
  let admin: RunningAdmin;
  let upstream: FakeUpstream;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    upstream = await startFakeUpstream();
    admin = await startAdmin();
    await admin.addTenant('Lyon');
    const { cookies } = await admin.signInAs('manager', ['lyon']);
    const permissions = ['clipboard-read', 'clipboard-write'];
    const context = await browser.newContext({ permissions, locale: 'en', timezoneId: 'Asia/Tokyo' });
    // By the clock of the test, the session is over for a real browser.
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: admin.url })));
    page = await context.newPage();
  });
  afterEach(async () => {
    await page.context().close();
    await admin.close();
    await upstream.close();
  });

  const open = (path: string) => page.goto(`${admin.url}/admin/tenants/lyon${path}`);

  test('the fields of the chosen upstream are shown, and a test leaves the typed key where it is', async () => {
    await open('/upstream');
    expect(await page.isVisible('#url')).toBe(false);
    await page.check('#kind-gateway');
    expect(await page.isVisible('#marketplaceUrl')).toBe(true);
    await page.check('#kind-direct');
    expect(await page.isVisible('#marketplaceUrl')).toBe(false);
    await page.fill('#url', upstream.url);
    await page.fill('#apiKey', UPSTREAM_KEY);
    await page.click('button[name=test]');
    await page.waitForSelector('#test-title');
    expect(await page.textContent('#test-title')).toBe('The connection works');
    expect(await page.textContent('#test-status')).toBe('The connection works');
    expect(await page.inputValue('#apiKey')).toBe(UPSTREAM_KEY);
    expect(page.url()).toMatch(/\/upstream$/);
    await page.click('button:has-text("Save")');
    await page.waitForURL(/notice=upstream-saved/);
    const { origin } = new URL(upstream.url);
    expect(await admin.secrets.findSecret('lyon', 'upstream-api-key', origin)).toBe(UPSTREAM_KEY);
  });

  test('Walk U16: under the pointer, a time is in the time zone of its reader', async () => {
    await open('');
    const [time, utc] = await page
      .locator('dd time')
      .first()
      .evaluate((each: HTMLTimeElement) => [each.title, each.dateTime]);
    expect(utc).toBe('2026-03-01T10:00:00.000Z');
    expect(time).toMatch(/^Mar 1, 2026, 7:00:00\sPM GMT\+9$/);
  });

  test('a test that the host does not answer says so and keeps everything', async () => {
    await open('/upstream');
    await page.check('#kind-direct');
    await page.fill('#url', upstream.url);
    await page.fill('#apiKey', UPSTREAM_KEY);
    await page.context().clearCookies();
    await page.click('button[name=test]');
    await page.waitForSelector('#test .notice:has-text("did not answer")');
    expect(await page.inputValue('#apiKey')).toBe(UPSTREAM_KEY);
  });

  test('the preview follows the form and says how much there is', async () => {
    await open('/defaults');
    await page.fill('#q', 'python');
    await page.waitForSelector('#preview .found');
    expect(await page.textContent('#preview-status')).toBe('2 resources for “python”');
    await page.fill('#itemsPerPage', '99');
    await page.waitForSelector('#preview .problem');
    expect(await page.textContent('#preview-status')).toBe('No preview yet. Please correct this first:');
    await page.fill('#itemsPerPage', '5');
    await page.check('input[value=openlearn]');
    await page.waitForSelector('#preview .found');
    expect(await page.textContent('[data-ticked]')).toBe('Ticked: 1. Only these are searched.');
    // The Enter key tries and does not save.
    const tried = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.press('#itemsPerPage', 'Enter');
    await tried;
    expect(page.url()).toMatch(/\/defaults$/);
    expect((await admin.deps.tenants.getTenant('lyon')).version).toBe(1);
  });

  test('a colour that is picked is typed and shown', async () => {
    await open('/branding');
    await page.fill('[data-picker-for]', '#aa2200');
    expect(await page.inputValue('#accent')).toBe('#aa2200');
    await page.waitForSelector('#preview rect[fill="#aa2200"]');
    await page.fill('#accent', '#00aa22');
    expect(await page.inputValue('[data-picker-for]')).toBe('#00aa22');
  });

  test('a new key is copied', async () => {
    await open('/keys/new');
    await page.fill('#name', 'Library');
    await page.click('button:has-text("Create the key")');
    await page.click('button:has-text("Copy the key")');
    await page.waitForSelector('button:has-text("Copied")');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await page.textContent('#key'));
  });
});
