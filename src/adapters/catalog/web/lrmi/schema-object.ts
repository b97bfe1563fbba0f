import { readLanguageCode } from '#adapters/catalog/language-code';
import { type ReadObject, toObjectProvider } from '#adapters/catalog/object-parts';
import { type ObjectFields, toObjectRecord } from '#adapters/catalog/object-record';
import { readAges, readIsoMinutes } from '#adapters/catalog/quantities';
import type { LearningObjectType } from '#domain/learning-object';
import { showWebAddress } from '#domain/web-address';
import type { ImportRequest } from '#ports/imports';
import { isWebLocation, resolveWebUrl } from '../web-names.ts';
import { type JsonLd, type JsonNode, readJsonLd, readJsonLdTypes, readPageJsonLd } from './json-ld.ts';

export interface PageContext {
  /** Address of the page, or name of the file. */
  readonly page: string;
  readonly defaultLang: string | undefined;
  /** Where the page names none. */
  readonly provider: string | undefined;
  /** For an object that has no picture of its own. */
  readonly pagePicture?: string | undefined;
}

/** The learning object that a node of schema.org, with the properties of LRMI, is about. */
function toSchemaObject(node: JsonNode, context: PageContext): ReadObject {
  const url = addressOf(node, context.page) ?? '';
  const owner = firstNode(node.provider) ?? firstNode(node.publisher);
  const name = texts(node.provider)[0] ?? texts(node.publisher)[0] ?? context.provider;
  const home = text(owner?.url);
  const provider = toObjectProvider(name, resolveWebUrl(home, context.page), url || context.page);
  const outcome = toObjectRecord({
    ...fieldsOf(node),
    url,
    provider: provider.id,
    defaultLang: context.defaultLang,
    ...readMedia(node, context),
  });
  return { place: url || context.page, provider, outcome };
}

function fieldsOf(node: JsonNode): Omit<ObjectFields, 'url' | 'provider'> {
  const instances = list(node.hasCourseInstance).filter(isNode);
  const both = (name: string) => [node, ...instances].flatMap((each) => texts(each[name]));
  const durations = ['timeRequired', 'duration', 'courseWorkload', 'timeToComplete'].flatMap(both);
  return {
    title: texts(node.name)[0] ?? texts(node.headline)[0] ?? '',
    description: texts(node.description)[0] ?? texts(node.abstract)[0],
    types: [
      ...texts(node.learningResourceType),
      ...readJsonLdTypes(node).filter((type) => type !== 'LearningResource'),
    ],
    otherwise: typeOf(node),
    lang: both('inLanguage').find((lang) => readLanguageCode(lang) !== undefined),
    keywords: ['keywords', 'teaches', 'about'].flatMap((name) =>
      texts(node[name]).flatMap((each) => each.split(',')),
    ),
    level: both('educationalLevel')
      .map(levelOf)
      .find((level) => level !== undefined),
    minutes: durations.map(readIsoMinutes).find((minutes) => minutes !== undefined),
    authors: [...texts(node.author), ...texts(node.creator)],
    publishers: texts(node.publisher),
    free: isFree([node, ...instances]),
    age: readAges(texts(node.typicalAgeRange)[0]),
  };
}

/** Its own, or those of the video that it is about. */
function readMedia(node: JsonNode, { page, pagePicture }: PageContext) {
  const nodes = [node, ...list(node.video).filter(isNode)];
  const first = (...names: readonly string[]) =>
    nodes.flatMap((each) => names.flatMap((name) => addressIn(each[name]) ?? []))[0];
  return {
    picture: resolveWebUrl(first('image', 'thumbnailUrl', 'thumbnail') ?? pagePicture, page),
    embed: resolveWebUrl(first('embedUrl'), page),
  };
}

/** Of a picture only its address is of use, not what it is called. */
function addressIn(value: unknown): string | undefined {
  const [first] = list(value);
  return isNode(first) ? (text(first.url) ?? text(first.contentUrl)) : text(first);
}

function typeOf(node: JsonNode): LearningObjectType {
  return readJsonLdTypes(node).includes('LearningResource') ? 'tutorial' : 'website';
}

function levelOf(text: string): number | undefined {
  if (/begin|intro|elementary|novice|basic|débutant|facile/i.test(text)) return -1;
  if (/intermedi|medium|moyen/i.test(text)) return 0;
  return /advanc|expert|avancé/i.test(text) ? 1 : undefined;
}

/** Free by its own statement, or by its offers: one offer without a price is enough. */
function isFree(nodes: readonly JsonNode[]): boolean | undefined {
  const statement = nodes
    .map(({ isAccessibleForFree }) => isAccessibleForFree)
    .find((each) => each !== undefined);
  if (statement !== undefined) return /^(?:true|yes|1)$|\/True$/i.test(String(statement));
  const prices = nodes
    .flatMap(({ offers }) => list(offers))
    .filter(isNode)
    .flatMap(({ price, lowPrice, category }) => (category === 'Free' ? [0] : [price ?? lowPrice]))
    .filter((price) => price !== undefined && price !== '')
    .map((price) => Number(String(price).replace(',', '.')));
  return prices.length === 0 || prices.some(Number.isNaN) ? undefined : prices.includes(0);
}

function addressOf(node: JsonNode, page: string): string | undefined {
  const address = text(node.url) ?? (isWebLocation(text(node['@id']) ?? '') ? text(node['@id']) : undefined);
  return resolveWebUrl(address, page) ?? (isWebLocation(page) ? page : address);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstNode(value: unknown): JsonNode | undefined {
  return list(value).find(isNode);
}

/** Texts however they are written: bare, in a list, with a language, or as things with a name. */
function texts(value: unknown): string[] {
  return list(value)
    .slice(0, 100)
    .map(text)
    .filter((each) => each !== undefined);
}

function text(value: unknown): string | undefined {
  const [first] = list(value);
  if (typeof first === 'string') return first.trim() === '' ? undefined : first;
  if (typeof first === 'number') return String(first);
  if (!isNode(first)) return undefined;
  const named =
    first['@value'] ?? first.name ?? first.alternateName ?? first.url ?? first['@id'] ?? first.targetName;
  return typeof named === 'string' && named.trim() !== '' ? named : undefined;
}

/** What a page, or a file of JSON, describes. @param page its address, or its name for people */
export function readPageObjects(
  { langs, provider }: ImportRequest,
  page: string,
  text: string,
): { readonly objects: readonly ReadObject[]; readonly jsonLd: JsonLd } {
  const jsonLd = /^\s*[[{]/.test(text) ? readJsonLd(text) : readPageJsonLd(text, showWebAddress(page));
  const [defaultLang] = langs;
  // What a page shows of itself is that of one object only where there are no others.
  const pagePicture = jsonLd.nodes.length === 1 ? jsonLd.pagePicture : undefined;
  const context = { page, pagePicture, defaultLang, provider };
  return { jsonLd, objects: jsonLd.nodes.map((node) => toSchemaObject(node, context)) };
}
