import { afterEach, beforeEach, expect, test } from 'vitest';
import { createImportSources } from '../../../../src/adapters/catalog/open-import-source.ts';
import { createOutbound } from '../../../../src/adapters/remote/outbound.ts';
import { noPrivateAccess } from '../../../../src/domain/private-hosts.ts';
import { createPageReader } from '../../../../src/services/catalogue/objects/page-reader.ts';
import { startWebSite, type WebSite } from '../../../fakes/web-site.ts';

let site: WebSite;
let outbound: ReturnType<typeof createOutbound>;
beforeEach(async () => {
  site = await startWebSite();
  outbound = createOutbound({ allowLoopback: true, privateAccess: noPrivateAccess, version: 'test' });
});
afterEach(async () => {
  await Promise.all([outbound.close(), site.close()]);
});

test('the slow pages of a tenant keep no other one waiting, and no few of them do', async () => {
  let answer = () => {};
  const ready = new Promise<void>((done) => (answer = done));
  site.put('/slow', async (_request, response) => {
    await ready;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Slow</title>');
  });
  site.put('/fast', '<title>Fast</title>');
  const readPage = createPageReader(createImportSources({ outbound }));
  const readFor = (tenantId: string, path: string) => readPage(site.origin + path, { tenantId, isByOwner: false });
  const slow = Array.from({ length: 5 }, () => readFor('lyon', '/slow'));
  await expect(readFor('lyon', '/slow')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    data: { readBy: 'tenant' },
    message: expect.stringContaining('for people of your institution'),
  });
  expect(await readFor('paris', '/fast')).toMatchObject({ fields: { title: 'Fast' } });
  expect(site.requests.filter((request) => request === 'GET /slow').length).toBeLessThanOrEqual(1);
  const others = Array.from({ length: 6 }, (_, i) => readFor(`nice-${i}`, '/slow'));
  expect(await readFor('paris', '/fast')).toMatchObject({ fields: { title: 'Fast' } });
  const more = Array.from({ length: 41 }, (_, i) => readFor(`lille-${i}`, '/slow'));
  await expect(readFor('paris', '/fast')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    data: { readBy: 'host' },
    message: expect.stringContaining('on this host'),
  });
  answer();
  await Promise.all([...others, ...more]);
  expect((await Promise.all(slow)).map(({ fields }) => fields.title)).toEqual(Array(5).fill('Slow'));
});
