import type { ProviderRecord } from '#adapters/catalog/catalog-schema';
import { isSameLanguage, readLanguageCode } from '#adapters/catalog/language-code';
import { type ObjectFields, type ReadObject, toObjectProvider, toObjectRecord } from '#adapters/catalog/object-record';
import { readAges, readIsoMinutes } from '#adapters/catalog/quantities';
import { type FactName, type FactTexts, factNames, lomSources, writeConceptText } from '#domain/object-facts';
import type { ImportRequest } from '#ports/imports';
import { findXmlNodes, readXmlTexts, readXmlTree, type XmlNode } from './xml-tree.ts';

export type ListContext = { readonly prefix: string; readonly provider: ProviderRecord };

/** Empty if the record has none. */
export const readRecordIdentifier = (record: XmlNode | undefined): string =>
  record === undefined ? '' : (readXmlTexts(record, 'header', 'identifier')[0] ?? '');

export function toRecordObjects(record: XmlNode, { provider }: ListContext, { langs }: ImportRequest): ReadObject[] {
  const [header] = findXmlNodes(record, 'header');
  if (header?.attributes.status === 'deleted') return [];
  const [metadata] = findXmlNodes(record, 'metadata');
  const place = readRecordIdentifier(record) || 'a record without identifier';
  if (metadata === undefined) return [{ place, provider, outcome: { reason: 'has no metadata' } }];
  const isLom = metadata.children[0]?.name.toLowerCase() === 'lom';
  const id = readRecordIdentifier(record);
  const fields = isLom ? readLomRecord(metadata, langs[0], id) : readDublinCoreRecord(metadata, langs[0], id);
  const [owner] = isLom && metadata.children[0] ? readRecordContributors(metadata.children[0], 'content provider') : [];
  // Of an aggregator, each object may have a provider of its own.
  const named = owner === undefined ? provider : toObjectProvider(owner, undefined, fields.url);
  const outcome = toObjectRecord({ ...fields, provider: named.id, defaultLang: langs[0] });
  return [{ place, provider: named, outcome }];
}

function readDublinCoreRecord(
  metadata: XmlNode,
  preferredLang: string | undefined,
  id: string,
): Omit<ObjectFields, 'provider'> {
  const [dc = metadata] = metadata.children;
  const texts = (name: string) => readXmlTexts(dc, name);
  const inWanted = (name: string, lang = preferredLang) => {
    const nodes = findXmlNodes(dc, name).filter(({ text }) => text.trim() !== '');
    return nodes.find(({ attributes }) => isSameLanguage(attributes.lang, lang)) ?? nodes[0];
  };
  const title = inWanted('title');
  const lang = texts('language').find((each) => readLanguageCode(each) !== undefined) ?? title?.attributes.lang;
  const identifiers = texts('identifier');
  return {
    url: findRecordAddress({ identifiers, others: [...texts('relation'), ...texts('source')], id }),
    title: title?.text.trim() ?? '',
    description: (inWanted('description', title?.attributes.lang ?? lang) ?? inWanted('abstract'))?.text.trim(),
    types: [...texts('type'), ...texts('format')],
    otherwise: 'article',
    lang,
    // Many write all keywords in one, separated by semicolons.
    keywords: texts('subject').flatMap((subject) => subject.split(';')),
    authors: texts('creator'),
    publishers: texts('publisher'),
    free: texts('rights').some(isOpenLomLicense) ? true : undefined,
    facts: {
      license: [...texts('license'), ...texts('rights')],
      // Of several dates nobody knows which is which.
      published: [...texts('issued'), ...(texts('date').length === 1 ? texts('date') : [])],
      modified: texts('modified'),
      educationalLevel: texts('educationLevel'),
    },
  };
}

export interface OaiPage {
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  readonly records: readonly XmlNode[];
  /** Of the next page; null at the end of the list. */
  readonly token: string | null;
  readonly repositoryName: string | undefined;
  readonly formats: readonly { readonly prefix: string; readonly namespace: string }[];
}

const ROOT = 'OAI-PMH';
const names = new Set(['error', 'record', 'resumptionToken', 'repositoryName', 'metadataFormat']);

