import type { Request, Response } from 'express';
import { AppError } from '#errors';
import { writeElement, writeTexts, type Xml } from '#faces/xml';
import { writeSkillAddress } from '../../object-view/skill-address.ts';
import { type HomePages, type HomeRoute, sendXml } from '../pages.ts';

/** Tells search engines what they may read, and lists all pages for them. */
export const sitemapRoutes: readonly HomeRoute[] = [
  { method: 'get', path: '/robots.txt', handle: sendRobots },
  { method: 'get', path: '/sitemap.xml', handle: sendSitemapIndex },
  { method: 'get', path: '/sitemaps/:part', handle: sendSitemapPart },
];

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
/** Each part has the objects whose identifiers begin with its letter; all have about as many. */
const objectParts = [...'-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'];
const allObjects = { from: null, until: null, providerId: null };
const BATCH = 500;

/** Paths that are useless for search engines, such as results of endless searches. */
const disallowedPaths = [
  '/admin',
  '/lti',
  '/slack',
  '/demo',
  '/look',
  '/tags',
  '/pictures/',
  '/feed',
  '/?',
  '/browse?',
];

function sendRobots(_request: Request, response: Response, { isIndexable, publicUrl }: HomePages): void {
  const rules = isIndexable
    ? [...disallowedPaths.map((path) => `Disallow: ${path}`), '', `Sitemap: ${publicUrl}/sitemap.xml`]
    : ['Disallow: /'];
  response
    .set('Cache-Control', 'public, max-age=3600')
    .type('text')
    .send(`${['User-agent: *', ...rules].join('\n')}\n`);
}

async function sendSitemapIndex(request: Request, response: Response, pages: HomePages): Promise<void> {
  requireSitemap(pages);
  await pages.limitSearches(request);
  const entries: Xml[] = [];
  for (const part of listSitemapParts(pages)) {
    // A part without pages would be invalid.
    if (!objectParts.includes(part) || (await hasObjectsInPart(pages, part)))
      entries.push(writeElement('sitemap', writeTexts('loc', [`${pages.publicUrl}/sitemaps/${part}.xml`])));
  }
  sendXml(response, 'application/xml', writeElement('sitemapindex', entries, { xmlns: NAMESPACE }));
}

async function hasObjectsInPart({ harvest }: HomePages, part: string): Promise<boolean> {
  const [first] = await harvest.list(allObjects, { after: part, limit: 1 });
  return first?.record.identifier.startsWith(part) ?? false;
}

const listSitemapParts = ({ publishes: { objects, skills } }: HomePages): readonly string[] => [
  ...(objects ? objectParts : []),
  ...(skills ? ['skills'] : []),
  'pages',
];

async function sendSitemapPart(request: Request, response: Response, pages: HomePages): Promise<void> {
  requireSitemap(pages);
  await pages.limitSearches(request);
  const [, part = ''] = /^(.|pages|skills)\.xml$/.exec(String(request.params.part)) ?? [];
  if (!listSitemapParts(pages).includes(part))
    throw new AppError('PATH_UNKNOWN', 'There is no such part. /sitemap.xml lists all parts.');
  const listEntries = { pages: listSitemapPages, skills: listSitemapSkills }[part] ?? listSitemapObjects;
  const entries = await listEntries(pages, part);
  sendXml(response, 'application/xml', writeElement('urlset', entries, { xmlns: NAMESPACE }));
}

function requireSitemap({ isIndexable }: HomePages): void {
  if (!isIndexable) throw new AppError('PATH_UNKNOWN', 'This host is not to be indexed.');
}

const writeSitemapUrl = (url: string, changedAt?: Date): Xml =>
  writeElement('url', [writeTexts('loc', [url]), writeTexts('lastmod', [changedAt?.toISOString().slice(0, 10)])]);

const listSitemapPages = ({ publicUrl }: HomePages): Xml[] =>
  ['/', '/browse', '/connect', '/docs', '/docs/guides'].map((path) => writeSitemapUrl(publicUrl + path));

/** Lists the skills of the taxonomy Skilldock; imported ones have pages elsewhere. */
const listSitemapSkills = ({ publicUrl, concepts }: HomePages): Xml[] =>
  Array.from(concepts.listConcepts('Skilldock'), ({ id }) => writeSitemapUrl(publicUrl + writeSkillAddress(id)));

async function listSitemapObjects({ harvest, publicUrl }: HomePages, part: string): Promise<Xml[]> {
  const entries: Xml[] = [];
  for (let after = part; ; ) {
    const batch = await harvest.list(allObjects, { after, limit: BATCH });
    for (const { record, object } of batch) {
      if (!record.identifier.startsWith(part)) return entries;
      if (object !== null) entries.push(writeSitemapUrl(`${publicUrl}/objects/${record.identifier}`, record.changedAt));
    }
    if (batch.length < BATCH) return entries;
    after = batch.at(-1)?.record.identifier ?? '';
  }
}
