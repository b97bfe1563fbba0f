/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** The page as it is now has nothing that axe calls a violation, in any of the sizes: it is looked at in the first, and in those
 *  that show other elements than the sizes before.
 *  @param within a frame of the page that is looked at instead */
export async function expectNoViolations(
  page: Page,
  sizes: readonly Viewport[],
  within: Page | Frame = page,
): Promise<void> {
  await within.evaluate(axe);
  const seen = new Set<string>();
  for (const viewport of sizes) {
    await page.setViewportSize(viewport);
    const shown = await listShown(within);
    if (seen.has(shown)) continue;
    seen.add(shown);
    const found = { address: within.url(), viewport, violations: await findViolations(within) };
    expect(found).toEqual({ ...found, violations: [] });
  }
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
