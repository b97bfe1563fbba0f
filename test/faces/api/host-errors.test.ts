import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { errorOf } from './error-of.ts';
import { startApi } from './start-api.ts';

describe('errors of the host', () => {
  const secret = 'SELECT * FROM /var/lib/secrets';

  test.each([
    ['an unexpected one', new TypeError(secret), 500, 'INTERNAL'],
    ['an internal one', new AppError('SNAPSHOT_INVALID', secret), 500, 'SNAPSHOT_INVALID'],
    ['a store that is gone', new AppError('STORE_UNAVAILABLE', secret), 503, 'STORE_UNAVAILABLE'],
    ['a bad answer of a service', new AppError('RESPONSE_INVALID', secret), 502, 'RESPONSE_INVALID'],
  ])('%s keeps its message to the log, under the reference', async (_, error, statusCode, code) => {
    const broken = await startApi({ learning: { similar: () => Promise.reject(error) } });
    const response = await broken.get('/domcomp/v1/similar?keywords=a');
    const text = await response.clone().text();
    expect(text).not.toContain('secrets');
    const body = await errorOf(response);
    expect(body).toMatchObject({ statusCode, code });
    const logged = broken.log.find((line) => line.includes(secret));
    expect(logged).toContain(body.reference);
    await broken.close();
  });

  test('without a log there still is a reference, another each time', async () => {
    const silent = await startApi({ hasLog: false });
    const [a, b] = [await errorOf(await silent.get('/domcomp/x')), await errorOf(await silent.get('/domcomp/x'))];
    expect(a.reference).toMatch(/^[0-9a-f-]{36}$/);
    expect(a.reference).not.toBe(b.reference);
    await silent.close();
  });
});
