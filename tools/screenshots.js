#!/usr/bin/env node
// Takes the pictures of the front page, of results and of the admin page in docs/images/, light and
// dark, from a new host: `npm run build && node tools/screenshots.js`. Pictures of the LMS and Slack
// guides come from browser tests (CONTRIBUTING.md).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const ADMIN_PASSWORD = 'only-for-the-screenshots';
const images = join(import.meta.dirname, '../docs/images');
const dataDir = mkdtempSync(join(tmpdir(), 'skilldock-screenshots-'));

const host = spawn(process.execPath, [join(import.meta.dirname, '../bin/skilldock.js'), 'serve', '--verbose'], {
  // Nothing of the web: covers are drawn.
  env: { ...process.env, PORT: '0', DATA_DIR: dataDir, PICTURES: '0', ADMIN_PASSWORD },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const url = await readAddress();
  for (const colorScheme of ['light', 'dark']) await takePictures(url, colorScheme);
} finally {
  await browser.close();
  host.kill();
  rmSync(dataDir, { recursive: true, force: true });
}

async function readAddress() {
  let output = '';
  for await (const chunk of host.stdout) {
    output += chunk;
    const [, url] = /ready at (\S+)/.exec(output) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`The host did not start: ${output}`);
}

async function takePictures(url, colorScheme) {
  const viewport = { width: 1280, height: 800 };
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-GB' });
  const page = await context.newPage();
  const take = async (name, address) => {
    if (address !== undefined) await page.goto(url + address);
    await page.evaluate(() => document.fonts.ready);
    const picture = sharp(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    const file = join(images, `${name}${colorScheme === 'dark' ? '-dark' : ''}.png`);
    await picture.png({ palette: true, quality: 90, effort: 10 }).toFile(file);
  };

  await take('front', '/');
  await take('search', '/?q=python');
  await page.goto(`${url}/admin`);
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password').fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await take('admin');
  await context.close();
}
