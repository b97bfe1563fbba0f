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

/** The page as it is now has nothing that axe calls a violation, in any of the sizes.
 *  @param within a frame of the page that is looked at instead */
export async function expectNoViolations(
  page: Page,
  sizes: readonly Viewport[],
  within: Page | Frame = page,
): Promise<void> {
  await within.evaluate(axe);
  for (const viewport of sizes) {
    await page.setViewportSize(viewport);
    const found = { address: within.url(), viewport, violations: await findViolations(within) };
    expect(found).toEqual({ ...found, violations: [] });
  }
}

async function findViolations(page: Page | Frame): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}
