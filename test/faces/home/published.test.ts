import { Parser } from 'n3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readStarterCatalog } from '../../../src/adapters/local/starter-catalog.ts';
import { hashObjectAddress } from '../../../src/domain/learning-object.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import { type RunningApp, startApp } from '../../helpers/app.ts';
import { drawSome, isFullRun } from '../../helpers/draw.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp(systemClock, {
    INDEXABLE: '1',
    TRUST_PROXY: '1',
    SECURITY_CONTACT: 'security@example.org',
    SECURITY_POLICY: 'https://example.org/security',
  });
});
afterAll(() => app.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { redirect: 'manual', headers: { 'accept-language': 'en', ...headers } });
const textOf = async (path: string) => (await get(path)).text();
const { objects } = readStarterCatalog('data');

/** Rules of AMB (19 October 2023) that its JSON Schema has for the fields that we write. */
const uri = z.url().regex(/^[\x21-\x7e]+$/);
const concept = z.looseObject({ id: uri, type: z.literal('Concept').optional() });
const amb = z.looseObject({
  '@context': z
    .array(z.unknown())
    .refine((all) => all.includes('https://w3id.org/kim/amb/context.jsonld'), 'the context of AMB')
    .refine((all) => all.some((each) => /^[a-z]{2}$/.test((each as Record<string, string>)['@language'] ?? ''))),
  id: uri,
  type: z
    .array(
      z
        .string()
        .regex(
          /^(?:Article|Book|Course|DigitalDocument|Game|HowTo|LearningResource|PodcastSeries|VideoObject|Web(?:Application|Page))$/,
        ),
    )
    .refine((types) => types.includes('LearningResource')),
  name: z.string().min(1),
  description: z.string().optional(),
  inLanguage: z.array(z.string().regex(/^[a-z]{2}$/)),
  keywords: z.array(z.string()).optional(),
  image: uri.optional(),
  creator: z.array(z.looseObject({ type: z.enum(['Person', 'Organization']), name: z.string() })).optional(),
  publisher: z.array(z.looseObject({ type: z.enum(['Person', 'Organization']), name: z.string() })).optional(),
  license: z
    .looseObject({
      id: uri.regex(/^https?:\/\/(creativecommons.org\/(licenses|publicdomain)|www.(gnu|apache).org\/licenses)\/./),
    })
    .optional(),
  learningResourceType: z
    .array(concept.extend({ id: z.string().regex(/^https:\/\/w3id.org\/kim\/hcrt\//) }))
    .min(1)
    .optional(),
  isAccessibleForFree: z.boolean().optional(),
  teaches: z.array(concept).optional(),
  datePublished: z.iso.date().optional(),
  dateModified: z.iso.date().optional(),
  mainEntityOfPage: z.array(z.looseObject({ id: uri, type: z.literal('WebContent') })),
});

describe('the page of an object', () => {
  const { url } = objects.find(({ license, provider }) => license !== undefined && provider === 'openstax')!;
  const path = `/objects/${hashObjectAddress(url)}`;

  test('says what is known of it, to people and to programs that preview it', async () => {
    const page = await textOf(path);
    expect(page).toContain(`<link rel="canonical" href="${app.url}${path}">`);
    expect(page).toContain('property="og:title"');
    expect(page).toContain(`href="${url}"`);
    const [, json] = /<script type="application\/ld\+json">(.+?)<\/script>/.exec(page)!;
    expect(JSON.parse(json!)).toMatchObject({ id: url, license: { id: expect.stringContaining('creativecommons') } });
  });

  test('is JSON-LD where that is asked for, by its ending and by the header', async () => {
    const [byEnding, byHeader] = await Promise.all([
      get(`${path}.jsonld`),
      get(path, { accept: 'application/ld+json' }),
    ]);
    expect(byEnding.headers.get('content-type')).toContain('application/ld+json');
    expect(await byEnding.json()).toEqual(await byHeader.json());
  });

  test('is 404 for an object that nobody has', async () => {
    for (const unknown of ['/objects/x', '/objects/x.jsonld', `${path}x`])
      expect((await get(unknown)).status).toBe(404);
  });

  test('is linked from a look inside it', async () => {
    const [, handle] = /name="handle" value="([^"]+)"/.exec(await textOf('/browse?provider=phet'))!;
    const body = new URLSearchParams({ handle: handle!.replaceAll('&amp;', '&'), part: '1' });
    const look = await (await fetch(`${app.url}/look`, { method: 'POST', body })).text();
    const [, page] = /href="(\/objects\/[^"]+)"/.exec(look)!;
    expect((await get(page!)).status).toBe(200);
  });

  test('can be shown by oEmbed', async () => {
    const answer = await get(`/oembed?url=${encodeURIComponent(app.url + path)}&maxwidth=320`);
    expect(await answer.json()).toMatchObject({ version: '1.0', title: expect.any(String), provider_name: 'OpenStax' });
    expect((await get(`/oembed?url=${encodeURIComponent(app.url + path)}&format=xml`)).status).toBe(501);
    expect((await get('/oembed?url=https://example.org')).status).toBe(404);
  });

  test.each(['-5', '0', '0.2', 'wide'])('oEmbed ignores a maxwidth of %s', async (maxwidth) => {
    const embedded = objects.find(({ provider }) => provider === 'phet')!;
    const page = `${app.url}/objects/${hashObjectAddress(embedded.url)}`;
    const address = `/oembed?url=${encodeURIComponent(page)}`;
    const unlimited = await (await get(address)).json();
    expect(unlimited).toMatchObject({ type: 'rich', width: 640, height: 360 });
    expect(await (await get(`${address}&maxwidth=${maxwidth}&maxheight=${maxwidth}`)).json()).toEqual(unlimited);
    expect(await (await get(`${address}&maxwidth=320`)).json()).toMatchObject({ width: 320, height: 180 });
  });
});

