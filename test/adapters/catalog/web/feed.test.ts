import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { objectsOf, openSite, openSource, providersOf, readItems, rejectedOf } from './read-source.ts';

const podcast = (items: string, extra = '') => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom">
<channel><title>Statistics &amp; Us</title><link>https://pod.example/</link><language>en-GB</language>
<itunes:author>Ada</itunes:author><itunes:image href="https://pod.example/cover.png"/>${extra}${items}</channel></rss>`;

const episode = (number: number, more = '') => `<item><title>Episode ${number}</title>
<link>https://pod.example/${number}</link><description>&lt;p&gt;About &lt;b&gt;means&lt;/b&gt;.&lt;script&gt;alert(1)&lt;/script&gt;&lt;/p&gt;</description>
<enclosure url="https://cdn.example/${number}.mp3" type="audio/mpeg" length="1"/>
<itunes:duration>1:02:30</itunes:duration><itunes:keywords>mean, median</itunes:keywords>${more}</item>`;

const feedOf = async (text: string | Buffer, langs: readonly string[] = []) => {
  const location = join(makeTempDir(), 'feed.xml');
  writeFileSync(location, text);
  return readItems(await openSource({ format: 'feed', location, langs }));
};

test('a podcast gives its episodes, with the channel as their provider', async () => {
  const items = await feedOf(podcast(episode(1)));
  expect(providersOf(items)).toEqual([
    { id: 'statistics-and-us', name: 'Statistics & Us', url: 'https://pod.example/' },
  ]);
  expect(objectsOf(items)).toEqual([
    {
      url: 'https://pod.example/1',
      title: 'Episode 1',
      description: 'About means.',
      provider: 'statistics-and-us',
      type: ['podcast'],
      bloom: ['Understand'],
      lang: 'en',
      keywords: ['mean', 'median'],
      publisher: [],
      author: ['Ada'],
      popularity: 0.3,
      learningTime: { value: 63, unit: 'min' },
      picture: 'https://pod.example/cover.png',
    },
  ]);
});

test('a channel of videos gives videos, in the language that is asked for where it names none', async () => {
  const atom = `<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
  <title>Chaîne</title><link rel="alternate" href="https://www.youtube.com/channel/UC"/><author><name>Ève</name></author>
  <entry><yt:videoId>a</yt:videoId><title>List&lt;String&gt; &amp; Co</title><link rel="alternate" href="https://www.youtube.com/watch?v=a"/>
  <media:group><media:thumbnail url="https://i.example/a.jpg"/><media:description>Une vidéo</media:description></media:group></entry></feed>`;
  const [object] = objectsOf(await feedOf(atom, ['fr']));
  expect(object).toMatchObject({
    url: 'https://www.youtube.com/watch?v=a',
    title: 'List<String> & Co',
    description: 'Une vidéo',
    type: ['video'],
    lang: 'fr',
    keywords: ['list', 'string'],
    author: ['Ève'],
    picture: 'https://i.example/a.jpg',
  });
});

test('a picture that is enclosed, and a player for frames', async () => {
  const media = `<media:content xmlns:media="http://search.yahoo.com/mrss/" url="https://pod.example/own.png" medium="image"/>`;
  const player = `<media:player xmlns:media="http://search.yahoo.com/mrss/" url="https://tube.example/embed/1"/>`;
  const photo = '<enclosure url="https://cdn.example/photo.jpg" type="image/jpeg" length="1"/>';
  const items = await feedOf(podcast(episode(1, media + player) + episode(2, photo) + episode(3)));
  expect(objectsOf(items).map(({ picture, embed }) => [picture, embed])).toEqual([
    ['https://pod.example/own.png', 'https://tube.example/embed/1'],
    ['https://cdn.example/photo.jpg', undefined],
    ['https://pod.example/cover.png', undefined],
  ]);
});

test('RDF and JSON feeds give articles', async () => {
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>Old</title><link>https://old.example</link></channel><item><title>One</title><link>https://old.example/1</link></item></rdf:RDF>`;
  expect(objectsOf(await feedOf(rdf))).toMatchObject([{ url: 'https://old.example/1', type: ['article'] }]);
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'New',
    language: 'de',
    items: [{ id: '1', url: 'https://new.example/1', title: 'Eins', content_html: '<p>Hallo</p>', tags: ['a'] }],
  });
  expect(objectsOf(await feedOf(json))).toMatchObject([
    { title: 'Eins', description: 'Hallo', lang: 'de', keywords: ['a'], type: ['article'] },
  ]);
});

