import { readMarkup } from '#adapters/catalog/markup';
import { type ReadObject, toObjectParts, toObjectProvider, toObjectRecord } from '#adapters/catalog/object-record';
import { readIsoMinutes } from '#adapters/catalog/quantities';
import { type LearningObjectType, normalizeObjectAddress } from '#domain/learning-object';
import { showWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import type { ImportItem, ImportRequest, ImportSource } from '#ports/imports';
import type { OutboundAnswer } from '#ports/outbound';
import type { WebContext } from './fetcher.ts';
import { decodeText, nameWebDataset, nameWebSource, resolveWebUrl } from './location.ts';
import { readSchemaObjects } from './lrmi/schema-object.ts';
import { openSite } from './lrmi/site.ts';

/** Opens a page, which becomes an object by its JSON-LD (schema.org), Open Graph or plain HTML. */
export function openPageSource(request: ImportRequest, context: WebContext): ImportSource {
  return {
    format: 'lrmi',
    dataset: nameWebDataset(request),
    title: nameWebSource(request),
    covers: [],
    fingerprint: null,
    total: null,
    unit: 'pages',
    async *read({ signal }) {
      yield await readPageParts(request, context, signal);
    },
  };
}

async function readPageParts(request: ImportRequest, context: WebContext, signal: AbortSignal): Promise<ImportItem> {
  const { answer } = await openSite(request.location, context, signal);
  const type = answer.headers['content-type'] ?? 'text/html';
  if (!/\b(?:html|xml)\b/i.test(type))
    throw new AppError(
      'IMPORT_INVALID',
      `${showWebAddress(answer.url)} is not a page but a file (${type.slice(0, 60)}), which has no metadata that can be read. Describe it by hand.`,
    );
  const object = readPageObject(request, answer.url, decodeText(answer.bytes, type));
  if ('reason' in object.outcome)
    throw new AppError(
      'IMPORT_INVALID',
      `${showWebAddress(answer.url)} ${object.outcome.reason}: describe it by hand.`,
    );
  return { position: null, done: 1, ...toObjectParts([object]) };
}

/** Reads the object that a page is or describes. Errors: those of `readMarkup`.
 *  @param page its address, after all redirects */
export function readPageObject(request: ImportRequest, page: string, html: string): ReadObject {
  const meta = readPageMeta(html, page);
  const described = findObjectOfPage(readSchemaObjects(request, page, html).objects, page);
  const picture = findPicturePart(meta, page);
  if (described !== null) {
    const { record } = described.outcome;
    const pageRecord = { ...(picture !== undefined && { picture }), ...record, url: page };
    return { ...described, outcome: { record: pageRecord } };
  }
  const provider = toObjectProvider(meta.first('og:site_name', 'application-name'), undefined, page);
  const outcome = toObjectRecord({
    url: page,
    title: meta.first('og:title', 'twitter:title', 'title') ?? '',
    description: meta.first('og:description', 'description', 'twitter:description'),
    provider: provider.id,
    otherwise: choosePageType(meta.first('og:type')),
    lang: meta.first('lang', 'og:locale', 'content-language'),
    keywords: meta.first('keywords')?.split(','),
    minutes: readPageMinutes(meta),
    authors: meta.first('author', 'article:author')?.split(/,|;/),
    picture,
  });
  return { place: page, provider, outcome };
}

const findPicturePart = (meta: Meta, page: string): string | undefined =>
  resolveWebUrl(meta.first('og:image', 'og:image:url', 'twitter:image'), page);

/** Finds the picture that a page, or its beginning, names. Null for none, and for other files. */
export function readPagePicture({ url, text, headers }: OutboundAnswer): string | null {
  if (!/\bhtml\b/i.test(headers['content-type'] ?? '')) return null;
  const picture = findPicturePart(readPageMeta(text, url), url) ?? '';
  return /^https?:/.test(picture) ? picture : null;
}

type DescribedObject = ReadObject & { readonly outcome: Extract<ReadObject['outcome'], { record: unknown }> };

/** The object that the page is about, which may list further ones. Null if that is unclear. */
function findObjectOfPage(objects: readonly ReadObject[], page: string): DescribedObject | null {
  const usable = objects.filter((object): object is DescribedObject => 'record' in object.outcome);
  const hasPageAddress = ({ outcome }: DescribedObject) =>
    normalizeObjectAddress(outcome.record.url) === normalizeObjectAddress(page);
  const [only = null, second] = usable;
  return usable.find(hasPageAddress) ?? (second === undefined ? only : null);
}

function choosePageType(type = ''): LearningObjectType {
  if (type.startsWith('video')) return 'video';
  if (type.startsWith('book')) return 'book';
  return type === 'article' ? 'article' : 'website';
}

function readPageMinutes(meta: Meta): number | undefined {
  const seconds = Number(meta.first('og:video:duration', 'video:duration'));
  if (seconds > 0) return Math.max(1, Math.round(seconds / 60));
  return readIsoMinutes(meta.first('duration', 'timerequired') ?? '');
}

interface Meta {
  /** Returns the first of these that is there. */
  first(...names: readonly string[]): string | undefined;
}

const MAX_VALUE = 5_000;

/** Reads the meta elements of a page, and `title` and `lang`, by their lower-case names. */
function readPageMeta(html: string, place: string): Meta {
  const values = new Map<string, string>();
  const put = (name: string | undefined, value: string | undefined) => {
    const text = value?.trim().slice(0, MAX_VALUE) ?? '';
    const key = name?.trim().toLowerCase() ?? '';
    if (key !== '' && text !== '' && !values.has(key)) values.set(key, text);
  };
  let title: string | null = null;
  readMarkup(
    html,
    {
      onopentag(name, attributes) {
        if (name === 'html') put('lang', attributes.lang);
        if (name === 'title' && !values.has('title')) title = '';
        if (name !== 'meta') return;
        const { property, itemprop, content } = attributes;
        put(property ?? attributes.name ?? itemprop ?? attributes['http-equiv'], content);
      },
      ontext(text) {
        if (title !== null && title.length < MAX_VALUE) title += text;
      },
      onclosetag(name) {
        if (name !== 'title' || title === null) return;
        put('title', title);
        title = null;
      },
    },
    { place: showWebAddress(place) },
  );
  return { first: (...names) => names.map((name) => values.get(name)).find((value) => value !== undefined) };
}
