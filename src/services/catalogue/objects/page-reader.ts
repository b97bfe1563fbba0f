import { LRUCache } from 'lru-cache';
import { limitConcurrency, type RunLimited } from '#domain/async/limit-concurrency';
import { toLearningMinutes } from '#domain/learning-object';
import { type ObjectFacts, pickFacts } from '#domain/object-facts';
import type { ObjectFields } from '#domain/object-fields';
import { AppError } from '#errors';
import type { ImportSources, SourceProblem } from '#ports/imports';

export interface ReadPage {
  /** Address of the page after all redirects. */
  readonly url: string;
  readonly fields: ObjectFields;
}

export interface PageRequest {
  /** Each tenant reads one page at a time, so that slow pages do not delay other tenants. */
  readonly tenantId: string;
  /** Whether an owner of this host entered the address; only then may it be a private one. */
  readonly isByOwner: boolean;
}

/** Reads the metadata of a page as an import would. Errors: IMPORT_INVALID without usable metadata,
 *  or if robots.txt forbids it; SOURCE_UNAVAILABLE; both may have a `SourceProblem` in
 *  `data.reason`. RATE_LIMITED with a `PageReaders` in `data.readBy`. */
export type ReadPageAt = (url: string, request: PageRequest) => Promise<ReadPage>;

/** Time that a person waits for a page. */
const TIMEOUT_MS = 20_000;
/** Limits of the pages that are read at once, for all tenants and for each. */
const LIMIT = { running: 8, waiting: 40 };
const TENANT_LIMIT = { running: 1, waiting: 4 };
const MAX_TENANTS = 1_000;

/** Whose pages are too many: those of one tenant, or of all tenants of the host. */
export type PageReaders = 'tenant' | 'host';

export function createPageReader(sources: ImportSources): ReadPageAt {
  const inTurn = limitConcurrency({ ...LIMIT, tooMany: () => createTooManyPagesError('host') });
  const tenants = new LRUCache<string, RunLimited>({
    max: MAX_TENANTS,
    memoMethod: () => limitConcurrency({ ...TENANT_LIMIT, tooMany: () => createTooManyPagesError('tenant') }),
  });
  return (url, { tenantId, ...page }) => tenants.memo(tenantId)(() => inTurn(() => readSinglePage(sources, url, page)));
}

function createTooManyPagesError(readBy: PageReaders): AppError {
  const whose = readBy === 'tenant' ? 'for people of your institution' : 'on this host';
  return new AppError(
    'RATE_LIMITED',
    `Several pages are being read ${whose} already. Try again in a minute, or describe the page by hand.`,
    { retryAfterSeconds: 60, data: { readBy } },
  );
}

async function readSinglePage(sources: ImportSources, location: string, page: { readonly isByOwner: boolean }) {
  const source = await sources.open({ format: 'lrmi', location, langs: [], page });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    for await (const { parts } of source.read({ after: null, signal })) {
      const object = parts.find(({ kind }) => kind === 'object');
      const provider = parts.find(({ kind }) => kind === 'provider');
      if (object === undefined) continue;
      return { url: object.key, fields: toPageFields(object.body, `${provider?.body.name ?? object.body.provider}`) };
    }
    throw new AppError('IMPORT_INVALID', 'The page has no usable metadata. Describe it by hand.');
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new AppError(
      'SOURCE_UNAVAILABLE',
      `The page did not answer within ${TIMEOUT_MS / 1_000} seconds. Try again later, or describe it by hand.`,
      { cause, data: { reason: 'timeout' satisfies SourceProblem } },
    );
  } finally {
    source.close?.();
  }
}

/** Returns the fields of a record that the import source has validated. */
function toPageFields(body: Readonly<Record<string, unknown>>, provider: string): ObjectFields {
  const readText = (name: string) => String(body[name] ?? '');
  const readTexts = (name: string) => (Array.isArray(body[name]) ? body[name].map(String) : []);
  const readFact = <T>(name: string) => (body[name] ?? null) as T | null;
  const time = readFact<{ value: number; unit: 'h' | 'min' }>('learningTime');
  const [title, description] = [readText('title'), readText('description')];
  return {
    title,
    description: description === title ? '' : description,
    provider,
    lang: readText('lang'),
    type: readTexts('type'),
    bloom: readTexts('bloom'),
    keywords: readTexts('keywords'),
    publisher: readTexts('publisher'),
    author: readTexts('author'),
    level: readFact<number>('level'),
    minutes: time === null ? null : (toLearningMinutes(time) ?? null),
    free: readFact<boolean>('free'),
    picture: readFact<string>('picture'),
    ...pickFacts(body as ObjectFacts),
  };
}