test('hostile or missing values are cut, cleaned or rejected with a reason', async () => {
  const long = 'word '.repeat(250_000);
  const items = await feedOf(
    podcast(
      `<item><title>${long}</title><link>https://pod.example/long</link><description>${long}</description></item>
       <item><title>Nul \u0001 here</title><link>https://pod.example/nul</link></item>
       <item><link>https://pod.example/untitled</link></item>
       <item><title>\u200d\u2060</title><link>https://pod.example/unseen</link></item>
       <item><title>Bad link</title><link>javascript:alert(1)</link></item>
       <item><title>Login</title><link>https://me:pass@pod.example/login</link></item>
       <item><title>No link</title><enclosure url="https://cdn.example/x.mp3" type="audio/mpeg" length="1"/></item>`,
    ),
  );
  const [cut, nul, linkless] = objectsOf(items) as { title: string; description: string; url: string }[];
  expect(cut?.title).toMatch(/^word .* word…$/);
  expect(cut?.title.length).toBeLessThanOrEqual(300);
  expect(cut?.description.length).toBeLessThanOrEqual(400);
  expect(nul?.title).toBe('Nul here');
  expect(linkless?.url).toBe('https://cdn.example/x.mp3');
  expect(rejectedOf(items)).toEqual([
    {
      place: 'https://pod.example/untitled',
      reason: expect.stringContaining('has no title'),
      of: { kind: 'object', key: 'https://pod.example/untitled' },
    },
    expect.objectContaining({
      place: 'https://pod.example/unseen',
      reason: expect.stringContaining('has no title'),
    }),
    { place: 'javascript:alert(1)', reason: expect.stringContaining('cannot be opened in a browser') },
    expect.objectContaining({
      reason: 'has the address https://pod.example/login with a user name or password in it. Give it without',
    }),
  ]);
});

test('a feed in another charset is read in it, and a bomb of entities stays small', async () => {
  const latin = podcast(episode(1)).replace('UTF-8', 'ISO-8859-1').replace('Episode 1', 'Épisode');
  expect(objectsOf(await feedOf(Buffer.from(latin, 'latin1')))).toMatchObject([{ title: 'Épisode' }]);
  const bomb = podcast('<item><title>&lol9;</title><link>https://pod.example/1</link></item>').replace(
    '<rss',
    `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i || ''};`.repeat(10)}">`).join('')}]><rss`,
  );
  const titles = await feedOf(bomb).then(
    (items) => objectsOf(items).map(({ title }) => String(title)),
    (error: { code: string }) => [error.code],
  );
  expect(titles.join().length).toBeLessThan(200);
});

test('refuses a document that is no feed', async () => {
  for (const text of ['', '<html><p>Hello</p></html>', '{"a":1}', '<rss><channel><item><title>cut'])
    await expect(feedOf(text)).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
  await expect(openSource({ format: 'feed', location: 'https://' })).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
  });
  const missing = await openSource({ format: 'feed', location: join(makeTempDir(), 'none.xml') });
  await expect(readItems(missing)).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
});

test('older pages are followed once each, and a host that is busy is waited for', async () => {
  const site = await openSite();
  let busy = 2;
  site.put('/feed', (_request, response) => {
    if (busy-- > 0) return void response.writeHead(503, { 'retry-after': '0' }).end();
    response.end(podcast(episode(1), '<atom:link rel="next" href="/feed2"/>'));
  });
  site.put('/feed2', podcast(episode(2), '<atom:link rel="next" href="/feed"/>'));
  const source = await openSource({ format: 'feed', location: `${site.origin}/feed` });
  expect(source).toMatchObject({ covers: [], fingerprint: null, unit: 'pages' });
  expect(source.dataset).toMatch(/^feed-127-0-0-1-\d+-feed$/);
  const items = await readItems(source);
  expect(objectsOf(items).map(({ url }) => url)).toEqual(['https://pod.example/1', 'https://pod.example/2']);
  expect(site.requests).toEqual(['GET /feed', 'GET /feed', 'GET /feed', 'GET /feed2']);
});

