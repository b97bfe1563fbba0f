/// <reference lib="dom" />
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type FakeUpstream, startFakeUpstream, UPSTREAM_KEY } from '../fakes/upstream.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { draw } from '../helpers/draw.ts';
import { type HostProcess, startHostProcess } from '../helpers/host-process.ts';
import { expectGoodLooks, sizes } from '../helpers/looks.ts';
import { type MongoServer, startMongoServer } from '../helpers/mongo-server.ts';
import { expectLightLoad } from '../helpers/page-load.ts';
import * as journey from './admin-journey.ts';
import { walkPages } from './admin-pages.ts';

const menu = [
  '',
  '/tenants',
  '/keys',
  '/registrations',
  '/workspaces',
  '/feedback',
  '/catalogue',
  '/insight',
  '/audit',
  '/admins',
  '/system',
];
const TENANT = 'École <b>Hugo</b> & Söhne';

describe.skipIf(!hasBrowser())('admin page', () => {
  let browser: Browser;
  let upstream: FakeUpstream;
  let host: HostProcess;
  beforeAll(async () => {
    [host, browser, upstream] = await Promise.all([start(), launchBrowser(), startFakeUpstream()]);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([host?.stop(), upstream?.close()]);
  });

  const start = (env: Record<string, string> = {}) => startHostProcess({ ALLOW_PRIVATE_UPSTREAM: '1', ...env });

  async function startForTest(env?: Record<string, string>): Promise<HostProcess> {
    const other = await start(env);
    onTestFinished(async () => {
      await other.stop();
    });
    return other;
  }

  const newPage = (options: BrowserContextOptions = {}) =>
    browser.newPage({ viewport: sizes.desktop, locale: 'en', ...options });

  const open = (page: Page, path: string) => page.goto(`${host.url}/admin${path}`);

  /** From the printed link to a call with a new key, which reaches the upstream with the saved
   *  one. */
  async function travel(page: Page, to: HostProcess): Promise<void> {
    const reached = upstream.requests.length;
    await journey.setUp(page, to);
    await journey.createTenant(page, TENANT);
    await journey.saveUpstream(page, upstream.url, UPSTREAM_KEY);
    await journey.testUpstream(page);
    const key = await journey.createApiKey(page, TENANT);
    const answer = await journey.callApi(to, key);
    expect(await answer.json()).toMatchObject({ statusCode: 200 });
    const similar = upstream.requests.slice(reached).find(({ operation }) => operation === 'similar');
    expect(similar?.headers['x-api-key']).toBe(UPSTREAM_KEY);
    await journey.chooseInMenu(page, 'API keys');
    expect(await page.content()).not.toContain(key);
    await journey.signOut(page, to);
  }

  test('first run, tenant, key of the upstream, test, API key, call, sign out', async () => {
    const page = await newPage();
    const noted = await noteProblems(page, host);
    await page.goto(journey.setupLinkOf(host));
    await checkLooks(page);
    await travel(page, host);
    expect(noted).toEqual([]);
    await page.goto(journey.setupLinkOf(host));
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
    await page.context().close();
  });

  test('the same without JavaScript', async () => {
    const other = await startForTest();
    const page = await newPage({ javaScriptEnabled: false });
    await travel(page, other);
    await page.context().close();
  });

  test('an upstream that answers late comes into the overview, and what it means', async () => {
    upstream.reply('*', { status: 500, delayMs: 3_500 });
    onTestFinished(() => upstream.reply('*'));
    const page = await newPage();
    await journey.signIn(page, host);
    const row = page.getByRole('row', { name: /Hugo/ });
    expect(await row.textContent()).toContain('checking…');
    expect(await page.locator('#attention').textContent()).toContain('still being checked');
    await row.getByText('not working').waitFor();
    await page.locator('#attention [data-concern="upstream-ill"]').waitFor();
    expect(await page.locator('[data-health-done]').textContent()).toBe('All connections checked.');
    await page.context().close();
  });

  test('with the keyboard alone: sign in, skip to the content, make a tenant, sign out', async () => {
    const page = await newPage();
    await open(page, '');
    await tabTo(page, page.getByLabel('Name', { exact: true }));
    await page.keyboard.type(journey.owner.name);
    await page.keyboard.press('Tab');
    await page.keyboard.type(journey.owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await press(page, page.getByRole('link', { name: 'Tenants', exact: true }), 'Shift+Tab');
    await press(page, page.getByRole('link', { name: 'New tenant' }));
    await tabTo(page, page.getByLabel('Name', { exact: true }));
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor();
    await press(page, page.getByRole('button', { name: 'Sign out', exact: true }));
    await page.getByText('You have signed out.').waitFor();
    await page.context().close();
  });

  test.each(draw(['en', 'fr'], 'language of the admin pages'))(
    'axe finds nothing on any page, none is wider than the window, none asks for anything elsewhere: %s',
    async (language) => {
      await giveFeedback(host);
      const page = await newPage();
      const noted = await noteProblems(page, host);
      await open(page, '/sign-in');
      await checkLooks(page);
      await journey.signIn(page, host);
      if (language === 'fr') await switchToFrench(page);
      const kinds = await walkPages(page, host.url, () => checkLooks(page));
      const others = ['/tenants/ID/feedback', '/registrations/new', '/workspaces/app'];
      const expected = [...menu, ...others];
      expect(kinds).toEqual(expect.arrayContaining(expected.map((path) => `/admin${path}`)));
      // Where there are several tenants, one is chosen in a form, which is no link.
      for (const path of ['health', 'registrations/new', 'registrations/manual', 'workspaces/new']) {
        await open(page, `/tenants/default/${path}`);
        await checkLooks(page);
      }
      expect(noted).toEqual([]);
      await open(page, '/nowhere');
      await checkLooks(page);
      await page.context().close();
    },
  );

  test('a person’s feedback goes when it was seen how much there is, also without JavaScript', async () => {
    const email = 'grace@example.org';
    const looking = await newPage();
    await journey.signIn(looking, host);
    await journey.keepAddresses(looking);
    await giveFeedback(host, email);
    await journey.chooseInMenu(looking, 'Feedback');
    await journey.askToErase(looking, email);
    await checkLooks(looking);
    await looking.context().close();
    const page = await newPage({ javaScriptEnabled: false });
    await journey.signIn(page, host);
    await journey.chooseInMenu(page, 'Feedback');
    await journey.askToErase(page, email);
    await page.getByRole('button', { name: 'Delete permanently', exact: true }).click();
    await page.getByText('One entry was deleted or put under a pseudonym.').waitFor();
    expect(await page.locator('main').textContent()).not.toContain(email);
    await page.context().close();
  });

  test('the menu is there again when a narrow window becomes a wide one', async () => {
    const page = await newPage({ viewport: sizes.phone });
    await journey.signIn(page, host);
    const link = page.locator('.menu').getByText('API keys', { exact: true });
    await link.waitFor({ state: 'hidden' });
    await page.setViewportSize(sizes.desktop);
    await link.waitFor();
    await page.context().close();
  });

  test('the overview stays light, and nothing in it moves', async () => {
    const page = await newPage();
    await journey.signIn(page, host);
    const fresh = await newPage({ storageState: await page.context().storageState() });
    await expectLightLoad(fresh, `${host.url}/admin`, { requests: 7, kilobytes: 40 });
    await Promise.all([page, fresh].map((each) => each.context().close()));
  });

  test('the language is switched', async () => {
    const page = await newPage();
    await journey.signIn(page, host);
    await switchToFrench(page);
    await journey.chooseInMenu(page, 'Clés d’API');
    await page.getByRole('heading', { level: 1, name: 'Clés d’API' }).waitFor();
    await page.context().close();
  });

  test('an import: a connection that breaks is said, a file is sent once, whoever is signed out is told', async () => {
    const page = await newPage();
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    await journey.signIn(page, host);
    await open(page, '/imports/new');
    await journey.chooseFile(page, 'Courses.csv', 'url,title\nhttps://courses.example.org/1,Weaving\n');
    const begin = page.getByRole('button', { name: 'Import now' });
    const form = `${host.url}/admin/imports/new`;
    await page.route(form, (route) => route.abort('connectionreset'));
    posts.length = 0;
    await begin.click();
    await page.getByText('The upload was interrupted').waitFor();
    await page.unroute(form);
    expect(posts).toEqual([form]);
    await begin.dblclick();
    await page.getByRole('heading', { level: 1, name: 'Courses.csv' }).waitFor();
    expect(posts).toEqual([form, form]);
    // The page asks how far it is until it has ended.
    await page.getByText('Published', { exact: true }).waitFor();

    const { address, stop } = await startSilentServer();
    onTestFinished(stop);
    await open(page, '/imports/new');
    await journey.chooseAddress(page, 'OAI-PMH', address);
    await begin.click();
    await page.locator('[data-import-text]').waitFor();
    await page.context().clearCookies();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.context().close();
  });

  describe('on MongoDB', () => {
    let mongo: MongoServer | null = null;
    beforeAll(async () => {
      mongo = await startMongoServer();
    });
    afterAll(() => mongo?.stop());

    test('the same way from the printed link to a call', async ({ skip }) => {
      if (mongo === null) return skip();
      const SECRET_KEY = 'a secret key of the test, long enough';
      const other = await startForTest({ MONGODB_URI: mongo.uri, SECRET_KEY });
      const page = await newPage();
      await travel(page, other);
      await page.context().close();
    });
  });
});

/** Takes requests and never answers. */
async function startSilentServer() {
  const server = createServer(() => undefined);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/oai`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Logos are where the upstream says that they are. */
const logo = /^https:\/\/\w+\.example\/l$/;

/** What a page should never do: complain in the console, or ask for anything of another host. */
async function noteProblems(page: Page, host: HostProcess): Promise<string[]> {
  const noted: string[] = [];
  page.on('console', (message) => message.type() === 'error' && noted.push(message.text()));
  page.on('pageerror', (error) => noted.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(host.url) && !logo.test(url)) noted.push(url);
  });
  const body = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
  await page.route(logo, (route) => route.fulfill({ contentType: 'image/svg+xml', body }));
  return noted;
}

async function switchToFrench(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Français' }).click();
  await page.getByRole('heading', { level: 1, name: 'Vue d’ensemble' }).waitFor();
}

/** Also of what is folded. */
async function checkLooks(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((parts) => {
    for (const part of parts) (part as HTMLDetailsElement).open = true;
  });
  await expectGoodLooks(page);
}

/** A search and what somebody says of its first object, so that lists and charts are not empty. */
async function giveFeedback(host: HostProcess, email = 'ada@example.org'): Promise<void> {
  const headers = { 'x-api-key': await host.createKey(), 'content-type': 'application/json' };
  const search = '/learningobject/v2/search-provider?keywords=python&lang=en&provider=youtube';
  const found = await (await fetch(host.url + search, { headers })).json();
  const { request, response } = found as {
    request: { id: string };
    response: { content: { url: string }[] };
  };
  const feedback = {
    url: response.content[0]!.url,
    request_id: request.id,
    email,
    source: 'https://example.org',
  };
  const body = JSON.stringify({ ...feedback, comment: '<b>Good</b>' });
  const given = await fetch(`${host.url}/learningobject/v2/feedback`, { method: 'POST', headers, body });
  expect({ status: given.status, text: await given.text() }).toMatchObject({ status: 200 });
}

const MAX_TABS = 60;

async function tabTo(page: Page, wanted: Locator, key = 'Tab'): Promise<void> {
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${MAX_TABS} times ${key} do not reach ${wanted}`);
}

async function press(page: Page, wanted: Locator, key = 'Tab'): Promise<void> {
  await tabTo(page, wanted, key);
  await page.keyboard.press('Enter');
}
