import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createOutbound } from '../../../../src/adapters/remote/outbound.ts';
import { noPrivateAccess } from '../../../../src/domain/private-hosts.ts';
import { openSite, openSource, readItems } from './read-source.ts';

const failureOf = async (opening: ReturnType<typeof openSource>) =>
  opening
    .then((source) => readItems(source))
    .then(
      () => 'read',
      (error: Error) => error.message,
    );

test('a host where nothing answers is told of in words', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  const message = await failureOf(openSource({ format: 'feed', location: `http://127.0.0.1:${port}/feed.xml` }));
  expect(message).toBe(
    `127.0.0.1:${port} cannot be reached: nothing listens there (ECONNREFUSED). Try again later, or check the address.`,
  );
});

test('a site with a problem of its own is to be tried later', async () => {
  const site = await openSite();
  site.put('/feed', (_request, response) => void response.writeHead(500).end());
  const message = await failureOf(openSource({ format: 'feed', location: `${site.origin}/feed` }));
  expect(message).toMatch(/status 500\. The site has a problem: try again later/);
});

test('a private address is refused with the setting that allows it', async () => {
  const outbound = createOutbound({
    allowLoopback: false,
    privateAccess: noPrivateAccess,
    allowHttp: true,
    version: '1',
  });
  const request = { format: 'feed' as const, location: 'http://127.0.0.1:9/feed' };
  expect(await failureOf(openSource(request, { outbound }))).toMatch(/name that host in ALLOW_PRIVATE/);
  await outbound.close();
});

test('of what an owner imports, the very host may be private, and none that it redirects to', async () => {
  const [site, inside] = [await openSite(), await openSite()];
  const outbound = createOutbound({
    allowLoopback: false,
    allowHttp: true,
    version: '1',
    privateAccess: { hosts: [], isOpenToOwners: true },
  });
  onTestFinished(() => outbound.close());
  const title = '<title>A</title><link>http://a.example/</link>';
  site.put('/feed', `<rss version="2.0"><channel>${title}<description>B</description></channel></rss>`);
  site.put('/moved', (_request, response) => {
    response.writeHead(302, { location: `${inside.origin}/feed` }).end();
  });
  const read = (path: string) => failureOf(openSource({ format: 'feed', location: site.origin + path }, { outbound }));
  expect(await read('/feed')).toBe('read');
  expect(await read('/moved')).toMatch(/is not on the public Internet/);
  expect(inside.requests).toEqual([]);
});

test('what is neither an address nor a file is told of without codes', async () => {
  expect(await failureOf(openSource({ format: 'feed', location: 'not-a-url' }))).toMatch(
    /^not-a-url is not there\. Give an address/,
  );
});
