import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOutbound } from '../../../src/adapters/remote/outbound.ts';
import { createSqliteStore } from '../../../src/adapters/sqlite/sqlite-store.ts';
import { noPrivateAccess } from '../../../src/domain/private-hosts.ts';
import type { LinkCheckRepository, Store } from '../../../src/ports/store/store.ts';
import { type CheckOptions, createLinkChecks } from '../../../src/services/link-checks/link-checks.ts';
import { createStandingClock, type StandingClock } from '../../fakes/clock.ts';
import { startWebSite, type WebSite } from '../../fakes/web-site.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let store: Store;
let site: WebSite;
let clock: StandingClock;
let outbound: ReturnType<typeof createOutbound>;
let kept: LinkCheckRepository;

beforeEach(async () => {
  store = createSqliteStore(`${makeTempDir()}/store.db`);
  kept = store.linkChecks;
  site = await startWebSite();
  clock = createStandingClock();
  const lookup: Parameters<typeof createOutbound>[0]['lookup'] = (hostname, _options, callback) =>
    callback(Object.assign(new Error(`no ${hostname}`), { code: 'ENOTFOUND' }), []);
  outbound = createOutbound({
    allowLoopback: true,
    privateAccess: noPrivateAccess,
    allowHttp: true,
    version: '1',
    lookup,
  });
});
afterEach(async () => {
  await outbound.close();
  await site.close();
  await store.close();
});

async function* listed(urls: readonly string[]) {
  yield* urls;
}
const check = (urls: readonly string[], options: Partial<CheckOptions> = {}) =>
  createLinkChecks({ linkChecks: kept, clock, pace: { pauseMs: 0 } }).checkAll(listed(urls), {
    outbound,
    ...options,
  });
const find = async (url: string) => (await kept.findLinkChecks([url]))[0];

