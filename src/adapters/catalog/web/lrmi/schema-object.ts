import { readLanguageCode } from '#adapters/catalog/language-code';
import { type ObjectFields, type ReadObject, toObjectProvider, toObjectRecord } from '#adapters/catalog/object-record';
import { shortenSlug, slugifyText } from '#adapters/catalog/plain-text';
import { readAges, readLevel, readMinutes } from '#adapters/catalog/quantities';
import { normalizeObjectAddress } from '#domain/learning-object';
import { type FactTexts, factNames, writeConceptText } from '#domain/object-facts';
import { showWebAddress } from '#domain/web-address';
import type { ImportRequest } from '#ports/imports';
import { isWebLocation, resolveWebUrl } from '../location.ts';
import { type JsonLd, type JsonNode, readJsonLd, readJsonLdTypes, readPageJsonLd } from './json-ld.ts';

export interface PageContext {
  /** The address of the page, or the name of the file. */
  readonly page: string;
  readonly defaultLang: string | undefined;
  /** The provider of objects that name none. */
  readonly provider: string | undefined;
  /** The picture of objects that have none. */
  readonly pagePicture?: string | undefined;
  /** The language of objects that name none. */
  readonly pageLang?: string | undefined;
}

function toSchemaObject({ node, url }: PlacedNode, context: PageContext): ReadObject {
  const owners = [
    ...OWNERS.map((name) => node[name]),
    ...toSchemaValues(node.mainEntityOfPage)
      .filter(isSchemaNode)
      .map(({ provider }) => provider),
  ];
  const owner = owners.map(firstSchemaNode).find((each) => each !== undefined);
  const name = owners.flatMap(schemaTexts)[0] ?? context.provider;
  const home = schemaText(owner?.url);
  const provider = toObjectProvider(name, resolveWebUrl(home, context.page), url || context.page);
  const outcome = toObjectRecord({
    ...readSchemaFields(node, context),
    url,
    provider: provider.id,
    defaultLang: context.defaultLang,
    ...readSchemaMedia(node, context),
  });
  return { place: url || context.page, provider, outcome };
}

const OWNERS = ['provider', 'publisher', 'sourceOrganization', 'offeredBy'];

function readSchemaFields(node: JsonNode, { pageLang }: PageContext): Omit<ObjectFields, 'url' | 'provider'> {
  const instances = toSchemaValues(node.hasCourseInstance).filter(isSchemaNode);
  const both = (name: string) => [node, ...instances].flatMap((each) => schemaTexts(each[name]));
  const tags = toSchemaValues(node.name).flatMap((each) => (isSchemaNode(each) ? String(each['@language'] ?? '') : []));
  const durations = ['timeRequired', 'duration', 'courseWorkload', 'timeToComplete'].flatMap(both);
  return {
    title: schemaTexts(node.name)[0] ?? schemaTexts(node.headline)[0] ?? '',
    description: schemaTexts(node.description)[0] ?? schemaTexts(node.abstract)[0],
    types: [
      ...toSchemaValues(node.learningResourceType).flatMap(splitSchemaType),
      ...readJsonLdTypes(node).filter((type) => type !== 'LearningResource'),
    ],
    otherwise: readJsonLdTypes(node).includes('LearningResource') ? 'tutorial' : 'website',
    lang: [...both('inLanguage'), ...tags, pageLang ?? ''].find((lang) => readLanguageCode(lang) !== undefined),
    keywords: ['keywords', 'teaches', 'about'].flatMap((name) =>
      schemaTexts(node[name]).flatMap((each) => each.split(',')),
    ),
    level: both('educationalLevel')
      .map(readLevel)
      .find((level) => typeof level === 'number'),
    minutes: durations.map((each) => readMinutes(each) ?? undefined).find((minutes) => minutes !== undefined),
    authors: [...schemaTexts(node.author), ...schemaTexts(node.creator), ...both('instructor')],
    publishers: schemaTexts(node.publisher),
    free: isFreeSchemaObject([node, ...instances]),
    age: readAges(schemaTexts(node.typicalAgeRange)[0]),
    facts: readSchemaFacts(node, both),
  };
}

/** Reads facts by their names in schema.org; concepts and licences may be nodes with addresses.
 *  @param both returns the texts of the object and its course instances */
function readSchemaFacts(node: JsonNode, both: (name: string) => readonly string[]): FactTexts {
  const aligned = toSchemaValues(node.educationalAlignment)
    .filter(isSchemaNode)
    .filter(({ alignmentType }) => schemaText(alignmentType) === 'teaches');
  return {
    ...Object.fromEntries(factNames.map((name) => [name, both(name)])),
    license: toSchemaValues(node.license)
      .flatMap((each) => (isSchemaNode(each) ? (findSchemaAddress(each) ?? each['@id']) : each) ?? [])
      .map(String),
    published: [...schemaTexts(node.datePublished)],
    modified: schemaTexts(node.dateModified),
    teaches: [...toSchemaValues(node.teaches), ...aligned].map(writeSchemaConcept),
  };
}

function writeSchemaConcept(value: unknown): string {
  if (!isSchemaNode(value)) return schemaText(value) ?? '';
  const uris = [value['@id'], schemaText(value.url), schemaText(value.targetUrl)].filter(
    (each) => typeof each === 'string',
  );
  const uri = uris.find(isWebLocation) ?? uris[0] ?? '';
  return writeConceptText({ uri, label: schemaText([value]) ?? '' });
}

