/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { search } from '../faces/lti/picker/open-picker.ts';
import { type RunningProtocol, startProtocol } from '../faces/lti/protocol/start-protocol.ts';
import { bareObject } from '../fakes/learning-service.ts';
import { hasBrowser, launchOwnBrowser } from '../helpers/browser.ts';
import { openInCourse, toolOf } from './lti-journey.ts';

/** What products were seen to do otherwise than others; how each does it is in `test/fakes/lti/modes.ts`. Moodle on a phone gives a
 *  small dialog, heights that are asked for are ignored, and it tells of courses that were copied, not of links. Open edX gives all
 *  items of a block one id, makes no line items and tells nothing of copies. */
const products = [
  { mode: 'moodle', dialog: { width: 340, height: 255 } },
  { mode: 'canvas', dialog: { width: 900, height: 700 } },
  { mode: 'edx', dialog: { width: 390, height: 600 } },
] as const;

const soon = { timeout: 20_000 };

describe.skipIf(!hasBrowser()).each(products)('in the manner of $mode', ({ mode, dialog }) => {
  let running: RunningProtocol;
  let browser: Browser;
  let page: Page;
  // Anew for each try: a second one must not find what the first has placed.
  beforeEach(async () => {
    running = await startProtocol({ mode, hasSharedIssuer: false });
    Object.assign(running.lti.services.local, { searchMany: search, searchProvider: search });
    browser = await launchOwnBrowser(['--test-third-party-cookie-phaseout']);
  });
  afterEach(async () => {
    await browser?.close();
    await running?.close();
  });

  /** The title that a learner sees. */
  async function titleOf(link: string, person = 'lea'): Promise<string> {
    const tool = await openInCourse(page, running.platform, { link, person, width: 340, height: 255 });
    return (await tool.locator('h1').textContent())!.trim();
  }

  /** Puts another object behind a link, as its teacher. */
  async function replace(link: string, title: string): Promise<void> {
    const { placements, launches } = running.lti.deps;
    const { location } = await running.platform.launch({ link, person: 'ines' });
    const launch = await launches.getLaunch(location!.searchParams.get('launch')!, 'resource-link');
    const object = { ...bareObject, url: 'https://example.org/other', title };
    await placements.replace(launch, { object, requestId: null, title, completion: 'marked', points: 10 });
  }

  test('what is chosen opens as it was meant, in its course and in a copy, and is graded there', async () => {
    const { platform, lti } = running;
    const services = lti.services;
    const outbox = services.createScoreOutbox(lti.deps.platforms, { pollMs: 100 });
    outbox.start();
    page = await browser.newPage();
    const picker = await openInCourse(page, platform, dialog);
    await picker.fill('#q', 'Weaving');
    await picker.press('#q', 'Enter');
    for (const letter of ['a', 'b'])
      await picker.locator(`#results [data-title="Weaving ${letter}"] [data-add]`).click();
    if (await picker.locator('#tray-toggle').isVisible()) await picker.locator('#tray-toggle').click();
    for (const graded of await picker.locator('[data-field="graded"]').all()) await graded.check();
    await toolOf(page).locator('[data-tray-choose]:visible').click();
    await expect.poll(() => platform.links.size, soon).toBe(2);
    const [first, second] = [...platform.links.values()].map(({ id }) => id) as [string, string];

    expect([await titleOf(second), await titleOf(first)]).toEqual(['Weaving b', 'Weaving a']);
    await replace(first, 'Dyeing');
    expect([await titleOf(first), await titleOf(second)]).toEqual(['Dyeing', 'Weaving b']);

    const [copyOfFirst, copyOfSecond] = platform.copyCourse('course-1');
    expect(await titleOf(copyOfSecond!.id, 'liam')).toBe('Weaving b');
    expect(await titleOf(copyOfFirst!.id, 'liam')).toBe('Dyeing');
    await toolOf(page).locator('.done-form button').click();
    const scored = () => [...platform.scores.values()].map(({ userId, scoreGiven }) => [userId, scoreGiven]);
    await vi.waitFor(() => expect(scored()).toEqual([['liam', 10]]), soon);
    await outbox.close();
    expect(platform.refusals).toEqual([]);
  }, 120_000);
});