describe('a check of links', () => {
  test('tells what answers from what is gone, and from what may come back', async () => {
    const at = (path: string) => `${site.origin}${path}`;
    site.put('/fine', 'Hello');
    site.put('/moved', (_request, response) => response.writeHead(301, { location: '/fine' }).end());
    site.put('/no-head', (request, response) =>
      response.writeHead(request.method === 'HEAD' ? 405 : 206).end(),
    );
    site.put('/liar', (request, response) => response.writeHead(request.method === 'HEAD' ? 404 : 200).end());
    site.put('/huge', (request, response) => {
      if (request.method === 'HEAD') return void response.writeHead(501).end();
      const more = () => void (response.destroyed || response.write('x'.repeat(65_536), more));
      more();
    });
    site.put('/gone', (_request, response) => response.writeHead(410).end());
    site.put('/sign-in', (_request, response) => response.writeHead(401).end());
    site.put('/broken', (_request, response) => response.writeHead(500).end());
    site.put('/loop', (_request, response) => response.writeHead(302, { location: '/loop' }).end());
    site.put('/cut', (request) => request.socket.destroy());
    site.put('/inside', (_request, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    );
    const expected = [
      ['/fine', 'alive', null],
      ['/moved', 'alive', null],
      ['/no-head', 'alive', null],
      ['/liar', 'alive', null],
      ['/huge', 'alive', null],
      ['/none', 'dead', 'not-found'],
      ['/gone', 'dead', 'gone'],
      ['/sign-in', 'unsure', 'forbidden'],
      ['/broken', 'unsure', 'server-error'],
      ['/loop', 'unsure', 'redirects'],
      ['/cut', 'unsure', 'refused'],
      ['/inside', 'unsure', 'not-public'],
    ] as const;
    const nowhere = 'https://nowhere.example/1';
    const report = await check([...expected.map(([path]) => at(path)), nowhere, at('/fine'), 'no address']);
    for (const [path, state, reason] of expected)
      expect(await find(at(path)), path).toMatchObject({ state, reason, failures: reason === null ? 0 : 1 });
    expect(await find(nowhere)).toMatchObject({ state: 'unsure', reason: 'no-host', status: null });
    expect(report).toMatchObject({ listed: 13, due: 13, checked: 13, postponed: 0, removed: 0 });
    expect(report.counts).toEqual({ alive: 5, dead: 2, unsure: 6 });
    expect(site.mostOpen).toBe(1);
  });

  test('believes a host dead that is not known a day later, and one that fails for a week', async () => {
    const [nowhere, broken] = ['https://nowhere.example/', `${site.origin}/broken`];
    site.put('/broken', (_request, response) => response.writeHead(500).end());
    const states = async (afterMs: number) => {
      clock.advance(afterMs);
      await check([nowhere, broken]);
      return [(await find(nowhere))?.state, (await find(broken))?.state];
    };
    const began = clock.now();
    expect(await states(0)).toEqual(['unsure', 'unsure']);
    site.forget();
    expect(await states(23 * HOUR_MS)).toEqual(['unsure', 'unsure']);
    expect(site.requests).toEqual([]);
    expect(await states(HOUR_MS)).toEqual(['dead', 'unsure']);
    expect(await find(nowhere)).toMatchObject({ since: clock.now(), failures: 2 });
    expect(await states(5 * DAY_MS)).toEqual(['dead', 'unsure']);
    expect(await find(broken)).toMatchObject({ since: began, failures: 3 });
    expect(await states(DAY_MS)).toEqual(['dead', 'dead']);
    site.put('/broken', 'Back again');
    expect(await states(7 * DAY_MS)).toEqual(['dead', 'alive']);
    expect(await find(broken)).toMatchObject({ since: clock.now(), failures: 0, reason: null });
  });

  test('visits what is due only, as many as are asked for, and forgets what is not listed', async () => {
    const urls = ['/1', '/2', '/3'].map((path) => `${site.origin}${path}`);
    for (const path of ['/1', '/2', '/3']) site.put(path, 'Hello');
    expect(await check(urls, { limit: 2 })).toMatchObject({ listed: 3, due: 2, checked: 2 });
    expect(await check(urls)).toMatchObject({ due: 1, counts: { alive: 1 } });
    expect(await check(urls)).toMatchObject({ due: 0 });
    clock.advance(6 * DAY_MS);
    expect(await check(urls, { maxAgeMs: 6 * DAY_MS })).toMatchObject({ due: 3 });
    expect(await check(urls.slice(1))).toMatchObject({ listed: 2, removed: 1 });
    expect(await kept.countLinkChecks()).toEqual({ alive: 2, dead: 0, unsure: 0 });
  });

  test('waits for a host that is busy, and leaves it for another day where it asks for too long', async () => {
    const url = `${site.origin}/busy`;
    let left = 1;
    site.put('/busy', (_request, response) =>
      left-- > 0 ? response.writeHead(429, { 'retry-after': '1' }).end() : response.end('Hello'),
    );
    expect(await check([url])).toMatchObject({ postponed: 0, counts: { alive: 1 } });
    site.put('/closed', (_request, response) => response.writeHead(503, { 'retry-after': '86400' }).end());
    site.forget();
    const others = [`${site.origin}/closed`, `${site.origin}/other`];
    expect(await check([url, ...others])).toMatchObject({
      postponed: 2,
      counts: { alive: 0, dead: 0, unsure: 0 },
    });
    expect(site.requests).toEqual(['HEAD /closed']);
    expect(await find(others[0]!)).toBeUndefined();
  });

  test('that is stopped keeps what it saw', async () => {
    const stopper = new AbortController();
    const urls = Array.from({ length: 5 }, (_, number) => `${site.origin}/${number}`);
    for (const number of [0, 1]) site.put(`/${number}`, 'Hello');
    site.put('/2', () => stopper.abort());
    await expect(check(urls, { signal: stopper.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(await kept.countLinkChecks()).toMatchObject({ alive: 2 });
    expect(site.requests).not.toContain('HEAD /3');
  });

  test('makes the list of dead addresses another one at the end, and every ten minutes', async () => {
    const versions: string[] = [];
    const urls = Array.from({ length: 90 }, (_, number) => {
      site.put(`/${number}`, async (_request, response) => {
        versions.push(await kept.deadLinksVersion());
        if (number === 60) clock.advance(600_000);
        response.writeHead(number % 2 === 0 ? 200 : 410).end();
      });
      return `${site.origin}/${number}`;
    });
    await check(urls);
    const last = await kept.deadLinksVersion();
    const [none, some] = [...new Set(versions)];
    expect(none).toBe('');
    expect([...new Set(versions)]).toEqual([none, some]);
    expect(last).not.toBe(some);
    expect(await kept.countLinkChecks()).toEqual({ alive: 45, dead: 45, unsure: 0 });
    // Those that answer again are waited with just so.
    versions.splice(0);
    for (const url of urls)
      site.put(new URL(url).pathname, async (_request, response) => {
        versions.push(await kept.deadLinksVersion());
        response.end();
      });
    await check(urls, { maxAgeMs: 0 });
    expect(new Set(versions)).toEqual(new Set([last]));
    expect(await kept.deadLinksVersion()).toBe('');
  });

  test('visits several hosts at once, one of them never twice', async () => {
    const sites = await Promise.all([startWebSite(), startWebSite(), startWebSite()]);
    let waiting = 0;
    const isMet = new Promise<void>((meet) => {
      for (const { put } of sites)
        put('/a', async (_request, response) => {
          // Nobody goes on before all three are here.
          if (++waiting === 3) meet();
          await isMet;
          response.end();
        });
    });
    const urls = sites.flatMap(({ origin }) => [`${origin}/a`, `${origin}/b`]);
    expect(await check(urls)).toMatchObject({ counts: { alive: 3, dead: 3 } });
    expect(sites.map(({ mostOpen }) => mostOpen)).toEqual([1, 1, 1]);
    await Promise.all(sites.map((each) => each.close()));
  });
});
