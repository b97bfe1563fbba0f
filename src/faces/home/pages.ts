import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { findNetworkOf } from '#domain/address-kinds';
import type { PictureLinks } from '#domain/picture';
import { embeddingSources } from '#domain/sites/sites';
import type { Clock } from '#ports/clock';
import { createLocalCounters, createRateLimiter, type RateLimit, requireRatePoint } from '#services/host/rate-limits';
import { createAbortSignal } from '../abort-signal.ts';
import { type Cookies, readCookieLocale } from '../cookies.ts';
import type { ObjectWords } from '../object-view/facts.ts';
import type { Locale } from '../words/i18n.ts';
import type { Xml } from '../xml.ts';
import type { HomeFaceDeps } from './deps.ts';
import { LISTS_MS } from './search-address.ts';

export interface HomePages extends HomeFaceDeps {
  readonly limitSearches: Limit;
  readonly limitCompletions: Limit;
  readonly cookies: Cookies<'language' | 'person'>;
  /** Pages by path, language, and whether an administrator reads them. */
  readonly prepared: Map<string, PreparedPage>;
}

export interface HomeRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly maxFormBytes?: number;
  handle(request: Request, response: Response, pages: HomePages): Promise<void> | void;
}

export interface Reader extends ObjectWords {
  readonly locale: Locale;
  readonly pictures: PictureLinks;
  /** Path and query of this page, to which a change of the language returns. */
  readonly here: string;
  isAdministrator(): Promise<boolean>;
  readonly signal: AbortSignal;
}

export function readReader(request: Request, response: Response, pages: HomePages): Reader {
  const { cookies, languages, pictures, isAdministrator } = pages;
  const locale = readCookieLocale(request, cookies);
  response.vary('Accept-Language').vary('Cookie');
  return {
    locale,
    t: languages.translatorOf(locale),
    pictures,
    here: request.originalUrl,
    isAdministrator: () => isAdministrator(request),
    signal: createAbortSignal(response),
  };
}

/** Sends a page that the browser revalidates each time, as the catalogue may have changed. */
export function sendPage(response: Response, html: string | Buffer): void {
  allowPlayersOnPage(response);
  response.type('html').set('Cache-Control', 'no-cache').send(html);
}

/** Sends XML to be cached for 15 minutes. @param type media type without a character set */
export function sendXml(response: Response, type: string, xml: Xml): void {
  response.set('Cache-Control', 'public, max-age=900').type(`${type}; charset=utf-8`);
  response.send(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
}

/** Lets a page frame the players of known sites, and nothing else. */
export function allowPlayersOnPage(response: Response): void {
  const policy = response.getHeader('Content-Security-Policy');
  if (typeof policy === 'string')
    response.set('Content-Security-Policy', `${policy};frame-src ${embeddingSources.join(' ')}`);
}

interface PreparedPage {
  readonly madeFrom: string;
  readonly madeAt: number;
  readonly body: Promise<Buffer>;
  readonly compressed: Map<Encoding, Promise<Buffer>>;
}

type Encoding = 'br' | 'gzip';
type RenderedPage = { readonly html: string; readonly isWhole: boolean };

/** Limits the age of pages, as only rendering one tries failed pictures again. */
const MAX_AGE_MS = 10 * 60_000;
const neverAborted = new AbortController().signal;

/** Sends a page that is rendered and compressed, which takes tens of milliseconds, once for each
 *  language and state of the host.
 *  @param render gets a signal that never aborts, as several readers wait for the same page */
export async function sendPrepared(
  request: Request,
  response: Response,
  pages: HomePages,
  render: (reader: Reader) => Promise<RenderedPage>,
): Promise<void> {
  const { clock, prepared } = pages;
  const reader = readReader(request, response, pages);
  const isAdmin = await reader.isAdministrator();
  const key = JSON.stringify([request.path, reader.locale, isAdmin]);
  const madeFrom = await readPageSources(pages, reader);
  const existing = prepared.get(key);
  const now = clock.now().getTime();
  const isFresh = existing?.madeFrom === madeFrom && Math.abs(now - existing.madeAt) < MAX_AGE_MS;
  const page = isFresh
    ? existing
    : preparePage(pages, { key, madeFrom, rendering: render({ ...reader, signal: neverAborted }) });
  const encoding = (['br', 'gzip'] as const).find((name) => request.acceptsEncodings(name) === name);
  const body = await (encoding === undefined ? page.body : compressPage(page, encoding));
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  response.vary('Accept-Encoding');
  sendPage(response, body);
}

function preparePage(
  { clock, prepared }: HomePages,
  { key, madeFrom, rendering }: Readonly<{ key: string; madeFrom: string; rendering: Promise<RenderedPage> }>,
): PreparedPage {
  const body = rendering.then(({ html }) => Buffer.from(html));
  const page: PreparedPage = { madeFrom, madeAt: clock.now().getTime(), body, compressed: new Map() };
  prepared.set(key, page);
  const forget = () => {
    if (prepared.get(key) === page) prepared.delete(key);
  };
  // The caller awaits the body, and gets the error.
  rendering.then(({ isWhole }) => (isWhole ? undefined : forget()), forget);
  return page;
}

const compressors = {
  gzip: promisify(gzip),
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};

function compressPage({ body, compressed }: PreparedPage, encoding: Encoding): Promise<Buffer> {
  const existing = compressed.get(encoding);
  if (existing !== undefined) return existing;
  const bytes = body.then(compressors[encoding]);
  compressed.set(encoding, bytes);
  return bytes;
}

/** Returns a text that differs if prepared pages would be rendered differently. */
async function readPageSources(deps: HomeFaceDeps, reader: Reader): Promise<string> {
  const { discovery, browsing, faces, sizes, catalogVersion, pictures } = deps;
  const [lists, most, newest, ...sources] = await Promise.all([
    discovery.lists({ signal: reader.signal, timeoutMs: LISTS_MS }),
    browsing.listUsed('most'),
    browsing.listUsed('newest'),
    catalogVersion(),
    faces(),
    sizes(),
  ]);
  const used = [...most, ...newest].map(({ object, courses }) => [courses, stringifyOnce(object)]);
  return JSON.stringify([Object.values(lists).map(stringifyOnce), most.length, used, sources, pictures.linksVersion()]);
}

const sourceTexts = new WeakMap<object, string>();

/** Caches the JSON of a list or an object, which stays the same value until it changes. */
function stringifyOnce(value: object): string {
  const text = sourceTexts.get(value) ?? JSON.stringify(value);
  sourceTexts.set(value, text);
  return text;
}

/** Limit for one address: thirty people of a school get ten searches each in half a minute. */
export const searchLimits: RateLimit = { name: 'searches', points: 300, windowSeconds: 30 };

/** Limit for one address: thirty people get fifty completions each, which is a line of typing. They
 *  are counted apart from searches, and each costs little. */
export const completionLimits: RateLimit = { name: 'completions', points: 1_500, windowSeconds: 30 };

export type Limit = (request: Request) => Promise<void>;

export function createLimit(limit: RateLimit, clock: Clock): Limit {
  const limiter = createRateLimiter(createLocalCounters(), clock, limit);
  const writeMessage = (seconds: number) =>
    `Many searches came from your address in a short time. Try again in ${seconds} s.`;
  return ({ ip }) => requireRatePoint(limiter, findNetworkOf(ip ?? 'unknown'), writeMessage);
}
