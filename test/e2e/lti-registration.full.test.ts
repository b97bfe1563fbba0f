/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { anyPlatform } from '../faces/admin/registrations.ts';
import { type RunningAdmin, someone, startAdmin } from '../faces/admin/start-admin.ts';
import { type Registration, startRegistration } from '../faces/lti/registration/start-registration.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { draw } from '../helpers/draw.ts';
import { expectGoodLooks, sizes } from '../helpers/looks.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function newPage(locale = 'en'): Promise<Page> {
  const page = await browser.newPage({ viewport: sizes.desktop, locale });
  onTestFinished(() => page.context().close());
  return page;
}

describe.skipIf(!hasBrowser())('the registration of a platform', () => {
  let running: Registration;
  beforeAll(async () => {
    running = await startRegistration();
  });
  afterAll(() => running?.close());

  test('is done in the platform’s frame, and ends by telling it so', async () => {
    const { platform, makeLink } = running;
    const page = await newPage();
    await page.goto(platform.registrationPageUrl(await makeLink()));
    const tool = page.frameLocator('iframe[name=tool]');
    await tool.getByLabel('Name in Skilldock').fill('Moodle of the school');
    await tool.getByRole('button', { name: 'Register' }).click();
    await tool.getByRole('heading', { name: 'Moodle of the school is connected' }).waitFor();
    expect(platform.windowMessages).toEqual([]);
    await tool.getByRole('button', { name: 'Close and continue in the platform' }).click();
    await expect
      .poll(() => platform.windowMessages.map(({ message }) => JSON.parse(message)))
      .toEqual([{ subject: 'org.imsglobal.lti.close' }]);
  });

  test('opens each page at its heading, however far the one before was scrolled', async () => {
    const { platform, makeLink } = running;
    const page = await newPage();
    // So little of the frame is seen that the heading and the button that closes it are not seen
    // together.
    await page.setViewportSize({ width: 1_000, height: 160 });
    await page.goto(platform.registrationPageUrl(await makeLink()));
    const tool = page.frameLocator('iframe[name=tool]');
    await tool.getByRole('button', { name: 'Register' }).click();
    const heading = tool.getByRole('heading', { level: 1, name: /is connected/ });
    const isInSight = async () => {
      const box = await heading.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 160;
    };
    await expect.poll(isInSight).toBe(true);
  });

  test.each(draw(['en', 'fr'], 'registration'))('has pages that axe finds nothing on, in %s', async (locale) => {
    const { platform, makeLink, lti } = running;
    const page = await newPage(locale);
    const link = await makeLink();
    await page.goto(link);
    await expectGoodLooks(page);
    await page.goto(platform.registrationUrl(link));
    await expectGoodLooks(page);
    await page.getByRole('button', { name: locale === 'fr' ? 'Enregistrer' : 'Register' }).click();
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await expectGoodLooks(page);
    await page.goto(`${lti.url}/lti/register?token=none`);
    await expectGoodLooks(page);
  });
});

describe.skipIf(!hasBrowser())('the pages of platforms', () => {
  let admin: RunningAdmin;
  let path: string;
  beforeAll(async () => {
    admin = await startAdmin();
    await admin.addTenant('Lyon');
    const { id } = await admin.deps.ltiRegistrations.create(someone, {
      ...anyPlatform,
      deploymentIds: ['1', 'b2f0:8865aa05b4b79b64a91a86042e43af5ea8ae79eb'],
    });
    path = `/tenants/lyon/registrations/${id}`;
  });
  afterAll(() => admin?.close());

  test.each(draw(['en', 'fr'], 'platforms'))('have nothing that axe finds, in %s', async (locale) => {
    const { cookies } = await admin.signInAs('manager', ['lyon'], { language: locale });
    const page = await newPage(locale);
    // Their end is by the clock of the host.
    const sessions = [...cookies].map(([name, value]) => ({ name, value, url: admin.url }));
    await page.context().addCookies(sessions);
    const list = '/tenants/lyon/registrations';
    for (const each of ['', '/edit', '/deactivate', '/delete', '/deployments/remove?deployment=1']) {
      await page.goto(`${admin.url}/admin${path}${each}`);
      await expectGoodLooks(page);
    }
    for (const each of ['', '/manual?product=moodle&site=moodle.example.edu', '/new']) {
      await page.goto(`${admin.url}/admin${list}${each}`);
      await expectGoodLooks(page);
    }
    await page.locator(`form[action$="/link"] button`).click();
    await page.locator('#address').waitFor();
    await expectGoodLooks(page);
    await page.goto(`${admin.url}/admin${path}`);
    await page.locator('form[action*="/check"] button').click();
    await page.locator('ol.calls').waitFor();
    await expectGoodLooks(page);
  });
});
