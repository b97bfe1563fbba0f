/// <reference lib="dom" />
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakePlatform, startFakePlatform } from '../fakes/lti-platform.ts';
import { PUBLIC_ORIGIN, standAtPublicOrigin } from '../fakes/web-site.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { draw } from '../helpers/draw.ts';
import { type HostProcess, startHostProcess } from '../helpers/host-process.ts';
import { expectGoodLooks, sizes } from '../helpers/looks.ts';
import { type MongoServer, startMongoServer } from '../helpers/mongo-server.ts';
import { chooseFile, setUp } from './admin-journey.ts';
import { makeRegistrationLink, openInCourse, register } from './lti-journey.ts';

/** A site of two pages that say something of themselves, one that says nothing, and one that is
 *  closed to programs. */
async function startSite(): Promise<Server> {
  const page = (head: string) => `<!doctype html><html lang="fr"><head>${head}</head><body><p>…</body></html>`;
  const pages: Readonly<Record<string, string>> = {
    '/robots.txt': 'User-agent: *\nDisallow: /closed',
    '/loom': page(
      `<title>Wrong</title><meta property="og:title" content="Tisser la laine &lt;b&gt;"><meta property="og:description" content="Monter un métier et tisser une écharpe."><meta property="og:image" content="/loom.jpg"><meta property="og:type" content="video.other"><meta property="og:video:duration" content="1500"><meta property="og:site_name" content="Atelier de Lyon">`,
    ),
    '/forge': page('<title>Forger un couteau</title><meta name="description" content="Le feu et le marteau.">'),
    '/closed': page('<title>Secret</title>'),
    '/empty': page(''),
  };
  const server = createServer(({ url = '' }, response) => {
    const text = pages[url];
    response.writeHead(text === undefined ? 404 : 200, {
      'content-type': url === '/robots.txt' ? 'text/plain' : 'text/html; charset=utf-8',
    });
    response.end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

// The contract of the stores holds both to the same.
describe.skipIf(!hasBrowser()).each(draw(['sqlite', 'mongo'] as const, 'store of objects'))(
  'an administrator tends objects, on %s',
  (kind) => {
    let site: Server;
    let mongo: MongoServer | null = null;
    let host: HostProcess;
    /** On the same store, where there can be one. */
    let other: HostProcess | null = null;
    let platform: FakePlatform;
    let browser: Browser;

    beforeAll(async () => {
      if (kind === 'mongo') mongo = await startMongoServer();
      if (kind === 'mongo' && mongo === null) return;
      const SECRET_KEY = '7'.repeat(64);
      site = await startSite();
      const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
      const env: Record<string, string> = {
        ...standAtPublicOrigin({ origin }),
        ...(mongo !== null && { MONGODB_URI: mongo.uri, SECRET_KEY }),
      };
      [host, platform, browser] = await Promise.all([
        startHostProcess(env),
        startFakePlatform({ mode: 'moodle', platformStorage: false, hasSharedIssuer: false }),
        launchBrowser(),
      ]);
      if (mongo !== null) other = await startHostProcess(env);
    });
    afterAll(async () => {
      await browser?.close();
      await platform?.close();
      await other?.stop();
      await host?.stop();
      await mongo?.stop();
      site?.close();
    });

    test('what is added, hidden, edited and imported is in the picker within two seconds', async ({ skip }) => {
      if (kind === 'mongo' && mongo === null) return skip();
      const context = await browser.newContext({ viewport: sizes.desktop, locale: 'en' });
      const [admin, course] = [await context.newPage(), await context.newPage()];
      await setUp(admin, host);
      await register(course, platform, await makeRegistrationLink(admin));
      let tool = await openInCourse(course, platform, { width: 1_100, height: 760 });
      const key = await host.createKey();

      /** What the other host says, or the only one. */
      async function searchElsewhere(words: string): Promise<readonly string[]> {
        const address = `${(other ?? host).url}/learningobject/v2/search?${new URLSearchParams({ keywords: words, model: 'strict', max: '20' })}`;
        const answer = await fetch(address, { headers: { 'x-api-key': key } });
        const { response } = (await answer.json()) as { response: { content: { title: string }[] } };
        return response.content.map(({ title }) => title);
      }
      const isFound = async (words: string, title: string) => {
        await expect.poll(() => findInPicker(tool, words)).toContain(title);
        await expect.poll(() => searchElsewhere(words)).toContain(title);
      };
      const isGone = async (words: string, title: string) => {
        await expect.poll(() => findInPicker(tool, words)).not.toContain(title);
        await expect.poll(() => searchElsewhere(words)).not.toContain(title);
      };
      const openList = (query = '') => admin.goto(`${host.url}/admin/catalogue/objects${query}`);

      // By its address.
      await openList();
      await expectGoodLooks(admin);
      await admin.getByRole('link', { name: 'Add a resource' }).click();
      await readAddress(admin, `${PUBLIC_ORIGIN}/closed`);
      expect(await admin.getByRole('alert').textContent()).toContain('robots.txt');
      await expectGoodLooks(admin);
      await readAddress(admin, `${PUBLIC_ORIGIN}/gone`);
      expect(await admin.getByRole('alert').textContent()).toContain('404');
      await readAddress(admin, `${PUBLIC_ORIGIN}/loom`);
      await admin.getByRole('heading', { name: 'Check the details' }).waitFor();
      const value = (label: string) => admin.getByLabel(label, { exact: true }).inputValue();
      expect(
        await Promise.all(['Title', 'Provider', 'Language', 'Length in minutes', 'Picture address'].map(value)),
      ).toEqual(['Tisser la laine <b>', 'Atelier de Lyon', 'fr', '25', `${PUBLIC_ORIGIN}/loom.jpg`]);
      expect(await admin.getByRole('checkbox', { name: 'Video', exact: true }).isChecked()).toBe(true);
      await expectGoodLooks(admin);
      expect(await findInPicker(tool, 'tisser laine')).not.toContain('Tisser la laine <b>');
      await admin.getByRole('button', { name: 'Add' }).click();
      await admin.getByText('Resource added').waitFor();
      await isFound('tisser laine', 'Tisser la laine <b>');
      await expectGoodLooks(admin);

      // Hidden.
      await openList('?q=python');
      const [first, second] = await admin.locator('tbody th a:first-child').all();
      const [hiddenTitle, editedTitle] = [await first!.textContent(), await second!.textContent()];
      const editedAddress = await second!.getAttribute('href');
      await first!.click();
      const hiddenUrl = new URL(admin.url()).searchParams.get('url')!;
      await isFound('python', hiddenTitle!);
      await admin.getByRole('button', { name: 'Hide', exact: true }).click();
      await admin.getByText('Resource hidden').waitFor();
      await isGone('python', hiddenTitle!);

      // Edited.
      await admin.goto(new URL(editedAddress!, host.url).href);
      const editedUrl = new URL(admin.url()).searchParams.get('url')!;
      await admin.getByRole('link', { name: 'Edit', exact: true }).click();
      await admin.getByLabel('Title', { exact: true }).fill('Zythology for everybody');
      await admin.getByRole('button', { name: 'Save', exact: true }).click();
      await admin.getByText('Resource changed').waitFor();
      await isFound('zythology', 'Zythology for everybody');
      await isGone('python', editedTitle!);

      // Imported again.
      await admin.goto(`${host.url}/admin/imports/new`);
      const rows = [
        'url,title,description,provider,author,lang',
        `${hiddenUrl},Hidden xylography,Said anew.,school,,en`,
        `${editedUrl},Imported xylography,Said anew.,school,Grace Hopper,en`,
        'https://school.example/smithy,Smithing quillwork,New.,school,,en',
      ];
      await chooseFile(admin, 'objects.csv', rows.join('\n'));
      await admin.getByRole('button', { name: 'Import now' }).click();
      await expect.poll(() => findInPicker(tool, 'quillwork')).toContain('Smithing quillwork');
      await isFound('zythology', 'Zythology for everybody');
      // Found by the keywords that the import brought, which nobody had changed.
      expect(await findInPicker(tool, 'xylography')).toEqual(['Zythology for everybody']);
      await admin.goto(new URL(editedAddress!, host.url).href);
      expect(await admin.getByRole('row', { name: /Grace Hopper/ }).textContent()).toContain('objects.csv');
      await expectGoodLooks(admin);

      // Undone.
      await admin.getByRole('button', { name: 'Undo the last change' }).click();
      await admin.getByText('Last change undone').waitFor();
      await isFound('xylography', 'Imported xylography');

      // Suggested by an instructor, and approved.
      await tool.getByRole('tab', { name: 'Your link' }).click();
      await tool.getByLabel('Web address').fill(`${PUBLIC_ORIGIN}/forge`);
      await tool.getByText('We filled in what the page says').waitFor();
      await tool.getByRole('checkbox', { name: 'Also suggest it to colleagues' }).check();
      await expectGoodLooks(course, tool);
      await tool.getByRole('button', { name: 'Add to the selection' }).click();
      await tool.getByText('Added to your selection.').waitFor();
      await expectGoodLooks(course, tool);
      await tool.locator('[data-tray-choose]:visible').click();
      await expect.poll(() => platform.links.size).toBe(1);
      tool = await openInCourse(course, platform, { width: 1_100, height: 760 });
      await isGone('forger couteau', 'Forger un couteau');
      await openList();
      await expectGoodLooks(admin);
      await admin.getByRole('button', { name: /Approve/ }).click();
      await admin.getByText('Suggestion approved').waitFor();
      await isFound('forger couteau', 'Forger un couteau');
      await context.close();
    });
  },
);

async function readAddress(admin: Page, address: string): Promise<void> {
  await admin.getByLabel('Address', { exact: true }).fill(address);
  await admin.getByRole('button', { name: 'Read the page' }).click();
}

/** Titles of the first results. */
async function findInPicker(tool: Frame, words: string): Promise<readonly string[]> {
  await tool.locator('#q').fill(words);
  await Promise.all([
    tool.page().waitForResponse((response) => response.url().includes('/picker/results')),
    tool.locator('#q').press('Enter'),
  ]);
  await expect.poll(() => tool.locator('#results').getAttribute('aria-busy')).not.toBe('true');
  return tool.locator('#results .card .card-title').allTextContents();
}
