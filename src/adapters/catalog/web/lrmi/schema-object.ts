import { readLanguageCode } from '#adapters/catalog/language-code';
import { type ObjectFields, type ReadObject, toObjectProvider, toObjectRecord } from '#adapters/catalog/object-record';
import { shortenSlug, slugifyText } from '#adapters/catalog/plain-text';
import { readAges, readLevel, readMinutes } from '#adapters/catalog/quantities';
import { normalizeObjectAddress } from '#domain/learning-object';
import { type FactTexts, factNames, writeFactConceptText } from '#domain/object-facts';
import { showWebAddress } from '#domain/web-address';
import type { ImportRequest } from '#ports/imports';
import { isWebLocation, resolveWebUrl } from '../location.ts';
import { type JsonLd, type JsonNode, readJsonLd, readJsonLdTypes, readPageJsonLd } from './json-ld.ts';

export interface PageContext {
  /** Address of the page, or name of the file. */
  readonly page: string;
  readonly defaultLang: string | undefined;
  /** For objects that name none. */
  readonly provider: string | undefined;
  /** For objects that have none. */
  readonly pagePicture?: string | undefined;
  /** For objects that name none. */
  readonly pageLang?: string | undefined;
}

function toSchemaObject({ node, url }: PlacedNode, context: PageContext): ReadObject {
  const owners = [
    ...OWNERS.map((name) => node[name]),
    ...toSchemaValues(node.mainEntityOfPage)
      .filter(isJsonNode)
      .map(({ provider }) => provider),
  ];
  const owner = owners.map(firstNode).find((each) => each !== undefined);
  const name = owners.flatMap(texts)[0] ?? context.provider;
  const home = text(owner?.url);
  const provider = toObjectProvider(name, resolveWebUrl(home, context.page), url || context.page);
  const outcome = toObjectRecord({
    ...fieldsOf(node, context),
    url,
    provider: provider.id,
    defaultLang: context.defaultLang,
    ...readMedia(node, context),
  });
  return { place: url || context.page, provider, outcome };
}

const OWNERS = ['provider', 'publisher', 'sourceOrganization', 'offeredBy'];

function fieldsOf(node: JsonNode, { pageLang }: PageContext): Omit<ObjectFields, 'url' | 'provider'> {
  const instances = toSchemaValues(node.hasCourseInstance).filter(isJsonNode);
  const both = (name: string) => [node, ...instances].flatMap((each) => texts(each[name]));
  const tags = toSchemaValues(node.name).flatMap((each) => (isJsonNode(each) ? String(each['@language'] ?? '') : []));
  const durations = ['timeRequired', 'duration', 'courseWorkload', 'timeToComplete'].flatMap(both);
  return {
    title: texts(node.name)[0] ?? texts(node.headline)[0] ?? '',
    description: texts(node.description)[0] ?? texts(node.abstract)[0],
    types: [
      ...toSchemaValues(node.learningResourceType).flatMap(wordsOfType),
      ...readJsonLdTypes(node).filter((type) => type !== 'LearningResource'),
    ],
    otherwise: readJsonLdTypes(node).includes('LearningResource') ? 'tutorial' : 'website',
    lang: [...both('inLanguage'), ...tags, pageLang ?? ''].find((lang) => readLanguageCode(lang) !== undefined),
    keywords: ['keywords', 'teaches', 'about'].flatMap((name) => texts(node[name]).flatMap((each) => each.split(','))),
    level: both('educationalLevel')
      .map(readLevel)
      .find((level) => typeof level === 'number'),
    minutes: durations.map((each) => readMinutes(each) ?? undefined).find((minutes) => minutes !== undefined),
    authors: [...texts(node.author), ...texts(node.creator), ...both('instructor')],
    publishers: texts(node.publisher),
    free: isFree([node, ...instances]),
    age: readAges(texts(node.typicalAgeRange)[0]),
    facts: readStatedFacts(node, both),
  };
}

/** Facts have the names of schema.org; concepts and licences may be things with addresses. */
function readStatedFacts(node: JsonNode, both: (name: string) => readonly string[]): FactTexts {
  const aligned = toSchemaValues(node.educationalAlignment)
    .filter(isJsonNode)
    .filter(({ alignmentType }) => text(alignmentType) === 'teaches');
  return {
    ...Object.fromEntries(factNames.map((name) => [name, both(name)])),
    license: toSchemaValues(node.license)
      .flatMap((each) => (isJsonNode(each) ? (addressIn(each) ?? each['@id']) : each) ?? [])
      .map(String),
    published: [...texts(node.datePublished)],
    modified: texts(node.dateModified),
    teaches: [...toSchemaValues(node.teaches), ...aligned].map(writeConcept),
  };
}

function writeConcept(value: unknown): string {
  if (!isJsonNode(value)) return text(value) ?? '';
  const uris = [value['@id'], text(value.url), text(value.targetUrl)].filter((each) => typeof each === 'string');
  const uri = uris.find(isWebLocation) ?? uris[0] ?? '';
  return writeFactConceptText({ uri, label: text([value]) ?? '' });
}

/** From the object, or from the video that it is about. */
function readMedia(node: JsonNode, { page, pagePicture }: PageContext) {
  const nodes = [node, ...toSchemaValues(node.video).filter(isJsonNode)];
  const first = (...names: readonly string[]) =>
    nodes.flatMap((each) => names.flatMap((name) => addressIn(each[name]) ?? []))[0];
  return {
    picture: resolveWebUrl(first('image', 'thumbnailUrl', 'thumbnail') ?? pagePicture, page),
    embed: resolveWebUrl(first('embedUrl'), page),
  };
}

