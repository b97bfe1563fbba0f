import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ImportRequest } from '../../src/ports/imports.ts';
import { type AdminBrowser, createAdminBrowser } from '../faces/admin/admin-browser.ts';
import { draw } from '../helpers/draw.ts';
import { type HostProcess, runProgram, startHostProcess } from '../helpers/host-process.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { BUSY, busySite, type Hostile, hostiles } from './hostile-files.ts';
import { placeHostile } from './read-hostile.ts';

const SIZE = 100_000;
/** A host that content freezes computes for far longer before it answers again. */
const LONGEST_SILENCE_MS = 3_000;
const AT_ONCE = 3;

const password = 'four words about nothing';
/** Its sources are on this machine. */
const ownersWay = { ALLOW_PRIVATE_UPSTREAM: '1' };
let host: HostProcess;
let owner: AdminBrowser;
beforeAll(async () => {
  host = await startHostProcess({ ADMIN_PASSWORD: password, TRUST_PROXY: '1', ...ownersWay });
  owner = createAdminBrowser(host.url);
  await owner.post('/sign-in', { name: 'admin', password });
});
afterAll(() => host.stop());

/** How an import ended, and what it says. */
interface Outcome {
  /** Its state, its exit code; `asked again` where the form comes back. */
  readonly end: string | number;
  readonly words: string;
}

async function beginOnPage({ format, location }: ImportRequest, name = ''): Promise<Response> {
  const isAddress = location.startsWith('http');
  const file = isAddress ? null : { name: basename(location), content: readFileSync(location) };
  const fields = { format, address: isAddress ? location : '', langs: '', name, mode: 'begin' };
  return owner.postFile('/imports/new', fields, file);
}

const pathOf = (answer: Response) => answer.headers.get('location')!.slice('/admin'.length);

async function importOnPage(request: ImportRequest, name: string): Promise<Outcome> {
  const answer = await beginOnPage(request, name);
  let page = answer.status === 422 ? await answer.text() : await owner.page(pathOf(answer));
  while (page.includes('data-import-text')) {
    await sleep(150);
    page = await owner.page(pathOf(answer));
  }
  const end = /<p><span class="state [^"]*">([^<]+)</.exec(page)?.[1] ?? 'asked again';
  return { end, words: page.replace(/^.*<h1>/s, '').replace(/(?:<[^>]*>|\s)+/g, ' ') };
}

async function importByCommand(
  { format, location }: ImportRequest,
  name: string,
  ...more: readonly string[]
): Promise<Outcome> {
  const rejected = join(makeTempDir(), 'rejected.csv');
  const options = ['--name', name, '--rejected', rejected, '--json', ...more];
  const { code, stdout, stderr } = await runProgram(['import', format, location, ...options], {
    DATA_DIR: host.dataDir,
    ...ownersWay,
  });
  const rows = existsSync(rejected) ? readFileSync(rejected, 'utf8') : '';
  return { end: code, words: `${stdout}${stderr}${rows}` };
}

/** The second where a test is tried again. */
const imported = /^(?:Published|No changes)$/;

/** As a command, each is a process of its own, so that these are drawn. */
const commanded = new Set(draw(hostiles, 'hostile files as commands', 7));

interface Outcomes {
  readonly page: Outcome;
  readonly command: Outcome | null;
}

async function importHostile(hostile: Hostile, number: number): Promise<Outcomes> {
  const { request, close } = await placeHostile(hostile, SIZE);
  // What can be read is not imported twice: that takes an index.
  const more = 'refused' in hostile.ends ? [] : ['--dry-run'];
  try {
    const command = commanded.has(hostile) ? importByCommand(request, `command-${number}`, ...more) : null;
    return { page: await importOnPage(request, `page-${number}`), command: await command };
  } finally {
    await close();
  }
}

function expectOutcomes(hostile: Hostile): Outcomes {
  const { ends } = hostile;
  const [page, code, words] =
    'refused' in ends
      ? ([/^(?:Failed|asked again)$/, 2, ends.refused] as const)
      : ([imported, 0, 'rejected' in ends ? ends.rejected : /Rejected rows 0|"rejected":0/] as const);
  const said = expect.stringMatching(words);
  return {
    page: { end: expect.stringMatching(page), words: said },
    command: commanded.has(hostile) ? { end: code, words: said } : null,
  };
}

/** What the thread that answers has computed so far, in milliseconds: Linux counts in hundredths of
 *  a second; elsewhere nothing is measured. */
function readCpuMs(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync(`/proc/${host.pid}/task/${host.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** @returns the longest that the host computed without an answer, in milliseconds: the same on a
 *  busy machine */
async function watchHealth(signal: AbortSignal): Promise<number> {
  let longestMs = 0;
  while (!signal.aborted) {
    const before = readCpuMs();
    expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
    longestMs = Math.max(longestMs, readCpuMs() - before);
    await sleep(50);
  }
  return longestMs;
}

test('each hostile file ends with words, or is read, on the page and as a command, while the host answers', async () => {
  const over = new AbortController();
  const silence = watchHealth(over.signal);
  const outcomes = new Map<string, Outcomes>();
  // What is read comes last, so that the host builds its index once for all of it.
  const left = hostiles.toSorted((a, b) => Number('objects' in a.ends) - Number('objects' in b.ends)).entries();
  const work = async () => {
    for (const [number, hostile] of left) outcomes.set(hostile.name, await importHostile(hostile, number));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work)).finally(() => over.abort());
  expect(await silence).toBeLessThan(LONGEST_SILENCE_MS);
  for (const hostile of hostiles)
    expect.soft([hostile.name, outcomes.get(hostile.name)]).toEqual([hostile.name, expectOutcomes(hostile)]);
  expect(readdirSync(join(host.dataDir, 'uploads'))).toEqual([]);
});

let searches = 0;

/** From another address each time, as one may not ask so often. */
async function find(text: string): Promise<string> {
  const headers = { 'x-forwarded-for': `10.0.0.${searches++ % 250}` };
  const answer = await fetch(`${host.url}/?q=${text}`, { headers });
  expect(answer.status).toBe(200);
  return answer.text();
}

test('the next good file is imported and found, whichever way it comes', async () => {
  const good: Hostile = {
    name: 'a good table',
    format: 'objects',
    file: 'good.csv',
    content: () => ({ '/': 'url,title\nhttps://a.example/baskets,Basketry at dawn\n' }),
    ends: { objects: 1 },
  };
  const { request } = await placeHostile(good, 0);
  expect(await importOnPage(request, 'good')).toMatchObject({ end: expect.stringMatching(imported) });
  expect(await importByCommand(request, 'good-too')).toMatchObject({ end: 0 });
  await expect.poll(() => find('basketry')).toContain('https://a.example/baskets');
});

test('a host answers and ends while imports read what does not end, and others wait', async () => {
  const { request, close } = await placeHostile(busySite, BUSY);
  onTestFinished(close);
  const begun = await beginOnPage(request, 'busy-0');
  for (const name of ['busy-1', 'busy-2']) await beginOnPage(request, name);
  const waits = await beginOnPage(request, 'busy-3');
  expect(await owner.page(pathOf(waits))).toContain('Waiting for another import');
  expect(await owner.page(pathOf(begun))).not.toContain('Waiting');
  for (let asked = 0; asked < 100; asked++) await find(`python${asked}`);
  expect(await owner.page(pathOf(begun))).toContain('data-import-text');
  expect(await host.stop()).toBe(0);
});
