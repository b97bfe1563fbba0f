/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** The page as it is now has nothing that axe calls a violation, in any of the sizes. */
export async function expectNoViolations(page: Page, sizes: readonly Viewport[]): Promise<void> {
  await page.evaluate(axe);
  for (const viewport of sizes) {
    await page.setViewportSize(viewport);
    const found = { address: page.url(), viewport, violations: await findViolations(page) };
    expect(found).toEqual({ ...found, violations: [] });
  }
}

async function findViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}