function addressIn(value: unknown): string | undefined {
  const [first] = toSchemaValues(value);
  return isJsonNode(first) ? (text(first.url) ?? text(first.contentUrl)) : text(first);
}

/** A type by its word and by the end of its address, as in `https://w3id.org/kim/hcrt/video`. */
function wordsOfType(type: unknown): string[] {
  const address = isJsonNode(type) ? type['@id'] : type;
  const last = typeof address === 'string' && isWebLocation(address) ? address.replace(/^.*[/#]/, '') : undefined;
  return [last, text(type)].filter((word) => word !== undefined);
}

/** By its statement, or by its offers: one offer without a price is enough. */
function isFree(nodes: readonly JsonNode[]): boolean | undefined {
  const statement = nodes.map(({ isAccessibleForFree }) => isAccessibleForFree).find((each) => each !== undefined);
  if (statement !== undefined) return /^(?:true|yes|1)$|\/True$/i.test(String(statement));
  const prices = nodes
    .flatMap(({ offers }) => toSchemaValues(offers))
    .filter(isJsonNode)
    .flatMap(({ price, lowPrice, category }) => (category === 'Free' ? [0] : [price ?? lowPrice]))
    .filter((price) => price !== undefined && price !== '')
    .map((price) => Number(String(price).replace(',', '.')));
  return prices.length === 0 || prices.some(Number.isNaN) ? undefined : prices.includes(0);
}

function schemaAddressOf(node: JsonNode, page: string): string | undefined {
  const id = node['@id'];
  const named = [addressIn(node.url), id, addressIn(node.mainEntityOfPage)];
  const address = named.find(
    (each): each is string => typeof each === 'string' && (each === named[0] || isWebLocation(each)),
  );
  return resolveWebUrl(address, page) ?? address;
}

/** Empty where the node has no address. */
type PlacedNode = { readonly node: JsonNode; readonly url: string };

const media = new Set(['VideoObject', 'AudioObject', 'Clip', 'MediaObject']);

/** A single node takes the page's address; several take places on the page, by name. */
function placeNodes(nodes: readonly JsonNode[], page: string): PlacedNode[] {
  const placed = nodes.map((node) => ({ node, url: schemaAddressOf(node, page) ?? '' }));
  const homeless = placed.filter(({ url }) => url === '').map(({ node }) => node);
  if (!isWebLocation(page) || homeless.length === 0) return placed;
  const isMedia = (node: JsonNode) => readJsonLdTypes(node).every((type) => media.has(type));
  const mains = homeless.filter((node) => !isMedia(node));
  const trailers = mains.length > 0 ? homeless.filter(isMedia) : [];
  const [first, ...others] = mains.length > 0 ? mains : homeless;
  const isTaken = placed.some(({ url }) => url !== '' && normalizeObjectAddress(url) === normalizeObjectAddress(page));
  const isAlone = !isTaken && others.every((node) => readSchemaName(node) === readSchemaName(first));
  const urlFor = (node: JsonNode, at: number) =>
    isAlone ? page : `${page.replace(/#.*$/s, '')}#/${shortenSlug(slugifyText(readSchemaName(node)) || `${at + 1}`)}`;
  const withTrailers = (node: JsonNode) =>
    isAlone && node === first ? { ...node, video: [...toSchemaValues(node.video), ...trailers] } : node;
  return placed
    .filter(({ node }) => !trailers.includes(node))
    .map(({ node, url }, at) => ({ node: withTrailers(node), url: url || urlFor(node, at) }));
}

const readSchemaName = (node: JsonNode | undefined): string => texts(node?.name)[0] ?? texts(node?.headline)[0] ?? '';

const toSchemaValues = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

const isJsonNode = (value: unknown): value is JsonNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const firstNode = (value: unknown): JsonNode | undefined => toSchemaValues(value).find(isJsonNode);

/** Accepts a text, a list, a text with a language, or things with a name. */
function texts(value: unknown): string[] {
  return toSchemaValues(value)
    .slice(0, 100)
    .map(text)
    .filter((each) => each !== undefined);
}

function text(value: unknown): string | undefined {
  const [first] = toSchemaValues(value);
  if (typeof first === 'string') return first.trim() === '' ? undefined : first;
  if (typeof first === 'number') return String(first);
  if (!isJsonNode(first)) return undefined;
  const named = first['@value'] ?? text(first.name) ?? first.prefLabel ?? text(first.alternateName) ?? first.targetName;
  return typeof named === 'string' && named.trim() !== '' ? named : undefined;
}

/** The objects that a page describes. @param page its address, or the displayed name of the file */
export function readPageObjects(
  { langs, provider }: ImportRequest,
  page: string,
  text: string,
): { readonly objects: readonly ReadObject[]; readonly jsonLd: JsonLd } {
  const [defaultLang] = langs;
  const jsonLd = /^\s*[[{]/.test(text)
    ? readJsonLd(text, defaultLang)
    : readPageJsonLd(text, showWebAddress(page), defaultLang);
  // The page's picture belongs to an object only if that is the only one.
  const pagePicture = jsonLd.nodes.length === 1 ? jsonLd.pagePicture : undefined;
  const context = { page, pagePicture, pageLang: jsonLd.lang, defaultLang, provider };
  const placed = placeNodes(jsonLd.nodes, page);
  return { jsonLd, objects: placed.map((node) => toSchemaObject(node, context)) };
}
