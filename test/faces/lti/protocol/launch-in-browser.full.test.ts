/// <reference lib="dom" />
import type { Browser, BrowserContext, Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchOwnBrowser, waitForAddress } from '../../../helpers/browser.ts';
import { expectGoodLooks } from '../../../helpers/looks.ts';
import { type RunningProtocol, startProtocol } from './start-protocol.ts';

describe.skipIf(!hasBrowser())('a launch in a frame of another site', () => {
  let browser: Browser;
  let plain: RunningProtocol;
  let withParent: RunningProtocol;
  let withForwarder: RunningProtocol;
  let context: BrowserContext;

  beforeAll(async () => {
    browser = await launchOwnBrowser();
    plain = await startProtocol();
    withParent = await startProtocol({ platformStorage: true });
    withForwarder = await startProtocol({ mode: 'canvas', hasSharedIssuer: false, platformStorage: true });
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await browser.close();
    for (const running of [plain, withParent, withForwarder]) await running.close();
  });

  /** What the tool shows in the end, in a frame of the platform unless told otherwise. */
  async function open({ platform }: RunningProtocol, { keepsCookies = true, isFramed = true } = {}) {
    context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    if (!keepsCookies) await loseCookies(platform.url);
    const page = await context.newPage();
    await page.goto(platform.launchPageUrl({ framed: isFramed }));
    return ended(isFramed ? page.frame({ name: 'tool' })! : page.mainFrame());
  }

  /** As a browser that keeps no cookies of frames, on the way from the login to the launch. Frames
   *  of other sites have no storage either: this browser blocks it. */
  async function loseCookies(platformUrl: string): Promise<void> {
    await context.route(`${platformUrl}/authorize?*`, async (route) => {
      await context.clearCookies();
      await route.continue();
    });
  }

  /** As a browser that keeps no cookies of frames at all; neither does it keep anything else, where
   *  that is wanted. */
  async function openWithoutCookies({ platform, lti }: RunningProtocol, { isFramed = true } = {}): Promise<Frame> {
    context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    platform.requests.length = 0;
    // A storage that throws, as where the browser blocks it.
    if (!isFramed) await context.addInitScript('Object.defineProperty(window, "localStorage", { get() { throw 1; } })');
    await context.route(`${lti.url}/lti/login`, async (route) => {
      const response = await route.fetch();
      await context.clearCookies();
      const { 'set-cookie': _lost, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    const page = await context.newPage();
    await page.goto(platform.launchPageUrl({ framed: isFramed }));
    return isFramed ? page.frame({ name: 'tool' })! : page.mainFrame();
  }

  async function ended(frame: Frame): Promise<Frame> {
    await waitForAddress(frame, /\/lti\/(?:picker|object|launch)/);
    // The page on the way posts again by itself.
    await frame.waitForSelector('#binding', { state: 'detached' });
    await frame.waitForLoadState();
    return frame;
  }

  const pathOf = (frame: Frame) => new URL(frame.url()).pathname;

  test('works with its cookie', async () => {
    expect(pathOf(await open(plain))).toBe('/lti/picker');
  });

  test.each([
    ['of the window around', () => withParent],
    ['of a frame that forwards', () => withForwarder],
  ])('works without a cookie with the storage of the platform: %s', async (_, running) => {
    expect(pathOf(await open(running(), { keepsCookies: false }))).toBe('/lti/picker');
  });

  test('works without a cookie with the storage of the browser', async () => {
    const frame = await open(plain, { keepsCookies: false, isFramed: false });
    expect(pathOf(frame)).toBe('/lti/picker');
    expect(await frame.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  test('is refused when cookie and storage were removed', async () => {
    const frame = await open(plain, { keepsCookies: false });
    expect(await frame.textContent('main')).toContain('LTI_BINDING_MISSING');
  });

  test('opens a new window, before it reaches the platform, where nothing can be stored', async () => {
    const frame = await openWithoutCookies(plain);
    await frame.waitForSelector('text=Your browser blocks a required cookie');
    expect(await frame.textContent('main')).toContain(new URL(plain.lti.url).host);
    await expectGoodLooks(frame.page(), frame);
    expect(plain.platform.requests.filter(({ path }) => path === '/authorize')).toEqual([]);
    const opened = context.waitForEvent('page');
    await frame.click('a.button:visible');
    const page = await opened;
    await page.waitForURL(/\/lti\/picker/);
    expect(page.url()).not.toContain('launch=');
    await page.waitForSelector('#search');
  });

  test('asks to allow cookies where nothing can be stored in a new window either', async () => {
    const frame = await openWithoutCookies(plain, { isFramed: false });
    await frame.waitForSelector('[data-blocked]:visible');
    expect(await frame.locator('a:visible').count()).toBe(0);
  });

  test.each(['length', 'location', 'close', 'nothing', '%5B'])(
    'goes on to the platform where it names %s as the frame that lends storage',
    async (name) => {
      const { platform, lti, tool } = plain;
      const login = new URLSearchParams({
        iss: platform.issuer,
        client_id: tool.clientId,
        login_hint: 'ines',
        target_link_uri: `${lti.url}/lti/launch`,
        lti_storage_target: decodeURIComponent(name),
      });
      // Any page of the platform will do.
      const body = `<iframe name="tool" src="${lti.url}/lti/login?${login}"></iframe>`;
      platform.answerWith('keys', { status: 200, headers: { 'content-type': 'text/html' }, body });
      context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${platform.url}/keys`);
      await page.frame({ name: 'tool' })!.waitForURL(`${platform.url}/authorize?*`);
    },
  );

  test('removes the secrets of other logins', async () => {
    const frame = await open(plain, { isFramed: false });
    await frame.evaluate(() => {
      localStorage.setItem('lti_state_old', JSON.stringify({ binding: 'x', until: 1 }));
      localStorage.setItem('lti_state_odd', 'no JSON');
      localStorage.setItem('other', 'stays');
    });
    await frame.goto(plain.platform.launchPageUrl({ framed: false }));
    await ended(frame);
    const keys = await frame.evaluate(() => Object.keys(localStorage).sort());
    expect(keys).toEqual([
      expect.stringMatching(/^lti_state_[\w-]{43}$/),
      expect.stringMatching(/^lti_state_/),
      'other',
    ]);
  });

  test('continues with a button where there are no scripts', async () => {
    context = await browser.newContext({ javaScriptEnabled: false });
    const { platform, lti, tool } = plain;
    const page = await context.newPage();
    const login = new URLSearchParams({
      iss: platform.issuer,
      client_id: tool.clientId,
      login_hint: 'ines',
      target_link_uri: `${lti.url}/lti/launch`,
    });
    await page.goto(`${lti.url}/lti/login?${login}`);
    await page.click('text=Continue');
    expect(page.url()).toContain(`${platform.url}/authorize?`);
  });

  test.each([
    ['the neutral page', '/lti/launch'],
    ['a refusal', '/lti/login'],
    ['a refusal with facts', '/lti/login?iss=x&client_id=y&login_hint=z&target_link_uri={target}'],
  ])('has no accessibility problems on %s', async (_, path) => {
    context = await browser.newContext();
    const page = await context.newPage();
    const target = encodeURIComponent(`${plain.lti.url}/lti/launch`);
    await page.goto(plain.lti.url + path.replace('{target}', target));
    for (const details of await page.locator('summary').all()) await details.click();
    await expectGoodLooks(page);
  });
});
