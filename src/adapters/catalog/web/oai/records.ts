import type { ProviderRecord } from '#adapters/catalog/catalog-schema';
import type { ReadObject } from '#adapters/catalog/object-parts';
import { type ObjectFields, toObjectRecord } from '#adapters/catalog/object-record';
import type { ImportRequest } from '#ports/imports';
import { findLomAddress, isOpenLomLicense, readLom } from './lom.ts';
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

/** Null where it is not an answer of a repository, or was cut off: taking that for the end of a list would lose the rest.
 *  Errors: those of `readMarkup`.
 *  @param place its address */
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
