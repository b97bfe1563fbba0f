import { describe, expect, test } from 'vitest';
import { errorOf } from './error-of.ts';
import { DEMO_KEY, startApi } from './start-api.ts';

describe('limits', () => {
  test('every keyed answer says what is left, errors included', async () => {
    const limited = await startApi({ personalLimits: { perSecond: 1_000, perDay: 3 } });
    const left = [];
    for (const query of ['?keywords=a', '', '?keywords=a', '?keywords=a']) {
      const response = await limited.get(`/domcomp/v1/similar${query}`);
      left.push([
        response.status,
        response.headers.get('ratelimit-limit'),
        response.headers.get('ratelimit-remaining'),
      ]);
    }
    expect(left).toEqual([
      [200, '3', '2'],
      [400, '3', '1'],
      [200, '3', '0'],
      [429, '3', '0'],
    ]);
    await limited.close();
  });

  test('a used-up key is 429 with the seconds to wait, other keys go on', async () => {
    const limited = await startApi({ demoLimits: { perSecond: 1_000, perDay: 1 } });
    const ask = () => limited.get('/domcomp/v1/suggest?keywords=a', { 'x-api-key': DEMO_KEY });
    expect((await ask()).status).toBe(200);
    const refused = await ask();
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(86_000);
    expect(wait).toBeLessThanOrEqual(86_400);
    expect(refused.headers.get('ratelimit-reset')).toBe(String(wait));
    expect(await errorOf(refused)).toMatchObject({ statusCode: 429, code: 'RATE_LIMITED' });
    expect((await limited.get('/domcomp/v1/suggest?keywords=a')).status).toBe(200);
    await limited.close();
  });

  test('lists are not counted', async () => {
    const limited = await startApi({ personalLimits: { perSecond: 1_000, perDay: 1 } });
    for (let i = 0; i < 3; i++) expect((await limited.get('/learningobject/v2/type')).status).toBe(200);
    expect((await limited.get('/domcomp/v1/similar?keywords=a')).status).toBe(200);
    await limited.close();
  });
});
