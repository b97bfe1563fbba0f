import type { ProviderRecord } from '#adapters/catalog/catalog-schema';
import type { ReadObject } from '#adapters/catalog/object-parts';
import { type ObjectFields, toObjectRecord } from '#adapters/catalog/object-record';
import { readAges, readIsoMinutes } from '#adapters/catalog/quantities';
import type { ImportRequest } from '#ports/imports';
import { findXmlNodes, readXml, readXmlTexts, type XmlNode } from './xml-tree.ts';

export interface ListContext {
  /** Of the format that was asked for. */
  readonly prefix: string;
  readonly provider: ProviderRecord;
}

/** Identifier of a record; empty where it has none. */
export function readRecordIdentifier(record: XmlNode | undefined): string {
  return record === undefined ? '' : (readXmlTexts(record, 'header', 'identifier')[0] ?? '');
}

/** The object that a record is about; none for a record that was deleted. */
export function toRecordObjects(
  record: XmlNode,
  { prefix, provider }: ListContext,
  { langs }: ImportRequest,
): ReadObject[] {
  const [header] = findXmlNodes(record, 'header');
  if (header?.attributes.status === 'deleted') return [];
  const [metadata] = findXmlNodes(record, 'metadata');
  const place = readRecordIdentifier(record) || 'a record without identifier';
  if (metadata === undefined) return [{ place, provider, outcome: { reason: 'has no metadata' } }];
  const isLom = prefix !== 'oai_dc' && metadata.children[0]?.name === 'lom';
  const fields = isLom ? readLom(metadata, langs[0]) : readDublinCore(metadata);
  return [
    { place, provider, outcome: toObjectRecord({ ...fields, provider: provider.id, defaultLang: langs[0] }) },
  ];
}

/** What a record in Dublin Core says of an object. */
function readDublinCore(metadata: XmlNode): Omit<ObjectFields, 'provider'> {
  const [dc] = metadata.children;
  const texts = (name: string) => (dc === undefined ? [] : readXmlTexts(dc, name));
  return {
    url: findLomAddress(texts('identifier')) ?? '',
    title: texts('title')[0] ?? '',
    description: texts('description')[0] ?? texts('abstract')[0],
    types: [...texts('type'), ...texts('format')],
    otherwise: 'article',
    lang: texts('language')[0],
    // Many write all of them in one, separated by semicolons.
    keywords: texts('subject').flatMap((subject) => subject.split(';')),
    authors: texts('creator'),
    publishers: texts('publisher'),
    free: texts('rights').some(isOpenLomLicense) ? true : undefined,
  };
}

/** An answer of a repository. */
export interface OaiPage {
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  readonly records: readonly XmlNode[];
  /** To go on with; null at the end of the list. */
  readonly token: string | null;
  readonly repositoryName: string | undefined;
  /** Prefixes of the formats it offers. */
  readonly formats: readonly string[];
}

const ROOT = 'OAI-PMH';
const names = new Set(['error', 'record', 'resumptionToken', 'repositoryName', 'metadataFormat']);

/** Null for anything but an answer of a repository, and for a cut-off one: taken for the end of a
 *  list, it would lose the rest. */
export function readOaiPage(text: string, place: string): OaiPage | null {
  const { nodes, root, isWhole } = readXml(text, { root: ROOT, names, place });
  if (root !== ROOT || !isWhole) return null;
  const named = (name: string) => nodes.filter((node) => node.name === name);
  return {
    errors: named('error').map((node) => ({ code: node.attributes.code ?? '', message: node.text.trim() })),
    records: named('record'),
    token: named('resumptionToken')[0]?.text.trim() || null,
    repositoryName: named('repositoryName')[0]?.text.trim(),
    formats: named('metadataFormat').flatMap((node) => readXmlTexts(node, 'metadataPrefix')),
  };
}

const LEVELS: Readonly<Record<string, number>> = {
  'very easy': -1,
  easy: -0.5,
  medium: 0,
  difficult: 0.5,
  'very difficult': 1,
};

/** What a record in LOM (IEEE 1484.12.3, and the older IMS form of it) says of an object. */
function readLom(metadata: XmlNode, lang: string | undefined): Omit<ObjectFields, 'provider'> {
  const [lom = metadata] = metadata.children;
  const values = (...path: string[]) => findXmlNodes(lom, ...path).flatMap((node) => valuesOf(node));
  const language = readXmlTexts(lom, 'general', 'language')[0] ?? lang;
  const texts = (...path: string[]) =>
    findXmlNodes(lom, ...path).flatMap((node) => inLanguage(node, language));
  const cost = values('rights', 'cost')[0]?.toLowerCase();
  const identifiers = [
    ...readXmlTexts(lom, 'technical', 'location'),
    ...readXmlTexts(lom, 'general', 'identifier', 'entry'),
    ...texts('general', 'catalogentry', 'entry'),
  ];
  return {
    url: findLomAddress(identifiers) ?? '',
    title: texts('general', 'title')[0] ?? '',
    description: texts('general', 'description')[0],
    lang: language,
    keywords: texts('general', 'keyword'),
    types: [
      ...values('educational', 'learningResourceType'),
      ...values('educational', 'learningresourcetype'),
      ...readXmlTexts(lom, 'technical', 'format'),
    ],
    minutes: learningMinutes(lom),
    level: LEVELS[values('educational', 'difficulty')[0]?.toLowerCase() ?? ''],
    age: readAges(
      [...texts('educational', 'typicalAgeRange'), ...texts('educational', 'typicalagerange')][0],
    ),
    authors: contributors(lom, 'author'),
    publishers: contributors(lom, 'publisher'),
    picture: findRelated(lom, 'thumbnail'),
    embed: findRelated(lom, 'embed'),
    free:
      cost === 'no' || texts('rights', 'description').some(isOpenLomLicense)
        ? true
        : cost === 'yes'
          ? false
          : undefined,
  };
}

