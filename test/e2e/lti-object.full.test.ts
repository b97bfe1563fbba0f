/// <reference lib="dom" />
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Launch } from '../../src/domain/lti/launch.ts';
import { chosen, grading, type OpenedObject, openObject } from '../faces/lti/object/open-object.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { draw } from '../helpers/draw.ts';
import { expectGoodLooks } from '../helpers/looks.ts';

const member = (userId: string, name: string) => ({ userId, name, isLearner: true, isActive: true });
const membershipsUrl = 'https://lms.example.org/members';

/** A page of an LMS that frames what it is asked for, and keeps what the frame says. */
async function startCourse(): Promise<{ url: string; server: Server }> {
  const server = createServer(({ url }, response) => {
    const address = new URL(url ?? '', 'http://course').searchParams.get('frame') ?? '';
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Course</title><script>
      window.heard = [];
      addEventListener('message', ({ data, origin }) => heard.push({ ...data, origin }));
    </script><iframe width="770" height="300" src="${address.replaceAll('&', '&amp;')}"></iframe>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe.skipIf(!hasBrowser())('an object in a course', () => {
  let opened: OpenedObject;
  let browser: Browser;
  let course: { url: string; server: Server };
  beforeAll(async () => {
    const platforms = { listMembers: async () => [member('learner-1', 'Lea Learner'), member('b', 'Bo')] };
    [opened, browser, course] = await Promise.all([
      openObject({}, { deps: { platforms: platforms as never } }),
      launchBrowser(),
      startCourse(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    course?.server.close();
    await opened?.close();
  });

  /** Of a learner of their own, so that no test sees what another has done. */
  const learner = (id: string, more: Partial<Launch> = {}) =>
    opened.launch({ user: { id, name: null, email: null }, ...more });

  const addressOf = (token: string) => `${opened.url}/lti/object?launch=${token}`;

  async function open(token: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(addressOf(token));
    return page;
  }

  test('a learner marks it as done in place, by keyboard', async () => {
    const page = await open(await learner('by-keyboard', { grading }));
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await page.getByRole('button', { name: /^Mark as done/ }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.done-mark').waitFor();
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
    expect(await page.locator('#done').innerText()).toContain('Your grade is sent after that.');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('done-state');
    expect(await page.locator('#status').textContent()).toMatch(/^✓ You have finished/);
    await page.close();
  });

  test('that the score has arrived is shown without a new page', async () => {
    const page = await open(await learner('arrives', { grading }));
    await page.getByRole('button', { name: /^Mark as done/ }).click();
    await page.locator('[data-awaited]').waitFor();
    const { scores } = opened.services.store;
    const [now, later] = [new Date(Date.now() + 1e9), new Date(Date.now() + 2e9)];
    for (let claimed = await scores.claimDue(now, later); claimed; ) {
      const { id, attempts, dueAt, earnedAt } = claimed;
      const outcome = { state: 'delivered', failures: 0, dueAt, earnedAt, lastError: null } as const;
      await scores.settleScore(id, attempts, outcome);
      claimed = await scores.claimDue(now, later);
    }
    await page.getByText('Your grade (10 points) was sent to the gradebook on').first().waitFor();
    expect(await page.locator('[data-awaited]').count()).toBe(0);
    await page.close();
  });

  test('a learner says what they think in place', async () => {
    const page = await open(await learner('thinks'));
    expect(await page.getByRole('button', { name: 'Send' }).isVisible()).toBe(false);
    await page.getByRole('radio', { name: 'Not useful' }).check();
    await page.getByLabel('Comment (optional)').fill('Too short.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Thank you. Your answer has been sent.').first().waitFor();
    expect(await page.getByRole('radio', { name: 'Not useful' }).isChecked()).toBe(true);
    expect(new URL(page.url()).searchParams.has('said')).toBe(false);
    await page.close();
  });

  test('what was typed stays where it could not be sent', async () => {
    const page = await open(await learner('offline'));
    await page.waitForLoadState('networkidle');
    await page.getByRole('radio', { name: 'Useful', exact: true }).check();
    await page.getByLabel('Comment (optional)').fill('Good.');
    await page.route('**/lti/object/feedback', (route) => route.abort());
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.form-problem').getByText('cannot be reached').waitFor();
    expect(await page.getByLabel('Comment (optional)').inputValue()).toBe('Good.');
    await page.close();
  });

  test('what was typed stays where the launch is over meanwhile', async () => {
    const page = await open(await learner('late'));
    await page.waitForLoadState('networkidle');
    await page.getByRole('radio', { name: 'Useful', exact: true }).check();
    await page.getByLabel('Comment (optional)').fill('Good.');
    await page.route('**/lti/object/feedback', (route) => route.fulfill({ status: 401, body: '{}' }));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.form-problem').getByText('Open the activity again from the course').waitFor();
    expect(await page.getByLabel('Comment (optional)').inputValue()).toBe('Good.');
    await page.close();
  });

  test('what is done by viewing on another site is done when it is opened there', async () => {
    const link = { resourceLink: { id: 'viewed', title: null, description: null }, custom: {} };
    const teacher = await opened.deps.launches.getLaunch(await opened.teach(link), 'resource-link');
    await opened.services.placements.replace(teacher, { ...chosen, completion: 'viewed' });
    const page = await open(await learner('opens', { ...link, grading }));
    await page.context().route('https://example.org/**', (route) => route.fulfill({ body: 'The object' }));
    expect(await page.locator('#done').innerText()).toContain('as soon as you open it with “Open”');
    await page.getByRole('link', { name: 'Open' }).first().click();
    await page.locator('.done-mark').waitFor();
    expect(await page.locator('#status').textContent()).toMatch(/^✓ You have finished/);
    await page.context().close();
  });

  test('everything works without a script', async () => {
    const page = await open(await learner('without-script'), { javaScriptEnabled: false });
    await page.getByRole('button', { name: /^Mark as done/ }).click();
    expect(await page.locator('.done-mark').innerText()).toContain('You have finished');
    await page.getByRole('radio', { name: 'Useful', exact: true }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.locator('#feedback').innerText()).toContain('Thank you');
    await page.getByRole('link', { name: 'Show similar resources' }).click();
    await page.getByRole('link', { name: 'Bare' }).waitFor();
    await page.getByRole('link', { name: 'Back to the resource' }).click();
    expect(await page.locator('h1').innerText()).toBe('Week 1: Python');
    await page.close();
  });

  test('the page tells the platform how high it is, also when that changes', async () => {
    const platformOrigin = course.url;
    const token = await learner('framed', { platformOrigin });
    const page = await browser.newPage();
    const address = addressOf(token);
    await page.goto(`${course.url}/?${new URLSearchParams({ frame: address })}`);
    const heard = () =>
      page.evaluate(
        () => (window as unknown as { heard: { subject: string; height: number; origin: string }[] }).heard,
      );
    const frame = page.frames().find((each) => each.url().startsWith(opened.url))!;
    await frame.getByRole('link', { name: 'Bare' }).waitFor();
    const height = () => frame.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
    await expect.poll(async () => (await heard()).at(-1)?.height).toBe(await height());
    const before = await height();
    await frame.getByRole('radio', { name: 'Useful', exact: true }).check();
    await expect.poll(async () => (await heard()).at(-1)?.height).toBeGreaterThan(before);
    expect(new Set((await heard()).map(({ subject, origin }) => `${subject} ${origin}`))).toEqual(
      new Set([`lti.frameResize ${opened.url}`]),
    );
    await page.close();
  });

  test('a platform that is not the one of the launch is told nothing', async () => {
    const page = await browser.newPage();
    const address = addressOf(await learner('elsewhere'));
    await page.goto(`${course.url}/?${new URLSearchParams({ frame: address })}`);
    await page.waitForLoadState('networkidle');
    expect(page.frames().some((each) => each.url().startsWith(opened.url))).toBe(false);
    expect(await page.evaluate(() => (window as unknown as { heard: unknown[] }).heard)).toEqual([]);
    await page.close();
  });

  test('who teaches sees who is done by name', async () => {
    await opened.send('/object/done', await learner('learner-1'));
    const page = await open(await opened.teach({ membershipsUrl }));
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'Lea Learner' }).waitFor();
    expect(await rows.filter({ hasText: 'Lea Learner' }).innerText()).toMatch(/\d{4}.*\d{4}/);
    expect(await rows.filter({ hasText: 'Bo' }).innerText()).toContain('not yet');
    await page.close();
  });

  test('the list of a large course is paged and searched in place, and by a reload', async () => {
    const members = Array.from({ length: 60 }, (_, n) => member(`large-${n}`, `Person ${n}`));
    const large = await openObject({}, { deps: { platforms: { listMembers: async () => members } as never } });
    const page = await browser.newPage();
    await page.goto(`${large.url}/lti/object?launch=${await large.teach({ membershipsUrl })}`);
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByText('Page 2 of 3').waitFor();
    expect(page.url()).toBe(`${large.url}/lti/object?page=2`);
    await page.reload();
    await page.getByText('Page 2 of 3').waitFor();
    await page.getByRole('searchbox').fill('person 5');
    await page.getByRole('searchbox').press('Enter');
    await page.locator('.people-count').filter({ hasText: '11 names' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('people-count');
    expect(await page.locator('.people tbody tr').count()).toBe(11);
    await expectGoodLooks(page);
    await page.close();
    await large.close();
  });

  test('the page is light in a frame until the reader chooses dark, and follows the system in a window', async () => {
    const page = await browser.newPage({ colorScheme: 'dark' });
    const theme = (within: Page | Frame) =>
      within.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    const address = addressOf(await learner('themed', { platformOrigin: course.url }));
    await page.goto(address);
    expect(await theme(page)).toBe('light dark');
    const openFrame = async () => {
      await page.goto(`${course.url}/?${new URLSearchParams({ frame: address })}`);
      const frame = page.frames().find((each) => each.url().startsWith(opened.url))!;
      await frame.getByRole('button', { name: 'Dark colours' }).waitFor();
      return frame;
    };
    const frame = await openFrame();
    expect(await theme(frame)).toBe('light');
    await frame.getByRole('button', { name: 'Dark colours' }).click();
    expect(await theme(frame)).toBe('dark');
    expect(await theme(await openFrame())).toBe('dark');
    await page.close();
  });

  test.each(draw(['en', 'fr'] as const, 'object'))('axe finds nothing, and nothing is too wide: %s', async (locale) => {
    const id = `axe-${locale}`;
    const unchosen = { custom: {}, resourceLink: { id, title: null, description: null } };
    const framed = await learner(`${id}-done`, { locale, grading });
    await opened.sendByScript('/object/done', framed);
    await opened.sendByScript('/object/feedback', framed, { verdict: 'broken' });
    const tokens = [
      await learner(id, { locale, grading }),
      framed,
      await opened.launch({ locale, role: 'other' }),
      await opened.launch({ locale, ...unchosen }),
      await opened.teach({ locale, membershipsUrl, grading }),
      await opened.teach({ locale, ...unchosen }),
    ];
    const page = await browser.newPage();
    for (const token of tokens) {
      await page.goto(addressOf(token));
      await page.waitForLoadState('networkidle');
      await expectGoodLooks(page);
    }
    await page.close();
  });
});
