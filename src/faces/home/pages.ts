import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { findNetworkOf } from '#domain/address-kinds';
import { embeddingSources } from '#domain/sites/sites';
import type { Clock } from '#ports/clock';
import { createLocalCounters, createRateLimiter, type RateLimit, requireRatePoint } from '#services/host/rate-limits';
import { createAbortSignal } from '../abort-signal.ts';
import { type Cookies, readCookieLocale } from '../cookies.ts';
import type { HomeFaceDeps } from './deps.ts';
import type { Reader } from './page-model.ts';
import { LISTS_MS } from './search-address.ts';

export interface HomePages extends HomeFaceDeps {
  readonly limitSearches: Limit;
  readonly limitCompletions: Limit;
  readonly cookies: Cookies<'language' | 'person'>;
  /** By path, language, and whether an administrator looks at it. */
  readonly prepared: Map<string, PreparedPage>;
}

export interface HomeRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Of a form; 100 kB when absent. */
  readonly maxFormBytes?: number;
  handle(request: Request, response: Response, pages: HomePages): Promise<void> | void;
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

/** The browser revalidates the page each time: the catalogue may have changed. */
export function sendPage(response: Response, html: string | Buffer): void {
  allowPlayersOnPage(response);
  response.type('html').set('Cache-Control', 'no-cache').send(html);
}

/** Lets a page of ours frame the players of known sites, and nothing else. */
export function allowPlayersOnPage(response: Response): void {
  const policy = response.getHeader('Content-Security-Policy');
  if (typeof policy === 'string')
    response.set('Content-Security-Policy', `${policy};frame-src ${embeddingSources.join(' ')}`);
}

interface PreparedPage {
  readonly madeFrom: string;
  readonly madeAt: number;
  readonly body: Promise<Buffer>;
  /** The same, made when they are first asked for. */
  readonly compressed: Map<Encoding, Promise<Buffer>>;
}

type Encoding = 'br' | 'gzip';
type RenderedPage = { readonly html: string; readonly isWhole: boolean };

/** Pictures that failed are tried again by a page that is rendered. */
const MAX_AGE_MS = 10 * 60_000;
const neverAborted = new AbortController().signal;

/** Sends a page, rendered at most once for each language and state: the front page and the overview
 *  cost tens of milliseconds to render and compress, for anybody, any number of times.
 *  @param render gets no signal of a reader, as others wait for the same page */
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
    : preparePage(pages, { key, madeFrom, page: render({ ...reader, signal: neverAborted }) });
  const encoding = (['br', 'gzip'] as const).find((name) => request.acceptsEncodings(name) === name);
  const body = await (encoding === undefined ? page.body : compressPage(page, encoding));
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  response.vary('Accept-Encoding');
  sendPage(response, body);
}

function preparePage(
  { clock, prepared }: HomePages,
  { key, madeFrom, page }: { readonly key: string; readonly madeFrom: string; readonly page: Promise<RenderedPage> },
): PreparedPage {
  const body = page.then(({ html }) => Buffer.from(html));
  const made: PreparedPage = { madeFrom, madeAt: clock.now().getTime(), body, compressed: new Map() };
  prepared.set(key, made);
  const forgetPages = () => {
    if (prepared.get(key) === made) prepared.delete(key);
  };
  // The caller awaits the same page, and gets its error.
  page.then(({ isWhole }) => (isWhole ? undefined : forgetPages()), forgetPages);
  return made;
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

/** Everything that such a page is made from and that may change while the host runs. */
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

const writtenSources = new WeakMap<object, string>();

/** Lists and objects are the same values until they change. */
function stringifyOnce(value: object): string {
  const text = writtenSources.get(value) ?? JSON.stringify(value);
  writtenSources.set(value, text);
  return text;
}

/** From one address, perhaps a school: thirty people get ten searches each in half a minute. */
export const searchLimits: RateLimit = { name: 'searches', points: 300, windowSeconds: 30 };

/** Counted apart from searches, so that typing does not use those up. Typing asks at most eight
 *  times a second, mostly twice; fifty for each of thirty people are one line each. Each is cheap,
 *  and the browser caches it. */
export const completionLimits: RateLimit = { name: 'completions', points: 1_500, windowSeconds: 30 };

export type Limit = (request: Request) => Promise<void>;

export function createLimit(limit: RateLimit, clock: Clock): Limit {
  const limiter = createRateLimiter(createLocalCounters(), clock, limit);
  const write = (seconds: number) => `Many searches came from your address in a short time. Try again in ${seconds} s.`;
  return ({ ip }) => requireRatePoint(limiter, findNetworkOf(ip ?? 'unknown'), write);
}