/** Texts of an element in the language, or the first that there is. */
function inLanguage(node: XmlNode, language = ''): string[] {
  const strings = node.children.filter(({ name }) => name === 'string' || name === 'langstring');
  if (strings.length === 0) return node.text.trim() === '' ? [] : [node.text.trim()];
  const inLanguage = strings.find(({ attributes }) => isOf(attributes.language ?? attributes.lang, language));
  return [(inLanguage ?? strings[0])?.text.trim() ?? ''].filter((text) => text !== '');
}

function isOf(tag: string | undefined, language: string): boolean {
  return (
    tag !== undefined &&
    language !== '' &&
    tag.slice(0, 2).toLowerCase() === language.slice(0, 2).toLowerCase()
  );
}

/** Words of a vocabulary: `<value>`, with a text of a language within it in the older form. */
function valuesOf(node: XmlNode): string[] {
  return findXmlNodes(node, 'value').flatMap((value) => inLanguage(value));
}

/** Address of what it is related to so: `thumbnail` and `embed` are of NL LOM
 *  (https://wiki.edustandaard.nl, relation kinds), and in use far beyond it. */
function findRelated(lom: XmlNode, kind: string): string | undefined {
  const relation = findXmlNodes(lom, 'relation').find(
    (node) => findXmlNodes(node, 'kind').flatMap(valuesOf)[0]?.toLowerCase() === kind,
  );
  if (relation === undefined) return undefined;
  const entries = [
    ...readXmlTexts(relation, 'resource', 'identifier', 'entry'),
    ...findXmlNodes(relation, 'resource', 'catalogentry', 'entry').flatMap((node) => inLanguage(node)),
  ];
  return entries.find((entry) => /^https?:\/\//i.test(entry));
}

function learningMinutes(lom: XmlNode): number | undefined {
  const durations = [
    ...readXmlTexts(lom, 'educational', 'typicalLearningTime', 'duration'),
    ...readXmlTexts(lom, 'educational', 'typicalLearningTime', 'datetime'),
    ...readXmlTexts(lom, 'educational', 'typicallearningtime', 'datetime'),
    ...readXmlTexts(lom, 'technical', 'duration', 'duration'),
  ];
  return durations.map(readIsoMinutes).find((minutes) => minutes !== undefined);
}

function contributors(lom: XmlNode, role: string): string[] {
  const lifeCycle = [
    ...findXmlNodes(lom, 'lifeCycle', 'contribute'),
    ...findXmlNodes(lom, 'lifecycle', 'contribute'),
  ];
  return lifeCycle
    .filter((node) => findXmlNodes(node, 'role').flatMap(valuesOf)[0]?.toLowerCase() === role)
    .flatMap((node) => [...readXmlTexts(node, 'entity'), ...readXmlTexts(node, 'centity', 'vcard')])
    .map(nameOf)
    .filter((name) => name !== '');
}

const MAX_VCARD = 1_000;

/** The formatted name of a vCard; any other text as it is. Blanks are brought together and the text
 *  is cut first, because the expression looks ahead from each of them. */
function nameOf(entity: string): string {
  if (!/BEGIN:VCARD/i.test(entity)) return entity;
  const card = entity.replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? '\n' : ' ')).slice(0, MAX_VCARD);
  const match = /(?:^|[\s;])FN(?:;[^:]*)?:([^\n]+?)(?=\s*(?:\n|$|END:VCARD|\s[A-Z]{1,6}[:;]))/im.exec(card);
  return (match?.[1] ?? '').trim();
}

/** The first that can be opened in a browser; a DOI can, too. */
function findLomAddress(identifiers: readonly string[]): string | undefined {
  const address = identifiers.find((text) => /^https?:\/\//i.test(text));
  if (address !== undefined) return address;
  const doi = identifiers.map((text) => /^(?:doi:\s*)?(10\.\d{4,9}\/\S+)$/i.exec(text)?.[1]).find(Boolean);
  return doi === undefined ? undefined : `https://doi.org/${doi}`;
}

function isOpenLomLicense(rights: string): boolean {
  return /creativecommons\.org|\bcc[ -](?:by|0)\b|public domain/i.test(rights);
}
