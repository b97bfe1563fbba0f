import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/ports/clock.ts';
import { startApp } from '../../helpers/app.ts';
import { startOpenSearch } from '../../helpers/opensearch-node.ts';

const node = await startOpenSearch();

async function start(address: string) {
  const app = await startApp(systemClock, { CATALOG_URL: address, CATALOG_REPLICAS: '0' });
  onTestFinished(app.close);
  const key = await app.createKey();
  return async (path: string) => {
    const response = await fetch(`${app.url}${path}`, { headers: { 'x-api-key': key } });
    const text = await response.text();
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text };
  };
}

const search = '/learningobject/v2/search?keywords=python';

test.runIf(node !== null)('a host answers from the node of CATALOG_URL', async () => {
  const get = await start(`${node!.address}/${node!.prefix}-host`);
  // Until all of it is there it says so, and never that there is nothing.
  const answers = new Set<number>();
  await expect.poll(async () => answers.add((await get(search)).status).has(200), { interval: 100 }).toBe(true);
  expect([...answers].filter((status) => status !== 503)).toEqual([200]);
  expect((await get(search)).text).toContain('Python');
  expect(JSON.parse((await get('/readyz')).text)).toEqual({ status: 'ready', catalogue: 'ready' });
  expect((await get('/metrics')).text).toContain('skilldock_catalog_up 1');
});

test('without the node a host starts, answers for terms, and explains why there are no objects', async () => {
  const get = await start('http://someone:secret-word@127.0.0.1:9');
  const { status, retryAfter, text } = await get(search);
  expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '5' });
  expect(JSON.parse(text)).toMatchObject({ code: 'CATALOG_UNAVAILABLE' });
  expect(text).not.toContain('secret-word');
  expect((await get('/domcomp/v1/suggest?keywords=pyth')).status).toBe(200);
  expect((await get('/domcomp/v1/similar?keywords=python&lang=en')).status).toBe(200);
  expect(JSON.parse((await get('/readyz')).text)).toEqual({ status: 'ready', catalogue: 'unavailable' });
  expect((await get('/metrics')).text).toContain('skilldock_catalog_up 0');
});