/** Null for other answers, and for a truncated one, which would seem to end the list. */
export function readOaiRecordPage(text: string, place: string): OaiPage | null {
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

const LEVELS: Readonly<Record<string, number>> = {
  'very easy': -1,
  easy: -0.5,
  medium: 0,
  difficult: 0.5,
  'very difficult': 1,
};

/** LOM (IEEE 1484.12.3), and its older IMS form. */
function readLomRecord(metadata: XmlNode, lang: string | undefined, id: string): Omit<ObjectFields, 'provider'> {
  const [lom = metadata] = metadata.children;
  const values = (...path: string[]) => findXmlNodes(lom, ...path).flatMap((node) => readNodeValues(node));
  const titles = findXmlNodes(lom, 'general', 'title').flatMap(({ children }) => children);
  const language =
    readXmlTexts(lom, 'general', 'language').find((each) => readLanguageCode(each) !== undefined) ??
    (titles.find(({ attributes }) => isSameLanguage(attributes.language ?? attributes.lang, lang)) ?? titles[0])
      ?.attributes.language ??
    titles[0]?.attributes.lang ??
    lang;
  const texts = (...path: string[]) => findXmlNodes(lom, ...path).flatMap((node) => readRecordStrings(node, language));
  const cost = values('rights', 'cost')[0]?.toLowerCase();
  const identifiers = [
    ...readXmlTexts(lom, 'technical', 'location'),
    ...readXmlTexts(lom, 'general', 'identifier', 'entry'),
    ...texts('general', 'catalogentry', 'entry'),
  ];
  return {
    url: findRecordAddress({ identifiers, others: [], id }),
    title: texts('general', 'title')[0] ?? '',
    description: texts('general', 'description')[0],
    lang: language,
    keywords: texts('general', 'keyword'),
    types: [
      ...values('educational', 'learningResourceType'),
      ...values('educational', 'learningresourcetype'),
      ...readXmlTexts(lom, 'technical', 'format'),
    ],
    minutes: readRecordMinutes(lom),
    level: LEVELS[values('educational', 'difficulty')[0]?.toLowerCase() ?? ''],
    age: readAges([...texts('educational', 'typicalAgeRange'), ...texts('educational', 'typicalagerange')][0]),
    authors: readRecordContributors(lom, 'author'),
    publishers: readRecordContributors(lom, 'publisher'),
    ...readRecordCoverage(texts('general', 'coverage')),
    picture: findRelatedRecord(lom, 'thumbnail'),
    embed: findRelatedRecord(lom, 'embed'),
    free:
      cost === 'no' || texts('rights', 'description').some(isOpenLomLicense)
        ? true
        : cost === 'yes'
          ? false
          : undefined,
    ...readRecordClassifications(lom, {
      license: texts('rights', 'description'),
      published: findRecordContributions(lom, 'publisher').flatMap((node) => readXmlTexts(node, 'date', 'dateTime')),
    }),
  };
}

/** A place as a point of Dublin Core (DCMI Point): `name=Lyon; north=45.76; east=4.84`. */
function readRecordCoverage(texts: readonly string[]): Pick<ObjectFields, 'address' | 'location'> {
  const point = texts.find((text) => /\bnorth=/.test(text) && /\beast=/.test(text));
  if (point === undefined) return {};
  const readPart = (name: string) => new RegExp(`(?:^|;)\\s*${name}=([^;]*)`).exec(point)?.[1]?.trim() ?? '';
  return { address: readPart('name'), location: { lat: Number(readPart('north')), lon: Number(readPart('east')) } };
}

/** Facts, objectives and an exact level, which LOM stores as taxons of classifications. */
function readRecordClassifications(
  lom: XmlNode,
  stated: FactTexts,
): Pick<ObjectFields, 'facts' | 'bloom'> & Partial<Pick<ObjectFields, 'level'>> {
  const facts: Record<string, readonly string[] | undefined> = { ...stated };
  const bloom: string[] = [];
  let level: number | undefined;
  for (const classification of findXmlNodes(lom, 'classification')) {
    const purpose = findXmlNodes(classification, 'purpose').flatMap(readNodeValues)[0]?.toLowerCase();
    for (const path of findXmlNodes(classification, 'taxonPath')) {
      const source = findXmlNodes(path, 'source').flatMap((node) => readRecordStrings(node))[0] ?? '';
      for (const taxon of findXmlNodes(path, 'taxon')) {
        const [uri = ''] = readXmlTexts(taxon, 'id');
        const [label = ''] = findXmlNodes(taxon, 'entry').flatMap((node) => readRecordStrings(node));
        const entry = label || uri;
        const name = findLomFact(source, purpose);
        if (name !== undefined)
          facts[name] = [...(facts[name] ?? []), writeConceptText({ uri, label: label === uri ? '' : label }) || uri];
        else if (source === lomSources.bloom) bloom.push(entry);
        else if (source === lomSources.level) level = Number(uri);
      }
    }
  }
  return { facts, bloom, ...(level !== undefined && { level }) };
}

const purposes: Readonly<Record<string, FactName>> = {
  competency: 'teaches',
  'educational level': 'educationalLevel',
};

/** The fact of a taxonomy, or of the purpose of a classification. */
function findLomFact(source: string, purpose = ''): FactName | undefined {
  const [, name] = /^https?:\/\/schema\.org\/(\w+)$/.exec(source) ?? [];
  return factNames.find((each) => each === name) ?? purposes[purpose];
}

function readRecordStrings(node: XmlNode, language?: string): string[] {
  const strings = node.children.filter(({ name }) => name === 'string' || name === 'langstring');
  if (strings.length === 0) return node.text.trim() === '' ? [] : [node.text.trim()];
  const inLanguage = strings.find(({ attributes }) => isSameLanguage(attributes.language ?? attributes.lang, language));
  return [(inLanguage ?? strings[0])?.text.trim() ?? ''].filter((text) => text !== '');
}

/** Words of a vocabulary: `<value>`, which has a text of a language within it in the older form. */
const readNodeValues = (node: XmlNode): string[] =>
  findXmlNodes(node, 'value').flatMap((value) => readRecordStrings(value));

/** Address of a related resource: `thumbnail` and `embed` are of NL LOM
 *  (https://wiki.edustandaard.nl, relation kinds), and in use far beyond it. */
function findRelatedRecord(lom: XmlNode, kind: string): string | undefined {
  const relation = findXmlNodes(lom, 'relation').find(
    (node) => findXmlNodes(node, 'kind').flatMap(readNodeValues)[0]?.toLowerCase() === kind,
  );
  if (relation === undefined) return undefined;
  const entries = [
    ...readXmlTexts(relation, 'resource', 'identifier', 'entry'),
    ...findXmlNodes(relation, 'resource', 'catalogentry', 'entry').flatMap((node) => readRecordStrings(node)),
  ];
  return entries.find((entry) => /^https?:\/\//i.test(entry));
}

function readRecordMinutes(lom: XmlNode): number | undefined {
  const durations = [
    ...readXmlTexts(lom, 'educational', 'typicalLearningTime', 'duration'),
    ...readXmlTexts(lom, 'educational', 'typicalLearningTime', 'datetime'),
    ...readXmlTexts(lom, 'educational', 'typicallearningtime', 'datetime'),
    ...readXmlTexts(lom, 'technical', 'duration', 'duration'),
  ];
  return durations.map(readIsoMinutes).find((minutes) => minutes !== undefined);
}

function findRecordContributions(lom: XmlNode, role: string): readonly XmlNode[] {
  const lifeCycle = [...findXmlNodes(lom, 'lifeCycle', 'contribute'), ...findXmlNodes(lom, 'lifecycle', 'contribute')];
  return lifeCycle.filter((node) => findXmlNodes(node, 'role').flatMap(readNodeValues)[0]?.toLowerCase() === role);
}

function readRecordContributors(lom: XmlNode, role: string): string[] {
  return findRecordContributions(lom, role)
    .flatMap((node) => [...readXmlTexts(node, 'entity'), ...readXmlTexts(node, 'centity', 'vcard')])
    .map(readVcardName)
    .filter((name) => name !== '');
}

const MAX_VCARD = 2_000;
const PROPERTY =
  /\s+(?=(?:VERSION|N|FN|EMAIL|ORG|TEL|URL|ADR|TITLE|ROLE|NOTE|UID|REV|BDAY|END|X-[A-Z-]{1,20})(?:;[^:\s]{0,60})?:)/g;

/** The name or organization of a vCard, whose lines may be folded; other text unchanged. */
function readVcardName(entity: string): string {
  if (!/BEGIN:VCARD/i.test(entity)) return entity;
  const card = entity
    .replace(/\s{4,}/g, (blanks) => (/[\r\n]/.test(blanks) ? '\n' : ' '))
    .slice(0, MAX_VCARD)
    .replaceAll('\\n', '\n')
    .replace(/\r?\n[ \t](?=\S)/g, '');
  const lines = (/\n./.test(card.trim()) ? card : card.replace(PROPERTY, '\n')).split(/[\r\n]+/);
  const values = (name: string) =>
    lines
      .map((line) => new RegExp(`^\\s*(?:\\w+\\.)?${name}(?:;[^:]*)?:(.*)$`, 'i').exec(line)?.[1] ?? '')
      .find((value) => value.trim() !== '')
      ?.split(/(?<!\\);/)
      .map((part) => part.replace(/\\([,;\\])/g, '$1').trim());
  const [family = '', givenName = ''] = values('N') ?? [];
  return values('FN')?.[0] || `${givenName} ${family}`.trim() || values('ORG')?.[0] || '';
}

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

interface Identifiers {
  readonly identifiers: readonly string[];
  /** Of related resources: in EPrints the page is one, and files are identifiers. */
  readonly others: readonly string[];
  readonly id: string;
}

/** The page about it, which a browser can open, before its files; else its identifier. */
function findRecordAddress({ identifiers, others, id }: Identifiers): string {
  const resolved = (texts: readonly string[]) =>
    texts.flatMap((text) => {
      const trimmed = text.trim();
      if (/^https?:\/\//i.test(trimmed)) return [trimmed];
      const resolver = resolvers.find(([name]) => name.test(trimmed));
      return resolver === undefined ? [] : [resolver[1] + (resolver[0].exec(trimmed)?.[1] ?? '')];
    });
  const isWeb = (url: string) => identifiers.some((text) => text.trim() === url);
  const addresses = resolved(identifiers).sort((a, b) => Number(isWeb(b)) - Number(isWeb(a)));
  const related = resolved(others).filter((url) => !FILE.test(url));
  const page = addresses.find((url) => !FILE.test(url));
  const isSameHost = (url: string) =>
    addresses[0] !== undefined && findRecordHost(url) === findRecordHost(addresses[0]);
  const address = page ?? related.find(isSameHost) ?? addresses[0] ?? related[0] ?? resolved([id])[0];
  return address ?? (identifiers.join(', ') || id);
}

const findRecordHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

const isOpenLomLicense = (rights: string): boolean =>
  /creativecommons\.org|\bcc[ -](?:by|0)\b|public domain/i.test(rights);