test('objects are valid in AMB', async () => {
  for (const [i, { url }] of drawSome(objects, 'objects as AMB', isFullRun ? 500 : 40).entries()) {
    // From several addresses, as one may not ask so often.
    const from = { 'x-forwarded-for': `10.0.0.${i % 250}` };
    const resource = await (await get(`/objects/${hashObjectAddress(url)}.json`, from)).json();
    expect(amb.safeParse(resource).error?.issues ?? [], url).toEqual([]);
    expect(resource.id).toBe(url);
  }
});

test('the sitemap has every object once', async () => {
  const locations = async (path: string) =>
    [...(await textOf(path)).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => loc!.replace(app.url, ''));
  expect(await textOf('/robots.txt')).toContain(`Sitemap: ${app.url}/sitemap.xml`);
  const parts = (await locations('/sitemap.xml')).filter((part) => part.length === '/sitemaps/A.xml'.length);
  expect(await locations('/sitemaps/skills.xml')).toContain('/skills/skilldock:python-programming');
  const pages: string[] = [];
  for (const part of parts) pages.push(...(await locations(part)));
  expect(pages.sort()).toEqual(objects.map(({ url }) => `/objects/${hashObjectAddress(url)}`).sort());
});

describe('the page of a skill', () => {
  test('names it in every language, and leads to others and to objects', async () => {
    const page = await textOf('/skills/skilldock:crop-production');
    for (const part of [
      'Crop production',
      'Pflanzenbau',
      'production végétale',
      '/skills/skilldock:agriculture',
      'class="card"',
    ])
      expect(page.toLowerCase()).toContain(part.toLowerCase());
  });

  test('is the same by its URI, and as JSON', async () => {
    const answer = await get('/skills?uri=skilldock%3Acrop-production', { accept: 'application/json' });
    expect(await answer.json()).toMatchObject({
      uri: 'skilldock:crop-production',
      taxonomy: 'Skilldock',
      labels: { de: 'Pflanzenbau' },
      links: { broader: [{ uri: 'skilldock:agriculture', label: 'agriculture' }] },
    });
    expect((await get('/skills/skilldock:nothing')).status).toBe(404);
    for (const accept of ['application/json', 'application/ld+json', 'text/turtle']) {
      const missing = await get('/skills/skilldock:nothing', { accept });
      expect(missing.status).toBe(404);
      expect(await missing.json()).toMatchObject({ statusCode: 404, code: 'PATH_UNKNOWN' });
    }
    expect((await get('/skills')).status).toBe(404);
  });

  test('where nothing is about it, shows what is about the nearest broader one, and says so', async () => {
    const page = await textOf('/skills/skilldock:perform-magic');
    expect(page).toContain('No resource is about it yet.');
    expect(page).toContain('These are about the broader “performing arts”.');
    expect(page).toContain('<a href="/?q=perform+magic+tricks');
    expect(page).toContain('class="card"');
    // Others who read it count what is about the concept itself.
    expect(await (await get('/skills/skilldock:perform-magic.json')).json()).toMatchObject({ objects: [] });
    const french = await get('/skills/skilldock:perform-magic', { 'accept-language': 'fr' });
    expect(await french.text()).toContain('Aucune ressource n’en traite pour l’instant.');
  });

  test('is SKOS, as JSON-LD and as Turtle', async () => {
    const jsonLd = await (await get('/skills/skilldock:crop-production.jsonld')).json();
    expect(jsonLd).toMatchObject({
      id: 'skilldock:crop-production',
      type: 'Concept',
      broader: ['skilldock:agriculture'],
    });
    const turtle = await textOf('/skills/skilldock:crop-production.ttl');
    expect(turtle).toContain('<http://www.w3.org/2004/02/skos/core#prefLabel> "Pflanzenbau"@de');
  });

  test('is linked from where skills are shown', async () => {
    expect(await textOf('/browse?topic=skilldock:crop-production')).toContain(
      'href="/skills/skilldock:crop-production"',
    );
    expect(await textOf('/?q=crop+production')).toContain('href="/skills/skilldock:');
    const body = new URLSearchParams({ text: 'We look for somebody who writes Python programs.', lang: 'en' });
    const tagged = await (await fetch(`${app.url}/tags`, { method: 'POST', body })).text();
    expect(tagged).toContain('<a class="chip" href="/skills/skilldock:python-programming">');
  });
});