/** Reads the media of an object, or those of the video that it is about. */
function readSchemaMedia(node: JsonNode, { page, pagePicture }: PageContext) {
  const nodes = [node, ...toSchemaValues(node.video).filter(isSchemaNode)];
  const first = (...names: readonly string[]) =>
    nodes.flatMap((each) => names.flatMap((name) => findSchemaAddress(each[name]) ?? []))[0];
  return {
    picture: resolveWebUrl(first('image', 'thumbnailUrl', 'thumbnail') ?? pagePicture, page),
    embed: resolveWebUrl(first('embedUrl'), page),
  };
}

function findSchemaAddress(value: unknown): string | undefined {
  const [first] = toSchemaValues(value);
  return isSchemaNode(first) ? (schemaText(first.url) ?? schemaText(first.contentUrl)) : schemaText(first);
}

/** Names a type by its word and by the end of its address: `https://w3id.org/kim/hcrt/video`. */
function splitSchemaType(type: unknown): string[] {
  const address = isSchemaNode(type) ? type['@id'] : type;
  const last = typeof address === 'string' && isWebLocation(address) ? address.replace(/^.*[/#]/, '') : undefined;
  return [last, schemaText(type)].filter((word) => word !== undefined);
}

/** Whether an object is free, by its statement or its offers: one offer for nothing is enough. */
function isFreeSchemaObject(nodes: readonly JsonNode[]): boolean | undefined {
  const statement = nodes.map(({ isAccessibleForFree }) => isAccessibleForFree).find((each) => each !== undefined);
  if (statement !== undefined) return /^(?:true|yes|1)$|\/True$/i.test(String(statement));
  const prices = nodes
    .flatMap(({ offers }) => toSchemaValues(offers))
    .filter(isSchemaNode)
    .flatMap(({ price, lowPrice, category }) => (category === 'Free' ? [0] : [price ?? lowPrice]))
    .filter((price) => price !== undefined && price !== '')
    .map((price) => Number(String(price).replace(',', '.')));
  return prices.length === 0 || prices.some(Number.isNaN) ? undefined : prices.includes(0);
}

function findNodeAddress(node: JsonNode, page: string): string | undefined {
  const id = node['@id'];
  const named = [findSchemaAddress(node.url), id, findSchemaAddress(node.mainEntityOfPage)];
  const address = named.find(
    (each): each is string => typeof each === 'string' && (each === named[0] || isWebLocation(each)),
  );
  return resolveWebUrl(address, page) ?? address;
}

/** A node with its address, which is empty for none. */
type PlacedNode = { readonly node: JsonNode; readonly url: string };

const media = new Set(['VideoObject', 'AudioObject', 'Clip', 'MediaObject']);

/** Gives nodes addresses: a single one has the page's. Media beside it are its trailers. */
function placeNodes(nodes: readonly JsonNode[], page: string): PlacedNode[] {
  const placed = nodes.map((node) => ({ node, url: findNodeAddress(node, page) ?? '' }));
  const withoutUrl = placed.filter(({ url }) => url === '').map(({ node }) => node);
  if (!isWebLocation(page) || withoutUrl.length === 0) return placed;
  const isMedia = (node: JsonNode) => readJsonLdTypes(node).every((type) => media.has(type));
  const mains = withoutUrl.filter((node) => !isMedia(node));
  const trailers = mains.length > 0 ? withoutUrl.filter(isMedia) : [];
  const unplaced = mains.length > 0 ? mains : withoutUrl;
  const [first] = unplaced;
  const isTaken = placed.some(({ url }) => url !== '' && normalizeObjectAddress(url) === normalizeObjectAddress(page));
  const isAlone = !isTaken && unplaced.every((node) => readSchemaName(node) === readSchemaName(first));
  const urlFor = (node: JsonNode, at: number) =>
    isAlone ? page : `${page.replace(/#.*$/s, '')}#/${shortenSlug(slugifyText(readSchemaName(node)) || `${at + 1}`)}`;
  const withTrailers = (node: JsonNode) =>
    isAlone && node === first ? { ...node, video: [...toSchemaValues(node.video), ...trailers] } : node;
  return placed
    .filter(({ node }) => !trailers.includes(node))
    .map(({ node, url }, at) => ({ node: withTrailers(node), url: url || urlFor(node, at) }));
}

const readSchemaName = (node: JsonNode | undefined): string =>
  schemaTexts(node?.name)[0] ?? schemaTexts(node?.headline)[0] ?? '';

function toSchemaValues(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

const isSchemaNode = (value: unknown): value is JsonNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const firstSchemaNode = (value: unknown): JsonNode | undefined => toSchemaValues(value).find(isSchemaNode);

/** The texts of a value: a text, a list, a text with a language, or a node with a name. */
function schemaTexts(value: unknown): string[] {
  return toSchemaValues(value)
    .slice(0, 100)
    .map(schemaText)
    .filter((each) => each !== undefined);
}

function schemaText(value: unknown): string | undefined {
  const [first] = toSchemaValues(value);
  if (typeof first === 'string') return first.trim() === '' ? undefined : first;
  if (typeof first === 'number') return String(first);
  if (!isSchemaNode(first)) return undefined;
  const named =
    first['@value'] ?? schemaText(first.name) ?? first.prefLabel ?? schemaText(first.alternateName) ?? first.targetName;
  return typeof named === 'string' && named.trim() !== '' ? named : undefined;
}

/** Reads the objects that a page describes. @param page its address, or the name of the file */
export function readSchemaObjects(
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
