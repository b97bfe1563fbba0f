import type { Request, Response } from 'express';
import { AppError } from '#errors';
import { writeElement, writeTexts, type Xml } from '#faces/xml';
import { writeSkillAddress } from '../../object-view/skill-address.ts';
import type { HomePages, HomeRoute } from '../pages.ts';
import { sendXml } from './feeds.ts';

const DAY_MS = 86_400_000;
/** RFC 9116 advises less than a year. */
const CONTACT_DAYS = 180;

/** What search engines may read, where all objects are, and whom to tell of a vulnerability. */
export const sitemapRoutes: readonly HomeRoute[] = [
  { method: 'get', path: '/.well-known/security.txt', handle: sendSecurityContact },
  { method: 'get', path: '/robots.txt', handle: sendRobots },
  { method: 'get', path: '/sitemap.xml', handle: sendSitemapIndex },
  { method: 'get', path: '/sitemaps/:part', handle: sendSitemapPart },
];

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
/** First letters of the identifiers of objects: all parts have about as many objects. */
const parts = [...'-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'];
const everything = { from: null, until: null, providerId: null };
const BATCH = 500;

/** Pages that search engines have no use for, and searches without end. */
const closed = ['/admin', '/lti', '/slack', '/demo', '/look', '/tags', '/pictures/', '/feed', '/?', '/browse?'];

function sendRobots(_request: Request, response: Response, { isIndexable, publicUrl }: HomePages): void {
  const rules = isIndexable
    ? [...closed.map((path) => `Disallow: ${path}`), '', `Sitemap: ${publicUrl}/sitemap.xml`]
    : ['Disallow: /'];
  response
    .set('Cache-Control', 'public, max-age=3600')
    .type('text')
    .send(`${['User-agent: *', ...rules].join('\n')}\n`);
}

/** RFC 9116. Errors: PATH_UNKNOWN if the operator has named no contact. */
function sendSecurityContact(_request: Request, response: Response, { security, publicUrl, clock }: HomePages): void {
  const { contact, policy } = security ?? {};
  if (contact === undefined) throw new AppError('PATH_UNKNOWN', 'This host names no contact for security.');
  const expiresAt = new Date((Math.floor(clock.now().getTime() / DAY_MS) + CONTACT_DAYS) * DAY_MS);
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expiresAt.toISOString()}`,
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    ...(policy === undefined ? [] : [`Policy: ${policy}`]),
  ];
  response
    .set('Cache-Control', 'public, max-age=86400')
    .type('text')
    .send(`${lines.join('\n')}\n`);
}

async function sendSitemapIndex(request: Request, response: Response, pages: HomePages): Promise<void> {
  requireSitemap(pages);
  await pages.limitSearches(request);
  const entries: Xml[] = [];
  for (const part of listSitemapParts(pages)) {
    // A part without pages would not be valid.
    const [first] = parts.includes(part) ? await pages.harvest.list(everything, { after: part, limit: 1 }) : [];
    if (!parts.includes(part) || first?.record.identifier.startsWith(part))
      entries.push(writeElement('sitemap', writeTexts('loc', [`${pages.publicUrl}/sitemaps/${part}.xml`])));
  }
  sendXml(response, 'application/xml', writeElement('sitemapindex', entries, { xmlns: NAMESPACE }));
}

const listSitemapParts = ({ publishes: { objects, skills } }: HomePages): readonly string[] => [
  ...(objects ? parts : []),
  ...(skills ? ['skills'] : []),
  'pages',
];

async function sendSitemapPart(request: Request, response: Response, pages: HomePages): Promise<void> {
  requireSitemap(pages);
  await pages.limitSearches(request);
  const [, part = ''] = /^(.|pages|skills)\.xml$/.exec(String(request.params.part)) ?? [];
  if (!listSitemapParts(pages).includes(part))
    throw new AppError('PATH_UNKNOWN', 'There is no such part. /sitemap.xml lists all parts.');
  const list = { pages: listPagesOfSitemap, skills: listSitemapSkills }[part] ?? listSitemapObjects;
  const entries = await list(pages, part);
  sendXml(response, 'application/xml', writeElement('urlset', entries, { xmlns: NAMESPACE }));
}

function requireSitemap({ isIndexable }: HomePages): void {
  if (!isIndexable) throw new AppError('PATH_UNKNOWN', 'This host is not to be indexed.');
}

const writeSitemapUrl = (url: string, changedAt?: Date): Xml =>
  writeElement('url', [writeTexts('loc', [url]), writeTexts('lastmod', [changedAt?.toISOString().slice(0, 10)])]);

const listPagesOfSitemap = ({ publicUrl }: HomePages): Xml[] =>
  ['/', '/browse', '/connect', '/docs', '/docs/guides'].map((path) => writeSitemapUrl(publicUrl + path));

/** Those of our own taxonomy: imported ones have homes elsewhere. */
const listSitemapSkills = ({ publicUrl, concepts }: HomePages): Xml[] =>
  Array.from(concepts.listConcepts('Skilldock'), ({ id }) => writeSitemapUrl(publicUrl + writeSkillAddress(id)));

async function listSitemapObjects({ harvest, publicUrl }: HomePages, part: string): Promise<Xml[]> {
  const entries: Xml[] = [];
  for (let after = part; ; ) {
    const batch = await harvest.list(everything, { after, limit: BATCH });
    for (const { record, object } of batch) {
      if (!record.identifier.startsWith(part)) return entries;
      if (object !== null) entries.push(writeSitemapUrl(`${publicUrl}/objects/${record.identifier}`, record.changedAt));
    }
    if (batch.length < BATCH) return entries;
    after = batch.at(-1)?.record.identifier ?? '';
  }
}
