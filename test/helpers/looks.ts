/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { draw } from './draw.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The windows in which every page must look good, in CSS pixels: the dialog of a learning platform, a desktop, a phone. */
export const sizes = {
  dialog: { width: 770, height: 578 },
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

interface Size {
  readonly width: number;
  readonly height: number;
}

const looksIn = (windows: readonly Size[]) =>
  windows.flatMap((size) => (['light', 'dark'] as const).map((colorScheme) => ({ size, colorScheme })));

/** The page as it is now has nothing that axe calls a violation and fits its window, in every size, light and dark (one of these
 *  unless the run is a full one). Leaves size and colours as they were.
 *  @param within a frame of the page that is looked at instead
 *  @param windows other ones than the usual, in CSS pixels */
export async function expectGoodLooks(
  page: Page,
  within: Page | Frame = page,
  windows: readonly Size[] = Object.values(sizes),
): Promise<void> {
  const before = page.viewportSize();
  await within.evaluate(axe);
  const seen = new Set<string>();
  for (const { size, colorScheme } of draw(
    looksIn(windows),
    `${new URL(within.url()).pathname} ${await within.title()}`,
  )) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await settle(page, within);
    const fit = {
      address: within.url(),
      size,
      tooWide: await findExcessWidth(within),
      cut: await findCutCells(within),
    };
    expect(fit).toEqual({ ...fit, tooWide: 0, cut: [] });
    // Where a size shows the same elements as another, axe would find the same.
    const shown = `${colorScheme} ${await listShown(within)}`;
    if (seen.has(shown)) continue;
    seen.add(shown);
    const found = { address: within.url(), size, colorScheme, violations: await findViolations(within) };
    expect(found).toEqual({ ...found, violations: [] });
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}

/** The same in the window and the colours that the page has: for walks over many pages. */
export async function expectGoodLook(page: Page, within: Page | Frame = page): Promise<void> {
  // What is on its way is pale on purpose.
  await within.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  await settle(page, within);
  const look = { address: within.url(), tooWide: await findExcessWidth(within), cut: await findCutCells(within) };
  await within.evaluate(axe);
  const found = { ...look, violations: await findViolations(within) };
  expect(found).toEqual({ ...found, tooWide: 0, cut: [], violations: [] });
}

/** Waits until the page has taken on its new size and colours: its scripts have run, and its transitions have ended. */
async function settle(page: Page, within: Page | Frame): Promise<void> {
  for (const drawn of new Set([page, within]))
    await drawn.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  await within.evaluate(async () => {
    // In a closed `<details>`, a transition begins as soon as styles are read, and never ends.
    const isShown = ({ effect }: Animation) => (effect as KeyframeEffect).target?.checkVisibility() === true;
    const changes = document.getAnimations().filter((each) => each instanceof CSSTransition && isShown(each));
    await Promise.allSettled(changes.map(({ finished }) => finished));
  });
}

/** CSS pixels that the page is wider than its window. */
function findExcessWidth(page: Page | Frame): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}

/** Texts of cells that are higher than their cell: they lie over the next one. */
function findCutCells(page: Page | Frame): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('td, th')]
      .filter((cell) => cell.checkVisibility() && cell.scrollHeight > cell.clientHeight + 1)
      .map((cell) => cell.textContent.trim().slice(0, 60)),
  );
}

/** Which elements can be seen, one digit each. */
function listShown(page: Page | Frame): Promise<string> {
  return page.evaluate(() =>
    [...document.body.querySelectorAll('*')]
      .map((element) => (element.checkVisibility({ visibilityProperty: true }) ? 1 : 0))
      .join(''),
  );
}

function findViolations(page: Page | Frame): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    // What passes is not described.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}
