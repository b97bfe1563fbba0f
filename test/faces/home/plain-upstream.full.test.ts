import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStandingClock } from '../../fakes/clock.ts';
import { perProvider } from '../../fakes/upstream-replies.ts';
import {
  type AppInFront,
  everyAddress,
  plainWays,
  smallCatalogue,
  startInFront,
} from '../../helpers/plain-upstream.ts';

const HOUR_MS = 3_600_000;

describe.each(plainWays)('the page in front of a service that is asked $name:', ({ isGateway }) => {
  const clock = createStandingClock();
  let host: AppInFront;
  beforeEach(async () => {
    host = await startInFront({ isGateway, clock, ...smallCatalogue });
  });
  afterEach(() => host.close());

  async function pageOf(path: string): Promise<string> {
    const response = await fetch(host.app.url + path);
    expect(response.status, path).toBe(200);
    return response.text();
  }

  const addressesIn = (page: string) => [...page.matchAll(/<h3[^>]*><a href="([^"]+)"/g)].map(([, url]) => url);
  const nextIn = (page: string) => /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');

  test('leads through everything that all providers have, once', async () => {
    const found: unknown[] = [];
    let path: string | undefined = '/?q=data';
    while (path !== undefined) {
      const page = await pageOf(path);
      const addresses = addressesIn(page);
      if (found.length === 0) expect(new Set(addresses.map((url) => new URL(url!).host)).size).toBe(3);
      found.push(...addresses);
      path = nextIn(page);
    }
    expect(found.sort()).toEqual(everyAddress(smallCatalogue));
  });

  test('keeps to a type, which the service cannot be asked for', async () => {
    const page = await pageOf('/?q=data&type=mooc');
    expect(addressesIn(page)).toHaveLength(10);
    expect(page.match(/<li>MOOC<\/li>/g)).toHaveLength(10);
    expect(page).not.toContain('<li>Video</li>');
  });

  test('names a provider that fails, and shows the others', async () => {
    host.upstream.reply('search-provider', perProvider({ school: { status: 500, body: '' } }));
    const page = await pageOf('/?q=data');
    expect(page).toContain('Unavailable right now: SCHOOL.');
    expect(addressesIn(page)).toHaveLength(10);
    expect(page).not.toContain('https://school.example/');
  });

  test('names a provider that is late, and does not wait for it', async () => {
    host.upstream.reply('search-provider', perProvider({ school: { breaks: 'hang' } }));
    const page = await pageOf('/?q=data');
    expect(page).toContain('No answer in time from: SCHOOL.');
    expect(addressesIn(page)).toHaveLength(10);
  });

  test('shows what was found before, and says so, when the service has gone', async () => {
    const before = addressesIn(await pageOf('/?q=data'));
    clock.advance(HOUR_MS);
    await host.upstream.stop();
    const page = await pageOf('/?q=data');
    expect(addressesIn(page)).toEqual(before);
    expect(page).toMatch(/The search service is unavailable\. These results are from [^.]+ UTC\./);
  });

  test('can be searched without the lists, for which it does not wait long', async () => {
    for (const list of ['provider', 'type', 'bloom', 'lang'] as const) host.upstream.reply(list, { breaks: 'hang' });
    const page = await pageOf('/?provider=tube');
    expect(page).toContain('Learning resources, skills, occupations and subjects');
    expect(page).toMatch(/<option value="tube"[^>]* selected>tube<\/option>/);
    expect(addressesIn(await pageOf('/?q=data&provider=tube'))).toHaveLength(10);
  });

  test('has choices although a list that it does not need is broken', async () => {
    host.upstream.reply('bloom', { body: { hello: 1 } });
    // The page does not wait long for lists; those that were late are there for the next one.
    const choices = ['tube', 'mooc', 'fr'];
    await expect
      .poll(async () => {
        const page = await pageOf('/?q=data');
        return choices.filter((value) => page.includes(`<option value="${value}"`));
      })
      .toEqual(choices);
  });

  test('names providers whose logos cannot be had, and draws those of our own providers without asking it', async () => {
    const name = '<span class="wordmark">TUBE</span>';
    await expect.poll(() => pageOf('/')).toContain(name);
    expect(await pageOf('/')).not.toContain('tube.example');
    const asked = host.upstream.requests.length;
    for (const path of ['/logos/youtube/dark-square.svg', '/logos/edx/light-landscape.svg'])
      expect(await pageOf(path)).toContain('<svg');
    expect((await fetch(`${host.app.url}/logos/tube/dark-square.svg`)).status).toBe(404);
    expect(host.upstream.requests).toHaveLength(asked);
  });
});
