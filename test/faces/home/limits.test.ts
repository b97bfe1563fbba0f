import { describe, expect, test } from 'vitest';
import { completionLimits, searchLimits } from '../../../src/faces/home/pages.ts';
import { startHome } from './start-home.ts';

const limits = {
  searches: { ...searchLimits, points: 3 },
  completions: { ...completionLimits, points: 5 },
};

describe('from one address', () => {
  test('too many searches are refused, with the seconds to wait; the page itself is not', async () => {
    const home = await startHome({ limits });
    for (let i = 0; i < 3; i++) await home.page('/?q=a');
    const response = await home.get('/?q=a');
    expect(response.status).toBe(429);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const wait = Number(response.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(30);
    expect(await response.text()).toContain('Please wait a moment');
    expect((await home.tag({ text: 'a' })).status).toBe(429);
    await home.page('/');
    await home.close();
  });

  test('completing words takes nothing from the searches, nor the other way round', async () => {
    const home = await startHome({ limits });
    for (let i = 0; i < 5; i++) await home.page('/complete?q=py');
    await home.page('/complete?q=py', 429);
    for (let i = 0; i < 3; i++) await home.page('/?q=a');
    await home.page('/?q=a', 429);
    await home.close();
  });

  test('the addresses of one IPv6 network are one', async () => {
    const home = await startHome({ limits });
    const statuses: number[] = [];
    const ask = async (address: string) =>
      (await home.get('/?q=a', { headers: { 'x-forwarded-for': address } })).status;
    for (let i = 0; i < 5; i++) statuses.push(await ask(`2001:db8:1:2::${i}`));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(await ask('2001:db8:1:3::1')).toBe(200);
    await home.close();
  });

  test('a front page with anything in its address counts as a search', async () => {
    const home = await startHome({ limits });
    for (let i = 0; i < 3; i++) await home.page(`/?a=${i}`);
    await home.page('/?b=', 429);
    await home.page('/');
    await home.close();
  });

  test('a class of thirty can work', () => {
    expect(searchLimits.points / 30).toBeGreaterThanOrEqual(10);
    expect(completionLimits.points / 30).toBeGreaterThanOrEqual(50);
  });

  test('a class that searches and types at once is not refused', async () => {
    const home = await startHome();
    for (let i = 0; i < 70; i++) {
      await home.page('/complete?q=py');
      await home.page('/?q=a');
    }
    await home.close();
  });
});
