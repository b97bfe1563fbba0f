import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSiteRobots } from '../../../../src/adapters/catalog/web/lrmi/site.ts';
import { readPagePicture } from '../../../../src/adapters/catalog/web/page.ts';
import { createOutbound } from '../../../../src/adapters/remote/outbound.ts';
import { noPrivateAccess } from '../../../../src/domain/private-hosts.ts';
import type { LinkCheckRepository, Store } from '../../../../src/ports/store/store.ts';
import { type CheckOptions, createLinkChecks } from '../../../../src/services/catalogue/link-checks/link-checks.ts';
import { createPagePictures } from '../../../../src/services/catalogue/pictures/page-pictures.ts';
import { linkCheck, unsureLink } from '../../../contract/store/link-check-records.ts';
import { createStandingClock, type StandingClock } from '../../../fakes/clock.ts';
import { startWebSite, type WebSite } from '../../../fakes/web-site.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { openTestStore } from '../../../helpers/test-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let store: Store;
let site: WebSite;
let clock: StandingClock;
let outbound: ReturnType<typeof createOutbound>;
let kept: LinkCheckRepository;

beforeEach(async () => {
  store = openTestStore(`${makeTempDir()}/store.db`);
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
const check = (urls: readonly string[], options: Partial<CheckOptions> = {}, pace = { pauseMs: 0 }) =>
  createLinkChecks({ ...store, linkChecks: kept, clock, pace }).checkAll(listed(urls), {
    tools: { outbound, readSiteRules: readSiteRobots, readPicture: async (page) => readPagePicture(page) },
    ...options,
  });
/** What was asked for besides the rules of the site. */
const asked = () => site.requests.filter((request) => !request.endsWith('/robots.txt'));
const find = async (url: string) => (await kept.findLinkChecks([url]))[0];

describe('a check of links', () => {
  test('tells what answers from what is gone, and from what may come back', async () => {
    const at = (path: string) => `${site.origin}${path}`;
    site.put('/fine', 'Hello');
    site.put('/moved', (_request, response) => response.writeHead(301, { location: '/fine' }).end());
    site.put('/part', (_request, response) => response.writeHead(206).end());
    site.put('/huge', (_request, response) => {
      const more = () => void (response.destroyed || response.write('x'.repeat(65_536), more));
      more();
    });
    site.put('/gone', (_request, response) => response.writeHead(410).end());
    site.put('/sign-in', (_request, response) => response.writeHead(401).end());
    site.put('/broken', (_request, response) => response.writeHead(500).end());
    site.put('/loop', (_request, response) => response.writeHead(302, { location: '/loop' }).end());
    site.put('/cut', (request) => request.socket.destroy());
    site.put('/inside', (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    const expected = [
      ['/fine', 'alive', null],
      ['/moved', 'alive', null],
      ['/part', 'alive', null],
      ['/none', 'unsure', 'not-found'],
      ['/gone', 'unsure', 'gone'],
      ['/sign-in', 'unsure', 'forbidden'],
      ['/broken', 'unsure', 'server-error'],
      ['/loop', 'unsure', 'redirects'],
      ['/cut', 'unsure', 'refused'],
      ['/inside', 'unsure', 'not-public'],
      // Last, as it ends when it is closed.
      ['/huge', 'alive', null],
    ] as const;
    const nowhere = 'https://nowhere.example/1';
    const report = await check([...expected.map(([path]) => at(path)), nowhere, at('/fine'), 'no address']);
    for (const [path, state, reason] of expected)
      expect(await find(at(path)), path).toMatchObject({ state, reason, failures: reason === null ? 0 : 1 });
    expect(await find(nowhere)).toMatchObject({ state: 'unsure', reason: 'no-host', status: null });
    expect(report).toMatchObject({ listed: 12, due: 12, checked: 12, postponed: 0, unreached: 0 });
    expect(report.counts).toEqual({ alive: 4, dead: 0, unsure: 8 });
    expect(site.mostOpen).toBe(1);
  });

  test('notes the picture that a page names, and not that of a sign-in it leads to', async () => {
    const at = (path: string) => `${site.origin}${path}`;
    const page = (head: string) => `<!doctype html><html><head>${head}</head><body>${'x'.repeat(100_000)}`;
    const html = { 'content-type': 'text/html; charset=utf-8' };
    const put = (path: string, head: string) =>
      site.put(path, (_request, response) => void response.writeHead(200, html).end(page(head)));
    put('/named', '<meta content="/cover.png?a=1&amp;b=2" property="og:image">');
    put('/late', `<style>${'a'.repeat(40_000)}</style><meta property="og:image" content="/late.png">`);
    put('/none', '<meta property="og:image" content="javascript:alert(1)">');
    put('/sign-in', '<meta property="og:image" content="/sign-in.png">');
    site.put('/guarded', (_request, response) => response.writeHead(302, { location: '/sign-in' }).end());
    site.put('/moved', (_request, response) => response.writeHead(301, { location: '/named' }).end());
    site.put('/data', '{"og:image": "/data.png"}');
    const paths = ['/named', '/late', '/none', '/guarded', '/moved', '/data'];
    await check(paths.map(at));
    const pictures = await Promise.all(paths.map(async (path) => (await find(at(path)))?.picture));
    const cover = at('/cover.png?a=1&b=2');
    expect(pictures).toEqual([cover, null, null, null, cover, null]);
    // An unchanged or failing page keeps or loses it.
    site.put('/named', (_request, response) => response.writeHead(304).end());
    clock.advance(8 * 24 * HOUR_MS);
    await check([at('/named')], { keepsUnlisted: true });
    expect(await find(at('/named'))).toMatchObject({ state: 'alive', status: 304, picture: cover });
    const read = createPagePictures({ linkChecks: kept, onProblem: (problem) => expect(problem).toBeNull() });
    await read.read();
    expect([read.find(`${at('/named')}#part`), read.find(at('/late')), read.count()]).toEqual([cover, null, 2]);
  });

  test('believes an address dead that is missing on three days, a host that is not known then, and one that fails for a week', async () => {
    const [nowhere, broken] = ['https://nowhere.example/', `${site.origin}/broken`];
    site.put('/broken', (_request, response) => response.writeHead(500).end());
    const states = async (afterMs: number) => {
      clock.advance(afterMs);
      await check([nowhere, broken], { keepsUnlisted: true });
      return [(await find(nowhere))?.state, (await find(broken))?.state];
    };
    const began = clock.now();
    const missing = `${site.origin}/missing`;
    expect(await states(0)).toEqual(['unsure', 'unsure']);
    await check([missing], { keepsUnlisted: true });
    site.forget();
    expect(await states(23 * HOUR_MS)).toEqual(['unsure', 'unsure']);
    expect(site.requests).toEqual([]);
    site.put('/missing', (_request, response) => response.writeHead(410).end());
    expect(await states(HOUR_MS)).toEqual(['unsure', 'unsure']);
    await check([missing], { keepsUnlisted: true });
    expect(await find(missing)).toMatchObject({ state: 'unsure', failures: 2, since: began });
    expect(await states(DAY_MS)).toEqual(['dead', 'unsure']);
    await check([missing], { keepsUnlisted: true });
    expect(await find(missing)).toMatchObject({
      state: 'dead',
      failures: 3,
      reason: 'gone',
      since: clock.now(),
    });
    expect(await find(nowhere)).toMatchObject({ since: clock.now(), failures: 3 });
    expect(await states(4 * DAY_MS)).toEqual(['dead', 'unsure']);
    expect(await find(broken)).toMatchObject({ since: began, failures: 4 });
    expect(await states(DAY_MS)).toEqual(['dead', 'dead']);
    site.put('/broken', 'Back again');
    expect(await states(DAY_MS)).toEqual(['dead', 'alive']);
    expect(await find(broken)).toMatchObject({ since: clock.now(), failures: 0, reason: null });
  });

  test('follows what has moved for good, and finds it there from then on', async () => {
    const [old, now] = [`${site.origin}/old`, `${site.origin}/now?part=1`];
    const to = (status: number, location: string) => (_request: unknown, response: ServerResponse) =>
      void response.writeHead(status, { location }).end();
    site.put('/old', to(301, '/between'));
    site.put('/between', to(308, '/now?part=1'));
    site.put('/now?', 'Here');
    site.put('/for-now', to(302, '/now?part=1'));
    await check([`${old}#second`, `${site.origin}/for-now`]);
    expect(await find(`${old}#second`)).toMatchObject({ state: 'alive', movedTo: `${now}#second` });
    expect(await find(`${site.origin}/for-now`)).toMatchObject({ state: 'alive', movedTo: null });
    site.forget();
    const later = async () => {
      clock.advance(7 * DAY_MS);
      site.forget();
      await check([`${old}#second`]);
      return [(await find(`${old}#second`))?.state, (await find(`${old}#second`))?.movedTo, asked()];
    };
    expect(await later()).toEqual(['alive', `${now}#second`, ['GET /now?part=1']]);
    // The site takes the move back: its first address counts again.
    site.put('/now?', (_request, response) => response.writeHead(404).end());
    site.put('/old', 'Here again');
    expect(await later()).toEqual(['alive', null, ['GET /now?part=1', 'GET /old']]);
  });

  test('marks a page that became a home page, and a domain that is for sale', async () => {
    site.put('/', 'Welcome');
    site.put('/course/1', (_request, response) => response.writeHead(301, { location: '/' }).end());
    site.put('/fr/', 'Bienvenue');
    site.put('/cours/2', (_request, response) => response.writeHead(302, { location: '/fr/' }).end());
    site.put('/de', (_request, response) => response.writeHead(302, { location: '/' }).end());
    site.put('/search', (_request, response) => response.writeHead(302, { location: '/?q=1' }).end());
    site.put('/?', 'Found');
    site.put('/parked', '<html><title>skills.example - This domain is for sale</title>');
    site.put('/lander', '<script>window.onload=function(){window.location.href="/lander"}</script>');
    site.put('/essay', '<title>Domain-driven design</title><p>How a domain is parked, and buy this domain jokes');
    const paths = ['/course/1', '/cours/2', '/parked', '/lander', '/de', '/search', '/essay'];
    for (let day = 0; day < 3; day++) {
      await check(paths.map((path) => site.origin + path));
      clock.advance(DAY_MS);
    }
    const found = await Promise.all(paths.map((path) => find(site.origin + path)));
    expect(found.map((each) => [each?.state, each?.reason, each?.movedTo])).toEqual([
      ...Array(2).fill(['dead', 'sent-home', null]),
      ...Array(2).fill(['dead', 'parked', null]),
      ...Array(3).fill(['alive', null, null]),
    ]);
  });

  test('a film that is gone behind a page that still answers is asked for where its site says so', async () => {
    // In the place of all sites: the first part of a path is the host.
    const standIn: CheckOptions['tools']['outbound'] = {
      async request(url, request) {
        const { host, pathname, search } = new URL(url);
        const answer = await outbound.request(`${site.origin}/${host}${pathname}${search}`, request);
        return { ...answer, url };
      },
    };
    const film = (id: string) => `https://youtu.be/${id}`;
    const described = (service: string, page: string) =>
      `/${service}?${new URLSearchParams({ format: 'json', url: page })}`;
    const ofFilm = (id: string) => described('www.youtube.com/oembed', `https://www.youtube.com/watch?v=${id}`);
    const [there, gone, closed] = ['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc'] as const;
    for (const id of [there, gone, closed]) site.put(`/youtu.be/${id}`, 'Hello');
    site.put(ofFilm(there), '{}', { etag: '"1"' });
    site.put(ofFilm(closed), (_request, response) => response.writeHead(401).end());
    site.put(described('vimeo.com/api/oembed.json', 'https://vimeo.com/76979871'), '{}');
    // Whose site keeps programs away from what says so.
    const talk = 'https://www.ted.com/talks/some_talk';
    site.put('/www.ted.com/robots.txt', 'User-agent: *\nDisallow: /services/');
    site.put('/www.ted.com/talks/some_talk', 'Hello');
    const urls = [film(there), film(gone), film(closed), 'https://vimeo.com/76979871', talk];
    const tools = {
      outbound: standIn,
      readSiteRules: readSiteRobots,
      readPicture: async () => null,
    };
    for (const _day of [1, 2, 3]) {
      await check(urls, { tools });
      clock.advance(DAY_MS);
    }
    const found = await Promise.all(urls.map(find));
    expect(found.map((each) => [each?.state, each?.reason])).toEqual([
      ...[
        ['alive', null],
        ['dead', 'not-found'],
        ['unsure', 'forbidden'],
      ],
      ...Array(2).fill(['alive', null]),
    ]);
    expect(asked().filter((request) => request.includes('/youtu.be/'))).toEqual([]);
  });

  test('asks only for what has changed', async () => {
    const conditions: unknown[] = [];
    const lastModified = 'Sun, 22 Nov 2026 10:00:00 GMT';
    site.put('/kept', ({ headers }, response) => {
      conditions.push([headers['if-none-match'], headers['if-modified-since']]);
      const isKnown = headers['if-none-match'] === '"1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"1"', 'last-modified': lastModified }).end();
    });
    const url = `${site.origin}/kept`;
    for (let week = 0; week < 3; week++) {
      await check([url]);
      clock.advance(7 * DAY_MS);
    }
    expect(conditions).toEqual([[undefined, undefined], ...Array(2).fill(['"1"', lastModified])]);
    expect(await find(url)).toMatchObject({ state: 'alive', status: 304, etag: '"1"', lastModified });
  });

  test('stays away from what a site asks programs to leave alone', async () => {
    site.put('/robots.txt', 'User-agent: *\nDisallow: /private');
    site.put('/public', (_request, response) => response.writeHead(302, { location: '/private/1' }).end());
    const paths = ['/private/1', '/public', '/private/2'];
    await check(paths.map((path) => site.origin + path));
    expect(site.requests).toEqual(['GET /robots.txt', 'GET /public']);
    for (const path of paths)
      expect(await find(site.origin + path), path).toMatchObject({ state: 'unsure', reason: 'robots' });
    // A site whose rules cannot be had is left alone, too.
    site.put('/robots.txt', (_request, response) => response.writeHead(500).end());
    clock.advance(7 * DAY_MS);
    site.forget();
    await check([`${site.origin}/public`]);
    expect(site.requests).toEqual(['GET /robots.txt']);
    expect(await find(`${site.origin}/public`)).toMatchObject({ state: 'unsure', reason: 'server-error' });
  });

  test('leaves a second between two requests to one site, also those that follow a redirect', async () => {
    const at: number[] = [];
    for (const path of ['/robots.txt', '/a', '/b'])
      site.put(path, (_request, response) => {
        at.push(performance.now());
        response.writeHead(path === '/a' ? 301 : 200, { location: '/b' }).end();
      });
    const start = performance.now();
    await check([`${site.origin}/a`, `${site.origin}/b`], {}, { pauseMs: 200 });
    expect(at).toHaveLength(4);
    // From the start: a request that a busy machine was late to see is followed sooner. Timers may
    // be early by a little.
    for (const [number, time] of at.entries()) expect(time - start).toBeGreaterThan(190 * number);
  });

  test('says nothing about addresses while nothing can be reached at all', async () => {
    const urls = ['https://one.example/', 'https://two.example/'];
    expect(await check(urls)).toMatchObject({ unreached: 2, counts: { unsure: 0 } });
    expect(await find(urls[0]!)).toBeUndefined();
    // What was alive tells that the way is open.
    site.put('/alive', 'Hello');
    await kept.saveLinkChecks([linkCheck(`${site.origin}/alive`, { checkedAt: clock.now() })]);
    expect(await check(urls, { keepsUnlisted: true })).toMatchObject({ unreached: 0, counts: { unsure: 2 } });
    expect(await find(urls[0]!)).toMatchObject({ state: 'unsure', reason: 'no-host' });
    const many = Array.from({ length: 1_000 }, (_, number) => `https://${number}.example/`);
    await kept.removeLinkChecks([`${site.origin}/alive`]);
    await expect(check(many)).rejects.toMatchObject({ code: 'OUTBOUND_FAILED' });
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
    expect(asked()).toEqual(['GET /closed']);
    expect(await find(others[0]!)).toBeUndefined();
  });

  test('that is stopped keeps what it saw', async () => {
    const stopper = new AbortController();
    const urls = Array.from({ length: 5 }, (_, number) => `${site.origin}/${number}`);
    for (const number of [0, 1]) site.put(`/${number}`, 'Hello');
    site.put('/2', () => stopper.abort());
    await expect(check(urls, { signal: stopper.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(await kept.countLinkChecks()).toMatchObject({ alive: 2 });
    expect(site.requests).not.toContain('GET /3');
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
    const ago = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
    const failed = { reason: 'gone', failures: 2, since: ago(2), checkedAt: ago(1) } as const;
    await kept.saveLinkChecks(urls.map((url) => unsureLink(url, failed)));
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
    expect(await check(urls)).toMatchObject({ counts: { alive: 3, unsure: 3 } });
    expect(sites.map(({ mostOpen }) => mostOpen)).toEqual([1, 1, 1]);
    await Promise.all(sites.map((each) => each.close()));
  });
});
