/// <reference lib="dom" />
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openPicker } from '../demo/demo-in-browser.ts';
import { type Assistant, askIn, CALLBACK } from '../faces/mcp/assistant.ts';
import { ADMIN_PASSWORD } from '../faces/mcp/let-in.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { type HostProcess, startHostProcess } from '../helpers/host-process.ts';
import { expectGoodLooks } from '../helpers/looks.ts';

const SYLLABUS = `Week 1: Introduction to Python programming
Week 2: SQL and relational databases
Week 3: Statistics and probability
Week 4: Data visualisation`;

interface Plan {
  weeks: { skills: { items: { url: string; title: string }[] }[] }[];
}

describe.skipIf(!hasBrowser())('a stranger connects an assistant', () => {
  let host: HostProcess;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let assistant: Assistant;
  const errors: string[] = [];

  beforeAll(async () => {
    [host, browser] = await Promise.all([startHostProcess({ ADMIN_PASSWORD }), launchBrowser()]);
    context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    page.on('console', (message) => {
      const isOurs = message.location().url.startsWith(host.url);
      if (message.type() === 'error' && isOurs) errors.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => errors.push(String(error)));
  });
  afterEach(() => expect(errors).toEqual([]));
  afterAll(async () => {
    await assistant?.close();
    await context?.close();
    await browser?.close();
    await host?.stop();
  });

  async function openShelf() {
    await page.goto(`${host.url}/demo`);
    await page.locator('#statistics').waitFor();
    const picker = await openPicker(page, 'statistics');
    await picker.click('#tab-shelf');
    return picker;
  }
  /** Says yes on the page that the assistant opened. @returns the address with the answer */
  async function allow(): Promise<string> {
    await page.route(`${CALLBACK}**`, (route) => route.fulfill({ body: 'You may close this.' }));
    await page.getByRole('button', { name: 'Allow' }).click();
    // The next step of a test may open another page, which must not interrupt this one.
    await page.waitForURL(`${CALLBACK}**`);
    return page.url();
  }

  test('a teacher, from a code in the picker to a placed selection in three calls', async () => {
    const shelf = await openShelf();
    await shelf.getByText('Connect an assistant').click();
    await expectGoodLooks(page, shelf);
    await shelf.getByRole('button', { name: 'Get a code' }).click();
    const code = (await shelf.locator('.shelf-code code').textContent())!;
    await expectGoodLooks(page, shelf);

    // The assistant asks to be let in; the teacher has no account, and types the code.
    assistant = await askIn(host.url);
    await page.goto(assistant.asked().href);
    await page.getByRole('heading', { name: 'Allow Test assistant to connect?' }).waitFor();
    await expectGoodLooks(page);
    await page.getByLabel('Code from your course').fill('AAAA-AAAA');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('This code is not valid').waitFor();
    await expectGoodLooks(page);
    expect(errors.splice(0)).toEqual([expect.stringContaining('status of 422')]);
    await page.getByLabel('Code from your course').fill(code);
    await assistant.enter(await allow());

    // Three calls.
    const call = async (name: string, args: object) => {
      const { structuredContent, isError, content } = await assistant.client.callTool({
        name,
        arguments: { ...args },
      });
      expect(isError, JSON.stringify(content)).toBeFalsy();
      return structuredContent;
    };
    const plan = (await call('plan_from_text', { text: SYLLABUS })) as unknown as Plan;
    const chosen = plan.weeks.flatMap(({ skills }) => skills.flatMap(({ items }) => items.slice(0, 1)));
    expect(chosen.length).toBeGreaterThanOrEqual(4);
    await call('my_shelf', { action: 'save', url: chosen[0]!.url });
    const placed = await call('place_in_course', { objects: chosen.map(({ url }) => ({ url })) });
    expect(placed).toMatchObject({ prepared: chosen.length, courses: 1 });

    // The picker begins with it, and the teacher places it.
    await page.goto(`${host.url}/demo`);
    const picker = await openPicker(page, 'statistics');
    const count = picker.locator('[data-tray-count]');
    await expect.poll(() => count.textContent()).toBe(String(chosen.length));
    await picker
      .locator('[data-tray-notice]')
      .filter({ hasText: `Your assistant prepared ${chosen.length} resources.` })
      .waitFor();
    await expectGoodLooks(page, picker);
    await picker.click('#tab-shelf');
    await picker.locator('#panel-shelf').getByText(chosen[0]!.title).first().waitFor();
    await picker.locator('[data-tray-choose]').click();
    await page.getByText(`${chosen.length} items were added.`).waitFor();
    const again = await openPicker(page, 'statistics');
    await expect.poll(() => again.locator('[data-tray-count]').textContent()).toBe('0');
  });

  test('an administrator, with an account, and one shelf with the course', async () => {
    const shelf = await openShelf();
    await shelf.getByText('Your shelf in other places').click();
    await shelf.getByRole('button', { name: 'Get a code' }).click();
    const code = (await shelf.locator('.shelf-code code').textContent())!;
    const another = await askIn(host.url);
    await page.goto(another.asked().href);
    await page.getByRole('link', { name: 'Use an administrator account instead' }).click();
    await page.fill('#name', 'admin');
    await page.fill('#password', ADMIN_PASSWORD);
    await page.locator('main form').first().locator('button').click();
    await page.getByRole('heading', { name: 'Allow Test assistant to connect?' }).waitFor();
    await expectGoodLooks(page);
    await page.selectOption('#tenant', { label: 'Demo course' });
    await another.enter(await allow());
    await another.close();
    await page.goto(`${host.url}/admin/account/assistants`);
    await expectGoodLooks(page);
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    await page.getByText('Linked to 1 learning platform').waitFor();
    await expectGoodLooks(page);
  });

  test('an administrator sees both among the assistants, and turns each off', async () => {
    await page.goto(`${host.url}/admin/assistants`);
    const ofTeacher = page.getByRole('row').filter({ hasText: 'teacher, with a code from a course' });
    await ofTeacher.waitFor();
    expect(await page.getByRole('rowheader', { name: 'Test assistant' }).count()).toBe(2);
    await expectGoodLooks(page);
    await ofTeacher.getByRole('button', { name: /^Disconnect/ }).click();
    await ofTeacher.waitFor({ state: 'detached' });
    await expect
      .poll(() =>
        assistant.client.listTools().then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused');
    await page.goto(`${host.url}/admin/tenants/default/assistants/new`);
    await expectGoodLooks(page);
    await page.goto(`${host.url}/connect`);
    await page.getByRole('heading', { name: 'From an assistant' }).waitFor();
    await expectGoodLooks(page);
    await page.goto(`${host.url}/admin/account/assistants`);
    await page.getByRole('button', { name: /^Disconnect/ }).click();
    await page.getByText('No assistants connected.').waitFor();
    await expectGoodLooks(page);
  });
});
