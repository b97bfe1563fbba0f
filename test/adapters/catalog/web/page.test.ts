import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { readPageObject } from '../../../../src/adapters/catalog/web/page.ts';
import { openWebSource } from '../../../../src/adapters/catalog/web/web.ts';
import { createOutbound } from '../../../../src/adapters/remote/outbound.ts';
import type { ImportRequest } from '../../../../src/ports/imports.ts';
import { objectsOf, openSite, openSource, providersOf, readItems } from './read-source.ts';

const address = 'https://school.example/weaving';
const request = { format: 'lrmi', location: address, langs: [] } as const;

function read(html: string): object {
  const { outcome } = readPageObject(request, address, html);
  return 'record' in outcome ? outcome.record : outcome;
}

test('Open Graph counts before the plain words of HTML', () => {
  const html = `<html lang="fr-CA"><head><title>Home | School</title>
    <meta name="description" content="plain"><meta property="og:title" content="Tisser &amp; filer">
    <meta property="og:description" content="Un métier."><meta property="og:image" content="/a.png">
    <meta property="og:site_name" content="École"><meta property="og:type" content="video.other">
    <meta property="video:duration" content="90"><meta name="keywords" content="laine, métier"><meta name="author" content="Ada">`;
  expect(read(html)).toMatchObject({
    url: address,
    title: 'Tisser & filer',
    description: 'Un métier.',
    provider: 'ecole',
    lang: 'fr',
    type: ['video'],
    keywords: ['laine', 'métier'],
    author: ['Ada'],
    picture: 'https://school.example/a.png',
    learningTime: { value: 2, unit: 'min' },
  });
});

test('a page that says little keeps its title, and its host as provider', () => {
  expect(read('<title> Weaving <b>now</b> </title><body><title>no</title>')).toMatchObject({
    title: 'Weaving now',
    provider: 'school-example',
    type: ['website'],
  });
  expect(read('<meta itemprop="duration" content="PT4M13S"><title>A film</title>')).toMatchObject({
    learningTime: { value: 4, unit: 'min' },
  });
  expect(read('<body>nothing')).toMatchObject({ reason: expect.stringContaining('no title') });
});

test('JSON-LD about the page counts before both; that about other pages does not', () => {
  const node = (url: string, name: string) =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'Course', url, name, timeRequired: 'PT2H' })}</script>`;
  const og = '<meta property="og:image" content="https://school.example/b.png"><title>Page</title>';
  expect(read(`${og}${node(`${address}/`, 'Own')}${node('https://x.example/', 'Other')}`)).toMatchObject({
    title: 'Own',
    url: address,
    picture: 'https://school.example/b.png',
    learningTime: { value: 2, unit: 'h' },
  });
  const two = node('https://x.example/1', 'One') + node('https://x.example/2', 'Two');
  expect(read(og + two)).toMatchObject({ title: 'Page' });
});

const page = { isByOwner: false };

test('a page is read where the site allows it, and says why not elsewhere', async () => {
  const site = await openSite();
  site.put('/robots.txt', 'User-agent: *\nDisallow: /closed');
  site.put('/open', '<title>Open</title>');
  site.put('/closed', '<title>Closed</title>');
  site.put('/file.pdf', '%PDF', { 'content-type': 'application/pdf' });
  const readAt = async (path: string) =>
    readItems(await openSource({ format: 'lrmi', location: site.origin + path, page }));
  const items = await readAt('/open');
  expect(objectsOf(items)).toMatchObject([{ title: 'Open', url: `${site.origin}/open` }]);
  expect(providersOf(items)).toHaveLength(1);
  await expect(readAt('/closed')).rejects.toThrow(/robots\.txt/);
  await expect(readAt('/file.pdf')).rejects.toThrow(/is not a page but a file/);
  await expect(readAt('/none')).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  await expect(openSource({ format: 'lrmi', location: '/etc/passwd', page })).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
  });
});

test('gives the reason why a page cannot be read', async () => {
  const site = await openSite();
  site.put('/robots.txt', 'User-agent: *\nDisallow: /closed');
  const answer = (status: number) => (_: unknown, response: ServerResponse) => void response.writeHead(status).end();
  for (const status of [403, 500, 503]) site.put(`/${status}`, answer(status));
  const gone = await openSite();
  await gone.close();
  const failureAt = async (location: string) => {
    // The second pause is then longer than somebody waits.
    const source = await openSource({ format: 'lrmi', location, page }, { retryMs: 1_500 });
    return readItems(source).catch((error: unknown) => error);
  };
  const failures = await Promise.all([
    failureAt(`${gone.origin}/`),
    failureAt('https://no-such-host.invalid/'),
    ...['/none', '/403', '/500', '/closed', '/503'].map((path) => failureAt(site.origin + path)),
  ]);
  expect(failures).toMatchObject([
    {
      code: 'SOURCE_UNAVAILABLE',
      message: expect.stringContaining('nothing listens there'),
      data: { reason: 'refused' },
    },
    { code: 'SOURCE_UNAVAILABLE', data: { reason: expect.stringMatching(/^(?:no-host|refused)$/) } },
    { code: 'SOURCE_UNAVAILABLE', data: { reason: 'not-found' } },
    { code: 'SOURCE_UNAVAILABLE', data: { reason: 'forbidden' } },
    { code: 'SOURCE_UNAVAILABLE', data: { reason: 'server-error' } },
    { code: 'IMPORT_INVALID', data: { reason: 'robots' } },
    {
      code: 'SOURCE_UNAVAILABLE',
      message: expect.stringContaining('too busy (status 503)'),
      data: { reason: 'busy' },
    },
  ]);
});

test('private networks are read for owners alone, where the operator lets them', async () => {
  const site = await openSite();
  site.put('/', '<title>Inside</title>');
  const outbound = createOutbound({
    allowLoopback: false,
    allowHttp: true,
    version: '1',
    privateAccess: { hosts: [], isOpenToOwners: true },
  });
  const readAs = async (isByOwner: boolean) => {
    const source = await openWebSource({ ...request, location: `${site.origin}/`, page: { isByOwner } }, { outbound });
    return objectsOf(await readItems(source));
  };
  await expect(readAs(false)).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
    data: { reason: 'not-public' },
  });
  expect(await readAs(true)).toMatchObject([{ title: 'Inside' }]);
  await outbound.close();
});

test('a host that the operator vouches for is read for owners alone', async () => {
  const site = await openSite();
  site.put('/', '<title>Inside</title>');
  const { hostname } = new URL(site.origin);
  const outbound = createOutbound({
    allowLoopback: false,
    allowHttp: true,
    version: '1',
    privateAccess: { hosts: [{ host: hostname, port: null }], isOpenToOwners: false },
  });
  onTestFinished(() => outbound.close());
  const read = async (changes: Pick<ImportRequest, 'page'>) => {
    const asked = { ...request, location: `${site.origin}/`, ...changes };
    return objectsOf(await readItems(await openWebSource(asked, { outbound })));
  };
  // A connection that an owner's reading has left open is not used for others.
  expect(await read({ page: { isByOwner: true } })).toMatchObject([{ title: 'Inside' }]);
  await expect(read({ page: { isByOwner: false } })).rejects.toThrow('ask an owner of this host');
});
