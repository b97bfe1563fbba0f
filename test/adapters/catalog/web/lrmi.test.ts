import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PositionLost } from '../../../../src/ports/imports.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { objectsOf, openSite, openSource, providersOf, readItems, rejectedOf } from './read-source.ts';

const page = (...nodes: unknown[]) =>
  `<!doctype html><html><head>${nodes.map((node) => `<script type="application/ld+json">${typeof node === 'string' ? node : JSON.stringify(node)}</script>`).join('')}</head><body>Hello</body></html>`;
const course = (name: string, more: object = {}) => ({
  '@context': 'https://schema.org',
  '@type': 'Course',
  name,
  ...more,
});
const urlset = (...addresses: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">${addresses.map((address) => `<url><loc>${address}</loc><image:image><image:loc>https://img.example/x.png</image:loc></image:image></url>`).join('')}</urlset>`;

const readText = async (text: string, name = 'page.html') => {
  const location = join(makeTempDir(), name);
  writeFileSync(location, text);
  return readItems(await openSource({ format: 'lrmi', location }));
};
const titles = (items: Awaited<ReturnType<typeof readItems>>) => objectsOf(items).map(({ title }) => title);

test('a course with everything that is known of it', async () => {
  const items = await readText(
    page(
      course('Statistics', {
        url: 'https://school.example/stats',
        description: '<p>From means to tests.</p>',
        provider: { '@type': 'Organization', name: 'École Ouverte', url: 'https://school.example' },
        publisher: 'Press',
        author: [{ '@type': 'Person', name: 'Ada' }, 'Bob'],
        inLanguage: { '@type': 'Language', name: 'French' },
        educationalLevel: 'Beginner',
        teaches: ['means', 'tests'],
        keywords: 'data, numbers',
        typicalAgeRange: '16-',
        image: { '@type': 'ImageObject', url: 'https://school.example/a.png' },
        hasCourseInstance: { '@type': 'CourseInstance', courseMode: 'online', courseWorkload: 'PT3H' },
        offers: [{ '@type': 'Offer', price: '0', priceCurrency: 'EUR' }],
      }),
    ),
  );
  expect(providersOf(items)).toEqual([{ id: 'ecole-ouverte', name: 'École Ouverte', url: 'https://school.example' }]);
  expect(objectsOf(items)).toEqual([
    {
      url: 'https://school.example/stats',
      title: 'Statistics',
      description: 'From means to tests.',
      provider: 'ecole-ouverte',
      type: ['training'],
      bloom: ['Understand', 'Apply'],
      lang: 'fr',
      keywords: ['data', 'numbers', 'means', 'tests'],
      level: -1,
      learningTime: { value: 3, unit: 'h' },
      publisher: ['Press'],
      author: ['Ada', 'Bob'],
      free: true,
      popularity: 0.3,
      age: { min: 16 },
      picture: 'https://school.example/a.png',
      educationalLevel: ['Beginner'],
      teaches: [{ label: 'means' }, { label: 'tests' }],
    },
  ]);
});

test('pictures and players, of the object itself or of its video; that of the page where it is about one object', async () => {
  const og = '<meta property="og:image" content="/page.png">';
  const url = 'https://school.example/a';
  const image = { '@type': 'ImageObject', name: 'A photo', url: 'https://school.example/photo.jpg' };
  const video = {
    '@type': 'VideoObject',
    thumbnailUrl: 'https://school.example/v.jpg',
    embedUrl: 'https://tube.example/embed/1',
  };
  const media = async (text: string) => objectsOf(await readText(text)).map(({ picture, embed }) => [picture, embed]);
  const own = page(course('A', { url, image, video }));
  expect(await media(own)).toEqual([['https://school.example/photo.jpg', 'https://tube.example/embed/1']]);
  expect(await media(page(course('A', { url, video })))).toEqual([
    ['https://school.example/v.jpg', 'https://tube.example/embed/1'],
  ]);
  const site = await openSite();
  const withPicture = (html: string) => html.replace('<head>', `<head>${og}`);
  site.put('/a', withPicture(page(course('A'))));
  site.put('/b', withPicture(page(course('A'), course('B', { url }))));
  const pictures = async (path: string) => {
    const source = await openSource({ format: 'lrmi', location: site.origin + path });
    return objectsOf(await readItems(source)).map(({ picture }) => picture);
  };
  expect(await pictures('/a')).toEqual([`${site.origin}/page.png`]);
  expect(await pictures('/b')).toEqual([undefined, undefined]);
});

test('graphs, lists, videos and books; nothing of what is not for learning', async () => {
  const nodes = {
    '@graph': [
      { '@type': 'WebSite', name: 'Site', url: 'https://a.example' },
      {
        '@type': ['VideoObject'],
        name: 'Film',
        url: 'https://a.example/film',
        duration: 'PT90S',
        isAccessibleForFree: false,
      },
      {
        '@type': 'ItemList',
        itemListElement: [
          {
            '@type': 'ListItem',
            item: { '@type': 'http://schema.org/Book', name: 'Tome', '@id': 'https://a.example/book' },
          },
        ],
      },
      { '@type': 'WebPage', name: 'Sheet', url: 'https://a.example/sheet', learningResourceType: 'exercise' },
    ],
  };
  const items = await readText(JSON.stringify(nodes), 'data.jsonld');
  expect(objectsOf(items)).toMatchObject([
    { title: 'Film', type: ['video'], learningTime: { value: 2, unit: 'min' }, free: false },
    { title: 'Tome', type: ['book'] },
    { title: 'Sheet', type: ['tutorial'] },
  ]);
});

test('what is broken or hostile does no harm', async () => {
  const deep = `${'{"@graph":['.repeat(5_000)}${']}'.repeat(5_000)}`;
  const items = await readText(
    page(
      '{"@type":"Course",',
      deep,
      course('Kept </b>\u0000'.padEnd(1_000_000, 'x '), { url: 'https://a.example/1' }),
      course('No address'),
    ),
  );
  expect(objectsOf(items)).toHaveLength(1);
  expect(String(objectsOf(items)[0]?.title).length).toBeLessThanOrEqual(300);
  expect(rejectedOf(items)).toHaveLength(1);
  for (const text of ['', '<p>Hello</p>', page('{')])
    await expect(readText(text)).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
});

test('a site: the sitemaps of its robots.txt, packed or not, page by page and only what is open', async () => {
  const site = await openSite();
  const { origin } = site;
  site.put(
    '/robots.txt',
    `User-agent: *\nDisallow: /\n\nUser-agent: Skilldock\nDisallow: /closed\nSitemap: ${origin}/index.xml`,
  );
  site.put('/', '<p>Welcome</p>');
  site.put(
    '/index.xml',
    `<sitemapindex><sitemap><loc>${origin}/a.xml.gz</loc></sitemap><sitemap><loc>${origin}/b.xml</loc></sitemap><sitemap><loc>${origin}/index.xml</loc></sitemap></sitemapindex>`,
  );
  const packed = gzipSync(urlset(`${origin}/1`, `${origin}/closed/2`, 'https://elsewhere.example/3'));
  site.put('/a.xml.gz', (_request, response) => response.end(packed));
  site.put('/b.xml', urlset(`${origin}/4`, `${origin}/loop`, `${origin}/gone`, `${origin}/1`, 'nonsense'));
  site.put('/1', page(course('One')));
  site.put('/4', page(course('Four', { url: '/four' })));
  site.put('/loop', (_request, response) => response.writeHead(302, { location: '/loop' }).end());
  const source = await openSource({ format: 'lrmi', location: origin });
  const items = await readItems(source);
  expect(objectsOf(items).map(({ url }) => url)).toEqual([`${origin}/1`, `${origin}/four`]);
  expect(rejectedOf(items)).toEqual([
    { place: `${origin}/closed/2`, reason: expect.stringContaining('robots.txt') },
    { place: 'https://elsewhere.example/3', reason: expect.stringContaining('only that site') },
    { place: `${origin}/loop`, reason: expect.stringContaining('redirects endlessly') },
    { place: `${origin}/gone`, reason: expect.stringContaining('404') },
    { place: 'nonsense', reason: expect.stringContaining('not an address') },
  ]);
  expect(site.requests).not.toContain('GET /closed/2');
  expect(site.requests.filter((request) => request === 'GET /1')).toHaveLength(1);
  expect(site.mostOpen).toBe(1);
  // A page that could not be read may still be there.
  expect(source.covers).toEqual([]);
  expect(items.at(-1)?.done).toBe(7);
});

test('a break after any page goes on after it; with another list, and at the end, it is to be read anew', async () => {
  const site = await openSite();
  const pages = ['/1', '/2', '/3'].map((path) => `${site.origin}${path}`);
  site.put('/sitemap.xml', urlset(...pages));
  for (const path of ['/1', '/2', '/3']) site.put(path, page(course(path)));
  const source = await openSource({ format: 'lrmi', location: `${site.origin}/sitemap.xml` });
  for (const most of [1, 2]) {
    const before = await readItems(source, { most });
    site.forget();
    const rest = await readItems(source, { after: before.at(-1)!.position });
    expect([...titles(before), ...titles(rest)]).toEqual(['/1', '/2', '/3']);
    expect(site.requests.filter((request) => /\/\d$/.test(request))).toHaveLength(3 - most);
  }
  expect(source.covers).toEqual(['']);
  const whole = await readItems(source);
  expect(titles(whole)).toEqual(['/1', '/2', '/3']);
  await expect(readItems(source, { after: whole.at(-1)!.position })).rejects.toThrow(PositionLost);
  const [first] = whole;
  site.put('/sitemap.xml', urlset(...pages.toReversed()));
  await expect(readItems(source, { after: first!.position })).rejects.toThrow(PositionLost);
});

test('a site that goes away ends it; one page too many or too long is left out', async () => {
  const site = await openSite();
  const addresses = Array.from({ length: 9 }, (_, number) => `${site.origin}/p${number}`);
  site.put('/sitemap.xml', urlset(...addresses));
  const location = `${site.origin}/sitemap.xml`;
  for (const address of addresses)
    site.put(new URL(address).pathname, (_request, response) => response.writeHead(500).end());
  await expect(readItems(await openSource({ format: 'lrmi', location }))).rejects.toMatchObject({
    code: 'SOURCE_UNAVAILABLE',
  });
  for (const address of addresses) site.put(new URL(address).pathname, page(course(address)));
  site.put('/p1', 'x'.repeat(9 * 1_048_576));
  const source = await openSource({ format: 'lrmi', location }, { maxPages: 3 });
  const items = await readItems(source);
  expect(titles(items)).toEqual([addresses[0], addresses[2]]);
  expect(rejectedOf(items)).toEqual([
    { place: new URL(location).origin, reason: expect.stringContaining('more than 3 pages') },
    { place: addresses[1], reason: expect.stringContaining('more than') },
  ]);
  expect(source.covers).toEqual([]);
});

test('a site that is closed, or does not say, is not read', async () => {
  const site = await openSite();
  site.put('/course', page(course('Closed')));
  const read = async () => readItems(await openSource({ format: 'lrmi', location: `${site.origin}/course` }));
  expect(titles(await read())).toEqual(['Closed']);
  site.put('/robots.txt', 'User-agent: *\nDisallow: /course');
  await expect(read()).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
  site.put('/robots.txt', (_request, response) => response.writeHead(500).end());
  site.forget();
  await expect(read()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  expect(site.requests).toEqual(['GET /robots.txt']);
});

test('the site is the one that its address leads to', async () => {
  const [old, site] = [await openSite(), await openSite()];
  old.put('/sitemap.xml', (_request, response) =>
    response.writeHead(301, { location: `${site.origin}/sitemap.xml` }).end(),
  );
  site.put('/sitemap.xml', urlset(`${site.origin}/1`));
  site.put('/1', page(course('Moved')));
  const source = await openSource({ format: 'lrmi', location: `${old.origin}/sitemap.xml` });
  expect(titles(await readItems(source))).toEqual(['Moved']);
  expect(source.covers).toEqual(['']);
  site.put('/robots.txt', 'User-agent: *\nDisallow: /sitemap.xml');
  await expect(readItems(source)).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
});

test('pages that are elsewhere now may still be there: nothing is gone because of them', async () => {
  const [site, other] = [await openSite(), await openSite()];
  other.put('/2', page(course('Two')));
  site.put('/1', page(course('One')));
  site.put('/2', (_request, response) => response.writeHead(301, { location: `${other.origin}/2` }).end());
  const source = await openSource({ format: 'lrmi', location: `${site.origin}/sitemap.xml` });
  for (const second of [`${other.origin}/2`, `${site.origin}/2`]) {
    site.put('/sitemap.xml', urlset(`${site.origin}/1`, second));
    expect(titles(await readItems(source))).toEqual(['One']);
    expect(source.covers, second).toEqual([]);
  }
});

test('another language or provider is another source, and a place in it is of use for a day', async () => {
  const location = 'https://school.example/sitemap.xml';
  const sources = await Promise.all([
    openSource({ format: 'lrmi', location }),
    openSource({ format: 'lrmi', location, langs: ['fr'] }),
    openSource({ format: 'lrmi', location, provider: 'School' }),
    openSource({ format: 'oai', location }),
    openSource({ format: 'oai', location, langs: ['fr'] }),
  ]);
  expect(new Set(sources.map(({ fingerprint }) => fingerprint)).size).toBe(5);
  for (const { resumableForMs } of sources) expect(resumableForMs).toBe(24 * 3_600_000);
});

test('what a file has is named by the name that people know', async () => {
  const location = join(makeTempDir(), '8f3a');
  writeFileSync(location, page(course('No address')));
  const source = await openSource({ format: 'lrmi', location, title: 'courses.html' });
  expect(rejectedOf(await readItems(source))).toMatchObject([{ place: 'courses.html' }]);
});
