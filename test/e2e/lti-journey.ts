/// <reference lib="dom" />
import type { Frame, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { FakePlatform } from '../fakes/lti-platform.ts';
import { keepPicture, sayWhereItStays } from '../helpers/browser.ts';
import type { HostProcess } from '../helpers/host-process.ts';
import { chooseInMenu } from './admin-journey.ts';

/** What people do with the tool inside a platform, by what they see, and where it says so by the
 *  keyboard alone. */

/** On the admin page, signed in: a registration link, as it is shown once. */
export async function makeRegistrationLink(page: Page): Promise<string> {
  await chooseInMenu(page, 'LMS registrations');
  await page
    .getByRole('link', { name: /Connect a platform/ })
    .first()
    .click();
  await keepPicture(page, 'lti-connect');
  await page.getByRole('button', { name: /Create a (?:registration )?link/ }).click();
  const link = page.locator('code', { hasText: '/lti/register?token=' });
  return (await link.textContent())!.trim();
}

/** In the platform, as its administrator does. */
export async function register(page: Page, platform: FakePlatform, link: string): Promise<void> {
  await page.goto(platform.registrationPageUrl(link));
  const tool = toolOf(page);
  await tool.getByRole('button', { name: /^Register/ }).waitFor();
  await keepPicture(frameOf(page), 'lti-register');
  await tool.getByRole('button', { name: /^Register/ }).click();
  await tool.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => platform.windowMessages.map(({ message }) => message).join()).toContain('lti.close');
}

/** The tool's frame within a page of the platform. */
export function toolOf(page: Page): Frame {
  const frame = page.frame({ name: 'tool' });
  if (frame === null) throw new Error('The page of the platform has no frame for the tool');
  return frame;
}

/** The same as it is seen. */
export const frameOf = (page: Page): Locator => page.locator('iframe[name="tool"]');

/** Presses Tab until something that matches has the focus. */
export async function tabTo(page: Page, selector: string, most = 120): Promise<void> {
  for (let pressed = 0; pressed < most; pressed += 1) {
    await page.keyboard.press('Tab');
    if (await hasFocus(page, selector)) return;
  }
  throw new Error(`Nothing that matches ${selector} was reached by ${most} times Tab`);
}

async function hasFocus(page: Page, selector: string): Promise<boolean> {
  return toolOf(page).evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
}

/** Searches, adds the first `count` results, the first of them graded, and sends them to the
 *  course: without a mouse. */
export async function chooseByKeyboard(page: Page, words: string, count: number): Promise<void> {
  const tool = toolOf(page);
  await tool.locator('#q').waitFor();
  await tabTo(page, '#q');
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await tool
    .locator('#results .card')
    .nth(count - 1)
    .waitFor();
  for (let added = 1; added <= count; added += 1) {
    await tabTo(page, '#results [data-add][aria-pressed="false"]');
    await page.keyboard.press('Enter');
    await expect.poll(() => tool.locator('[data-tray-count]').textContent()).toBe(String(added));
  }
  // In a roomy frame it is open all the time.
  if (await tool.locator('#tray-toggle').isVisible()) {
    await tabTo(page, '#tray-toggle');
    await page.keyboard.press('Enter');
  }
  await tabTo(page, '.tray-item .tray-more > summary');
  await page.keyboard.press('Enter');
  await tabTo(page, '[data-field="graded"]');
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await tool.evaluate(() => scrollTo(0, 0));
  await keepPicture(frameOf(page), 'lti-picker');
  await tabTo(page, '[data-tray-choose]');
  await page.keyboard.press('Enter');
}

/** Tools that were launched in a frame say that they are there by a heading of level 1. */
export async function openInCourse(
  page: Page,
  platform: FakePlatform,
  wish: Parameters<FakePlatform['launchPageUrl']>[0] = {},
): Promise<Frame> {
  await page.goto(platform.launchPageUrl(wish));
  const tool = toolOf(page);
  await sayWhereItStays(tool, tool.locator('h1').first().waitFor());
  return tool;
}

/** Where the tool lives, as the platform is told. */
export const launchAddress = (host: HostProcess): string => `${host.url}/lti/launch`;