test('a feed that is not there, too busy, or on a private network is said so', async () => {
  const site = await openSite();
  const read = async (location: string) => readItems(await openSource({ format: 'feed', location }));
  await expect(read(`${site.origin}/none`)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  site.put('/busy', (_request, response) => response.writeHead(503, { 'retry-after': '9999' }).end());
  await expect(read(`${site.origin}/busy`)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  site.put('/private', (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  );
  await expect(read(`${site.origin}/private`)).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
});

test('keys in an address are not shown, but make another data set', async () => {
  const open = (query: string) =>
    openSource({ format: 'feed', location: `https://me:pass@pod.example/feed.xml?${query}` });
  const [one, other] = [await open('set=news&token=s3cret'), await open('set=news&token=other')];
  expect(one.title).toBe('https://pod.example/feed.xml?set=news&token=…');
  expect(one.dataset).toMatch(/^feed-pod-example-feed-xml-[\da-f]{8}$/);
  expect(other.dataset).not.toBe(one.dataset);
  const site = await openSite();
  const missing = await openSource({ format: 'feed', location: `${site.origin}/feed?token=s3cret` });
  const error = await readItems(missing).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: expect.stringContaining('?token=… answered with the status 404') });
});

test('a feed that would hold everything up is refused', async () => {
  const long = podcast(`<item><title>${'x'.repeat(9 * 1_048_576)}</title></item>`);
  await expect(feedOf(long)).rejects.toMatchObject({ message: expect.stringContaining('8 MiB') });
  const site = await openSite();
  site.put('/feed', long);
  const source = await openSource({ format: 'feed', location: `${site.origin}/feed` });
  await expect(readItems(source)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
});

test('a list of feeds (OPML) gives the entries of all, and says which feed cannot be read', async () => {
  const site = await openSite();
  const feed = (link: string) =>
    `<rss version="2.0"><channel><title>${link}</title><item><title>${link}</title><link>${link}</link></item></channel></rss>`;
  site.put('/a.xml', feed('https://a.example/1'));
  site.put('/b.xml', feed('https://b.example/1'));
  site.put(
    '/list.opml',
    `<?xml version="1.0"?><opml version="2.0"><head><title>L</title></head><body><outline text="all"><outline type="rss" xmlUrl="${site.origin}/a.xml"/><outline type="rss" xmlUrl="${site.origin}/gone.xml"/></outline><outline type="rss" xmlUrl="${site.origin}/b.xml"/></body></opml>`,
  );
  const items = await readItems(await openSource({ format: 'feed', location: `${site.origin}/list.opml` }));
  expect(objectsOf(items).map(({ url }) => url)).toEqual(['https://a.example/1', 'https://b.example/1']);
  expect(rejectedOf(items)).toEqual([{ place: `${site.origin}/gone.xml`, reason: expect.stringContaining('404') }]);
});

test('relative addresses, a permalink of the site, the language of the document and notes without a title', async () => {
  const rss = `<rss version="2.0" xml:lang="fr"><channel><title>T</title><link>https://s.example.org</link>
    <item><link>/a</link><title>A</title></item><item><guid isPermaLink="true">/b</guid><title>B</title></item>
    <item><link>https://s.example.org/c</link><description>Only &lt;i&gt;text&lt;/i&gt;</description></item></channel></rss>`;
  expect(objectsOf(await feedOf(rss)).map(({ url, title, lang }) => [url, title, lang])).toEqual([
    ['https://s.example.org/a', 'A', 'fr'],
    ['https://s.example.org/b', 'B', 'fr'],
    ['https://s.example.org/c', 'Only text', 'fr'],
  ]);
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://b.example.org/x/"><title>T</title>
    <entry><id>https://b.example.org/1</id><title>One</title></entry>
    <entry xml:base="sub/"><id>2</id><title>Two</title><link href="two.html"/></entry></feed>`;
  expect(objectsOf(await feedOf(atom)).map(({ url }) => url)).toEqual([
    'https://b.example.org/1',
    'https://b.example.org/x/sub/two.html',
  ]);
});

test('entries with one address and nothing of their own are rejected, but for the first', async () => {
  const items = await feedOf(
    '<rss version="2.0"><channel><title>T</title><item><link>https://s.example.org/x</link><title>A</title></item><item><link>https://s.example.org/x</link><title>B</title></item></channel></rss>',
  );
  expect(objectsOf(items).map(({ title }) => title)).toEqual(['A']);
  expect(rejectedOf(items)).toEqual([
    { place: 'https://s.example.org/x', reason: '“B” has the address of “A”: give each its own' },
  ]);
});
