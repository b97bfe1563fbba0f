/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getProductTraits } from '../../../src/domain/lti/products.ts';
import { ltiProducts } from '../../../src/domain/lti/registration.ts';
import { getToolIcon } from '../../../src/faces/lti/tool-addresses.ts';
import { hasBrowser, launchBrowser } from '../../helpers/browser.ts';

const iconOf = (product: (typeof ltiProducts)[number]) => getToolIcon('', getProductTraits(product));

test.each(ltiProducts)('the icon for %s is served', (product) => {
  expect(readFileSync(`views${iconOf(product)}`, 'utf8')).toContain('<svg');
});

describe.skipIf(!hasBrowser())('the icon of an activity in Moodle', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 64, height: 64 } });
  });
  afterAll(() => browser?.close());

  test('is a white shape on the colour of the activity, not a square', async () => {
    const svg = readFileSync(`views${iconOf('moodle')}`).toString('base64');
    await page.setContent(`<style>body { margin: 0; background: #399be2 }
      img { filter: brightness(0) invert(1); width: 64px; display: block }</style>
      <img src="data:image/svg+xml;base64,${svg}">`);
    const picture = (await page.screenshot()).toString('base64');
    const white = await page.evaluate(async (base64) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
      canvas.drawImage(image, 0, 0);
      const { data } = canvas.getImageData(0, 0, image.width, image.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i]! > 250 && data[i + 1]! > 250) count++;
      return count / (image.width * image.height);
    }, picture);
    expect(white).toBeGreaterThan(0.15);
    expect(white).toBeLessThan(0.6);
  });
});
