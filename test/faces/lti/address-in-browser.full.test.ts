/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../../helpers/browser.ts';
import { tester } from '../../helpers/open-services.ts';
import { type RunningLti, resourceLinkLaunch, startLti } from './start-lti.ts';

describe.skipIf(!hasBrowser())('the address of a page of a launch', () => {
  let browser: Browser;
  let lti: RunningLti;
  let page: Page;
  beforeAll(async () => {
    [browser, lti] = await Promise.all([launchBrowser(), startLti()]);
  });
  afterEach(() => page.context().close());
  afterAll(async () => {
    await browser?.close();
    await lti?.close();
  });

  const opened = () => page.waitForURL((url) => !url.searchParams.has('launch'));

  async function open(path: string) {
    page = await (await browser.newContext()).newPage();
    await page.goto(lti.url + path);
    await opened();
  }

  test('loses its token only; reloading and going back still work', async () => {
    await open(`/lti/picker?q=loops&launch=${await lti.launchToken()}`);
    for (let i = 0; i < 2; i++) {
      expect(page.url()).toContain(`${lti.url}/lti/picker?q=loops`);
      expect(await page.inputValue('#q')).toBe('loops');
      await page.reload();
      await page.waitForSelector('#search');
      await opened();
    }
    await page.goto(`${lti.url}/lti/launch`);
    await page.goBack();
    await page.waitForSelector('#search');
    await opened();
  });

  test('can be reloaded after following a link within the page', async () => {
    await open(`/lti/picker?launch=${await lti.launchToken()}`);
    await page.evaluate(() => {
      location.hash = 'tray';
    });
    await page.waitForFunction(() => history.state !== null);
    await page.reload();
    await page.waitForSelector('#search');
  });

  test('loses its token on the page of an ended launch, and works again afterwards', async () => {
    await open(`/lti/picker?launch=${await lti.launchToken()}`);
    const { id } = lti.registration;
    await lti.services.ltiRegistrations.deactivate(tester, id);
    await page.reload();
    await page.getByText('LTI_REGISTRATION_INACTIVE').waitFor();
    await opened();
    await lti.services.ltiRegistrations.activate(tester, id);
    await page.reload();
    await page.waitForSelector('#search');
  });

  test('does not work in another window', async () => {
    await open(`/lti/picker?launch=${await lti.launchToken()}`);
    const copied = page.url();
    const other = await page.context().newPage();
    await other.goto(copied);
    expect(await other.textContent('main')).toContain('LAUNCH_INVALID');
  });

  test('shows that the launch has ended when it has', async () => {
    await open(`/lti/picker?launch=${await lti.launchToken()}`);
    await page.evaluate(() => history.replaceState({ launch: 'v1.00000000.AAAA' }, ''));
    await page.reload();
    await page.waitForURL(/launch=/);
    expect(await page.textContent('main')).toContain('LAUNCH_INVALID');
  });

  test('belongs to its own launch when a course shows several frames', async () => {
    page = await browser.newPage();
    const links = ['first', 'second'];
    const tokens = await Promise.all(
      links.map((id) =>
        lti.launchToken({
          ...resourceLinkLaunch,
          resourceLink: { id, title: `The ${id}`, description: null },
        }),
      ),
    );
    const frames = tokens.map((token, i) => `<iframe name="${links[i]}" src="/lti/object?launch=${token}"></iframe>`);
    await page.route(`${lti.url}/course`, (route) =>
      route.fulfill({ contentType: 'text/html', body: frames.join('') }),
    );
    await page.goto(`${lti.url}/course`);
    for (const id of links) {
      const frame = page.frame({ name: id })!;
      await frame.waitForURL((url) => url.pathname === '/lti/object' && url.search === '');
      await frame.evaluate(() => location.reload()).catch(() => {});
      await frame.waitForFunction((title) => document.title.startsWith(title), `The ${id}`);
    }
  });
});
