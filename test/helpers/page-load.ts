/// <reference lib="dom" />
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Notes every layout shift of the pages that are opened from now on, for `readLoad`. */
export const watchShifts = (pages: Page | BrowserContext) =>
  pages.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** What it took to load the page, pictures of resources aside.
 *  Units: kilobytes as sent; `shift` has no unit, and is 0 where nothing moved. */
export function readLoad(page: Page | Frame): Promise<{ shift: number; requests: number; kilobytes: number }> {
  return page.evaluate(() => {
    const entries = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
    const loaded = (entries as PerformanceResourceTiming[]).filter(({ name }) => !name.includes('/pictures/'));
    return {
      shift: (window as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0),
      requests: loaded.length,
      kilobytes: loaded.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1_000,
    };
  });
}

/** Opens the address in the page: few requests, few kilobytes, and nothing moves. */
export async function expectLightLoad(
  page: Page,
  address: string,
  most: { readonly requests: number; readonly kilobytes: number },
): Promise<void> {
  await watchShifts(page);
  await page.goto(address, { waitUntil: 'networkidle' });
  const load = await readLoad(page);
  expect(load).toEqual({ shift: 0, requests: expect.any(Number), kilobytes: expect.any(Number) });
  expect(load.requests).toBeLessThanOrEqual(most.requests);
  expect(load.kilobytes).toBeLessThan(most.kilobytes);
}