describe('a taxonomy', () => {
  test('can be downloaded where its licence allows it', async () => {
    const turtle = await textOf('/taxonomies/Skilldock.ttl');
    const labels = new Parser().parse(turtle).filter(({ predicate }) => predicate.value.endsWith('#prefLabel'));
    expect(labels.filter(({ object }) => 'language' in object && object.language === 'de')).toHaveLength(1_907);
    expect(turtle.match(/ a <http:\/\/www.w3.org\/2004\/02\/skos\/core#Concept> /g)).toHaveLength(1_907);
    const graph = await (await get('/taxonomies/DigComp%202.2.jsonld')).json();
    expect(graph['@graph']).toHaveLength(1 + 26);
    expect(graph['@graph'][0]).toMatchObject({ type: 'ConceptScheme', license: expect.stringContaining('by/4.0') });
  });

  test('is refused where no licence is known to', async () => {
    for (const name of ['e-CF.ttl', 'Nothing.ttl', '__proto__.ttl'])
      expect((await get(`/taxonomies/${name}`)).status).toBe(404);
  });
});

describe('feeds', () => {
  test.each(['/?q=python', '/browse?topic=skilldock%3Apython-programming', '/browse?provider=phet'])(
    '%s has one',
    async (path) => {
      const [, feed] = /type="application\/rss\+xml" href="([^"]+)"/.exec(await textOf(path))!;
      const answer = await get(feed!.replaceAll('&amp;', '&'));
      expect(answer.headers.get('content-type')).toContain('application/rss+xml');
      const xml = await answer.text();
      expect(xml.match(/<item>/g)?.length).toBeGreaterThan(3);
      expect(xml).toContain(`<link>${app.url}${path.replaceAll('&', '&amp;')}</link>`);
    },
  );

  test('browsers are told how to search here', async () => {
    expect(await textOf('/')).toContain('rel="search" type="application/opensearchdescription+xml"');
    expect(await textOf('/opensearch.xml')).toContain(`template="${app.url}/?q={searchTerms}"`);
  });
});

describe('what the API says of a skill', () => {
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { 'x-api-key': app.demoKey, 'content-type': 'application/json' };
    return (await fetch(app.url + path, { ...init, headers })).json();
  };

  test('has its URI and taxonomy', async () => {
    const similar = await call('/domcomp/v1/similar?keywords=python');
    expect(similar.response[0]).toMatchObject({ uri: 'skilldock:python-programming', taxonomy: 'Skilldock' });
    const suggested = await call('/domcomp/v1/suggest?keywords=pytho');
    expect(suggested.response.content).toContainEqual(expect.objectContaining({ uri: 'skilldock:python-programming' }));
    const text = 'We look for somebody who writes Python programs.';
    const tagged = await call('/domcomp/v1/tagger', { method: 'POST', body: JSON.stringify({ text }) });
    const at = tagged.body.tags.indexOf('Python');
    expect(tagged.body.concepts[at]).toEqual({ uri: 'skilldock:python-programming', taxonomy: 'Skilldock' });
  });
});

test('security.txt says whom to tell of a vulnerability, and until when', async () => {
  const text = await textOf('/.well-known/security.txt');
  const [, expires] = /^Expires: (\S+)$/m.exec(text)!;
  const days = (Date.parse(expires!) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(178);
  expect(days).toBeLessThan(181);
  expect(text).toContain('Contact: mailto:security@example.org\n');
  expect(text).toContain(`Canonical: ${app.url}/.well-known/security.txt\n`);
  expect(text).toContain('Policy: https://example.org/security\n');
});

test('what is switched off is not there, and nothing is to be indexed', async () => {
  const off = { OBJECT_PAGES: '0', SKILL_PAGES: '0', FEEDS: '0', PUBLIC_URL: 'https://skills.example.org' };
  const closed = await startApp(systemClock, off);
  const statusOf = async (path: string) => (await fetch(closed.url + path)).status;
  for (const path of [
    '/skills/skilldock:python-programming',
    '/taxonomies/Skilldock.ttl',
    '/feed?q=a',
    '/opensearch.xml',
    '/sitemap.xml',
    '/.well-known/security.txt',
  ])
    expect(await statusOf(path), path).toBe(404);
  const page = await fetch(`${closed.url}/?q=python`);
  expect(page.headers.get('x-robots-tag')).toBe('noindex');
  const text = await page.text();
  expect(text).not.toContain('/skills/');
  expect(text).not.toContain('rss+xml');
  expect(await (await fetch(`${closed.url}/robots.txt`)).text()).toContain('Disallow: /\n');
  // On https, browsers are told to stay there.
  for (const path of ['/', '/healthz', '/domcomp/v1/similar'])
    expect((await fetch(closed.url + path)).headers.get('strict-transport-security'), path).toContain(
      'max-age=31536000',
    );
  expect((await get('/')).headers.has('strict-transport-security')).toBe(false);
  await closed.close();
});
