import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitForAddress } from '../helpers/browser.ts';

/** What people do in the demo course, in any language. */

/** The tool in a frame of the page, once it shows what it is asked for. */
export async function toolOf(page: Page, selector: string): Promise<Frame> {
  const frame = (await (await page.waitForSelector(selector)).contentFrame())!;
  await waitForAddress(frame, /\/lti\/(?:picker|object)/);
  return frame;
}

/** Opens the picker in a part of the course. A click before the page's script has run leads to the page without a dialog. */
export async function openPicker(page: Page, section: string): Promise<Frame> {
  await page.waitForLoadState('domcontentloaded');
  await page.locator(`#${section} [data-choose]`).click();
  return toolOf(page, 'dialog iframe');
}

/** Searches and adds the first `count` results. */
export async function addFound(picker: Frame, words: string, count: number): Promise<void> {
  await picker.fill('#q', words);
  await picker.press('#q', 'Enter');
  for (let added = 1; added <= count; added += 1) {
    await picker.locator('#results [data-add][aria-pressed="false"]').first().click();
    await expect.poll(() => picker.locator('[data-tray-count]').textContent()).toBe(String(added));
  }
}

export const gradedItem = (page: Page) => page.locator('.item', { has: page.locator('.points') }).first();
