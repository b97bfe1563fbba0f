import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HostProcess, startHostProcess } from '../../helpers/host-process.ts';

let host: HostProcess;
let key: string;
beforeAll(async () => {
  host = await startHostProcess({
    LOG_LEVEL: 'trace',
    UPSTREAM_URL: 'http://127.0.0.1:9',
    UPSTREAM_API_KEY: 'key-of-the-upstream\u00e9',
    ALLOW_PRIVATE_UPSTREAM: '1',
  });
  key = await host.createKey();
});
afterAll(() => host.stop());

test('no key is in the log of a host, wherever a caller or an upstream puts it', async () => {
  const headers = { 'x-api-key': key, cookie: `session=${key}`, authorization: `Bearer ${key}` };
  const paths = [
    `/learningobject/v2/search?keywords=a&x-api-key=${key}`,
    `/domcomp/v1/similar?keywords=${key}`,
    `/nothing/here/${key}`,
    `/?q=a&api_key=foreign-key-0001`,
  ];
  for (const path of paths) await fetch(host.url + path, { headers });
  const body = JSON.stringify({ key, text: key, request_id: key });
  for (const path of ['/learningobject/v2/feedback', '/domcomp/v1/tagger'])
    await fetch(host.url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
  await expect.poll(() => host.log().match(/request answered/g)?.length).toBeGreaterThanOrEqual(6);
  await host.stop();
  const log = host.log();
  expect(log).toContain('/learningobject/v2/search?keywords=…');
  for (const secret of [key.slice(3), 'foreign-key-0001', 'key-of-the-upstream']) expect(log).not.toContain(secret);
});
