/// <reference lib="dom" />
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakePlatform, startFakePlatform } from '../fakes/lti-platform.ts';
import { hasBrowser, keepPicture, launchOwnBrowser } from '../helpers/browser.ts';
import { draw } from '../helpers/draw.ts';
import { type HostProcess, startHostProcess } from '../helpers/host-process.ts';
import { setUp } from './admin-journey.ts';
import { chooseByKeyboard, frameOf, makeRegistrationLink, openInCourse, register, tabTo } from './lti-journey.ts';

/** The frame, in CSS pixels: wide enough for the column of what is chosen. */
const roomy = { width: 1100, height: 760 };

/** How a browser treats what the tool, as another site, wants to keep in it. */
const browsers = [
  { name: 'keeps partitioned cookies', mode: 'moodle', platformStorage: false, withoutCookies: false },
  {
    name: 'keeps no cookies, on a platform with storage',
    mode: 'canvas',
    platformStorage: true,
    withoutCookies: true,
  },
  {
    name: 'keeps no cookies, on a platform without storage',
    mode: 'moodle',
    platformStorage: false,
    withoutCookies: true,
  },
] as const;

describe.skipIf(!hasBrowser()).each(draw(browsers, 'browsers of LTI'))('LTI in a browser that $name', (kind) => {
  let host: HostProcess;
  let platform: FakePlatform;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    const { mode, platformStorage } = kind;
    [host, platform, browser] = await Promise.all([
      startHostProcess(),
      startFakePlatform({ mode, platformStorage, hasSharedIssuer: false }),
      launchOwnBrowser([
        '--test-third-party-cookie-phaseout',
        // What a test answers in the host's place comes from nowhere, and may not lead to this machine.
        '--disable-features=LocalNetworkAccessChecks',
      ]),
    ]);
    context = await browser.newContext({ viewport: { width: 1180, height: 900 } });
    if (kind.withoutCookies) await dropCookies(context, host);
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.close();
    await host?.stop();
  });

  test('a platform is registered; three objects are chosen by keyboard, opened, completed and graded', async () => {
    const admin = await browser.newPage();
    await setUp(admin, host);
    const link = await makeRegistrationLink(admin);
    await admin.close();
    await register(page, platform, link);
    expect(platform.tools.size).toBe(1);

    await openInCourse(page, platform, roomy);
    await chooseByKeyboard(page, 'python', 3);
    await expect.poll(() => platform.links.size).toBe(3);
    expect(platform.refusals).toEqual([]);

    const [first] = platform.links.values();
    const tool = await openInCourse(page, platform, { ...roomy, link: first!.id });
    expect(await tool.locator('h1').textContent()).toContain(first!.title);
    await keepPicture(frameOf(page), 'lti-object');
    await tabTo(page, '.done-form button');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => [...platform.scores.values()])
      .toMatchObject([{ userId: 'lea', scoreGiven: 10, scoreMaximum: 10, activityProgress: 'Completed' }]);
    await tool
      .locator('#done')
      .getByText(/sent to the gradebook/)
      .waitFor();
    expect(platform.refusals).toEqual([]);
  });
});

/** A browser that keeps none of the host's cookies, whatever they say. */
async function dropCookies(context: BrowserContext, host: HostProcess): Promise<void> {
  await context.route(`${host.url}/lti/login*`, async (route) => {
    const answer = await route.fetch();
    const headers = { ...answer.headers() };
    delete headers['set-cookie'];
    await route.fulfill({ response: answer, headers });
  });
}
