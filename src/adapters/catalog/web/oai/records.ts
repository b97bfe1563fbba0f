import type { ProviderRecord } from '#adapters/catalog/catalog-schema';
import { isSameLanguage, readLanguageCode } from '#adapters/catalog/language-code';
import { type ReadObject, toObjectProvider, toObjectRecord } from '#adapters/catalog/object-record';
import { isOpenLicense, type RecordMetadata, readLom } from './lom.ts';
import { findXmlNodes, readXmlTexts, readXmlTree, type XmlNode } from './xml-tree.ts';

/** The identifier of a record. Empty if it has none. */
export const readRecordIdentifier = (record: XmlNode | undefined): string =>
  record === undefined ? '' : (readXmlTexts(record, 'header', 'identifier')[0] ?? '');

/** Reads the object of a record; none of a deleted one. @param provider that of the repository */
export function toRecordObjects(record: XmlNode, provider: ProviderRecord, langs: readonly string[]): ReadObject[] {
  const [header] = findXmlNodes(record, 'header');
  if (header?.attributes.status === 'deleted') return [];
  const [metadata] = findXmlNodes(record, 'metadata');
  const id = readRecordIdentifier(record);
  const place = id || 'a record without identifier';
  if (metadata === undefined) return [{ place, provider, outcome: { reason: 'has no metadata' } }];
  const [root = metadata] = metadata.children;
  const read = root.name.toLowerCase() === 'lom' ? readLom : readDublinCore;
  const { fields, identifiers, related, owner } = read(root, langs[0]);
  const url = findRecordAddress(identifiers, related, id);
  // The objects of an aggregator have providers of their own.
  const objectProvider = owner === undefined ? provider : toObjectProvider(owner, undefined, url);
  const outcome = toObjectRecord({ ...fields, url, provider: objectProvider.id, defaultLang: langs[0] });
  return [{ place, provider: objectProvider, outcome }];
}

/** Reads Dublin Core. @param preferredLang the preferred language of texts */
function readDublinCore(dc: XmlNode, preferredLang: string | undefined): RecordMetadata {
  const texts = (name: string) => readXmlTexts(dc, name);
  const findInLanguage = (name: string, lang = preferredLang) => {
    const nodes = findXmlNodes(dc, name).filter(({ text }) => text.trim() !== '');
    return nodes.find(({ attributes }) => isSameLanguage(attributes.lang, lang)) ?? nodes[0];
  };
  const title = findInLanguage('title');
  const lang = texts('language').find((each) => readLanguageCode(each) !== undefined) ?? title?.attributes.lang;
  const fields = {
    title: title?.text.trim() ?? '',
    description: (
      findInLanguage('description', title?.attributes.lang ?? lang) ?? findInLanguage('abstract')
    )?.text.trim(),
    types: [...texts('type'), ...texts('format')],
    otherwise: 'article' as const,
    lang,
    // Many write all keywords in one, separated by semicolons.
    keywords: texts('subject').flatMap((subject) => subject.split(';')),
    authors: texts('creator'),
    publishers: texts('publisher'),
    free: texts('rights').some(isOpenLicense) ? true : undefined,
    facts: {
      license: [...texts('license'), ...texts('rights')],
      // Of several dates nobody knows which is which.
      published: [...texts('issued'), ...(texts('date').length === 1 ? texts('date') : [])],
      modified: texts('modified'),
      educationalLevel: texts('educationLevel'),
    },
  };
  return { fields, identifiers: texts('identifier'), related: [...texts('relation'), ...texts('source')] };
}

export interface OaiPage {
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  readonly records: readonly XmlNode[];
  /** The token of the next page; null at the end of the list. */
  readonly token: string | null;
  readonly repositoryName: string | undefined;
  readonly formats: readonly { readonly prefix: string; readonly namespace: string }[];
}

const ROOT = 'OAI-PMH';
const names = new Set(['error', 'record', 'resumptionToken', 'repositoryName', 'metadataFormat']);

/** Reads an answer. Null for another text, and for a truncated one, which would seem complete. */
export function readOaiPage(text: string, place: string): OaiPage | null {
  // Notices of PHP may precede it.
  const from = Math.max(0, text.search(/<(?:[\w-]+:)?OAI-PMH[\s>]/));
  const { nodes, root, isWhole } = readXmlTree(text.slice(from), { root: ROOT, names, place });
  if (root !== ROOT || !isWhole) return null;
  const named = (name: string) => nodes.filter((node) => node.name === name);
  return {
    errors: named('error').map((node) => ({ code: node.attributes.code ?? '', message: node.text.trim() })),
    records: named('record'),
    token: named('resumptionToken')[0]?.text.trim() || null,
    repositoryName: named('repositoryName')[0]?.text.trim(),
    formats: named('metadataFormat').map((node) => ({
      prefix: readXmlTexts(node, 'metadataPrefix')[0] ?? '',
      namespace: readXmlTexts(node, 'metadataNamespace')[0] ?? '',
    })),
  };
}

/** Addresses of services that resolve identifiers. */
const resolvers: readonly (readonly [name: RegExp, base: string])[] = [
  [/^(?:(?:https?:\/\/)?(?:dx\.)?doi\.org\/|(?:info:)?doi[:/]?\s*)?(10\.\d{4,9}\/\S+)$/i, 'https://doi.org/'],
  [/^(?:info:)?(?:hdl|handle)[:/]\s*(\d[\w.]*\/\S+)$/i, 'https://hdl.handle.net/'],
  [/^(?:https?:\/\/)?hdl\.handle\.net\/(\S+)$/i, 'https://hdl.handle.net/'],
  [/^(urn:nbn:\S+)$/i, 'https://nbn-resolving.org/'],
  [/^(ark:\/?\d{5}\S*)$/i, 'https://n2t.net/'],
  [/^arxiv:\s*(\S+)$/i, 'https://arxiv.org/abs/'],
  [/^(?:www\.)(\S+\.\S+)$/i, 'https://www.'],
];

const FILE = /\.(?:pdf|docx?|pptx?|xlsx?|zip|ps|rtf|odt|epub|jpe?g|png|mp[34]|txt)(?:[?#].*)?$/i;

/** Finds the page of an object, else a file. Without both, it returns the identifiers. */
function findRecordAddress(identifiers: readonly string[], related: readonly string[], id: string): string {
  const resolved = (texts: readonly string[]) =>
    texts.flatMap((text) => {
      const trimmed = text.trim();
      if (/^https?:\/\//i.test(trimmed)) return [trimmed];
      const resolver = resolvers.find(([name]) => name.test(trimmed));
      return resolver === undefined ? [] : [resolver[1] + (resolver[0].exec(trimmed)?.[1] ?? '')];
    });
  const isWeb = (url: string) => identifiers.some((text) => text.trim() === url);
  const addresses = resolved(identifiers).sort((a, b) => Number(isWeb(b)) - Number(isWeb(a)));
  const relatedPages = resolved(related).filter((url) => !FILE.test(url));
  const page = addresses.find((url) => !FILE.test(url));
  const isSameHost = (url: string) =>
    addresses[0] !== undefined && findRecordHost(url) === findRecordHost(addresses[0]);
  const address = page ?? relatedPages.find(isSameHost) ?? addresses[0] ?? relatedPages[0] ?? resolved([id])[0];
  return address ?? (identifiers.join(', ') || id);
}

const findRecordHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
