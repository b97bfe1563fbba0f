import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { type Home, startHome } from './start-home.ts';

const secret = 'SELECT * FROM /var/lib/secrets';

const referenceOf = (page: string) => /<code>([^<]+)<\/code>/.exec(page)?.[1];

describe('errors of the host', () => {
  test.each([
    ['an unexpected one', new TypeError(secret), 500, 'Something went wrong'],
    ['an internal one', new AppError('SNAPSHOT_INVALID', secret), 500, 'Something went wrong'],
    ['a store that is gone', new AppError('STORE_UNAVAILABLE', secret), 503, 'Not available right now'],
    ['a bad answer of a service', new AppError('RESPONSE_INVALID', secret), 502, 'Not available right now'],
    ['something that is no error', undefined, 500, 'Something went wrong'],
  ])('%s keeps its message to the log, under the reference', async (_, error, status, title) => {
    const home = await startHome({ learning: { searchProvider: () => Promise.reject(error) } });
    const response = await home.get('/?q=a');
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const page = await response.text();
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).not.toContain('secrets');
    expect(page).toMatch(/try again/i);
    const logged = home.log.filter((line) => line.includes('"level":50'));
    expect(logged.length).toBeGreaterThan(0);
    if (error !== undefined) expect(logged.some((line) => line.includes(secret))).toBe(true);
    expect(logged[0]).toContain(`"reference":"${referenceOf(page)}"`);
    await home.close();
  });
});

describe('whoever may be luckier in a moment', () => {
  // The empty address is the one of the page, in every browser.
  const retry = '<a class="button" href="">Try again</a>';

  test.each<[string, AppError, boolean]>([
    ['is led to the same search', new AppError('UPSTREAM_TIMEOUT', 'It took too long.'), true],
    ['is so where the key is used up', new AppError('UPSTREAM_THROTTLED', 'No more for now.'), true],
    [
      'is not where it would be refused again',
      new AppError('PARAMETERS_INVALID', 'That cannot be searched for.'),
      false,
    ],
  ])('%s', async (_, error, isLed) => {
    const fail = () => Promise.reject(error);
    const home = await startHome({ learning: { searchProvider: fail, tagger: fail, searchMany: fail } });
    const page = await (await home.get('/?q=%22a%22&page=2')).text();
    expect(page.includes(retry)).toBe(isLed);
    expect(page).toContain('href="/">Back to the search</a>');
    if (isLed) expect(page.indexOf(retry)).toBeLessThan(page.indexOf('Back to the search'));
    const tagged = await (await home.tag({ text: 'We teach SQL and statistics to nurses.' })).text();
    expect(tagged).toContain('Back to the search');
    expect(tagged).not.toContain(retry);
    await home.close();
  });
});

describe('errors of the caller', () => {
  let home: Home;
  beforeAll(async () => {
    home = await startHome();
  });
  afterAll(() => home.close());

  test.each(['/nowhere', '/assets/', '/assets/none.css', '/assets/..%2fhome.eta', '/logos', '/complete/x'])(
    '%s is a page that leads back, and is not kept',
    async (path) => {
      const response = await home.get(path);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const page = await response.text();
      expect(page).toContain('Not found');
      expect(page).toContain('href="/"');
      expect(referenceOf(page)).toMatch(/\S/);
    },
  );

  test('an address that cannot be decoded is the caller’s mistake', async () => {
    expect(await home.page('/logos/%ff/dark-square.svg', 400)).toContain('Invalid input');
  });

  test('a charset nobody reads is 415', async () => {
    const response = await fetch(`${home.url}/tags`, {
      method: 'POST',
      body: 'text=a',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' },
    });
    expect(response.status).toBe(415);
  });

  test('a message is shown as text', async () => {
    const odd = await startHome({
      learning: {
        searchProvider: () => Promise.reject(new AppError('REQUEST_ID_INVALID', '<b>"no place"</b>')),
      },
    });
    expect(await odd.page('/?q=a', 400)).toContain('&lt;b&gt;&quot;no place&quot;&lt;/b&gt;');
    await odd.close();
  });
});
