import { isSameLanguage, readLanguageCode } from '#adapters/catalog/language-code';
import type { ObjectFields } from '#adapters/catalog/object-record';
import { readAges, readIsoMinutes } from '#adapters/catalog/quantities';
import { type FactName, type FactTexts, factNames, lomSources, writeConceptText } from '#domain/object-facts';
import { findXmlNodes, readXmlTexts, type XmlNode } from './xml-tree.ts';

/** What the metadata of a record say about an object. */
export interface RecordMetadata {
  readonly fields: Omit<ObjectFields, 'provider' | 'url'>;
  readonly identifiers: readonly string[];
  /** Those of related resources: in EPrints the page is one, and files are identifiers. */
  readonly related: readonly string[];
  /** The name of its provider, if that is not the repository. */
  readonly owner?: string | undefined;
}

const LEVELS: Readonly<Record<string, number>> = {
  'very easy': -1,
  easy: -0.5,
  medium: 0,
  difficult: 0.5,
  'very difficult': 1,
};

/** Reads LOM (IEEE 1484.12.3), or its older IMS form. @param lang the preferred language */
export function readLom(lom: XmlNode, lang: string | undefined): RecordMetadata {
  const values = (...path: string[]) => findXmlNodes(lom, ...path).flatMap((node) => readLomValues(node));
  const titles = findXmlNodes(lom, 'general', 'title').flatMap(({ children }) => children);
  const title = titles.find((each) => isSameLanguage(languageOf(each), lang)) ?? titles[0];
  const language =
    readXmlTexts(lom, 'general', 'language').find((each) => readLanguageCode(each) !== undefined) ??
    (title && languageOf(title)) ??
    lang;
  const texts = (...path: string[]) => findXmlNodes(lom, ...path).flatMap((node) => readLomStrings(node, language));
  const rights = texts('rights', 'description');
  const fields = {
    title: texts('general', 'title')[0] ?? '',
    description: texts('general', 'description')[0],
    lang: language,
    keywords: texts('general', 'keyword'),
    types: [
      ...values('educational', 'learningResourceType'),
      ...values('educational', 'learningresourcetype'),
      ...readXmlTexts(lom, 'technical', 'format'),
    ],
    minutes: readLomMinutes(lom),
    level: LEVELS[values('educational', 'difficulty')[0]?.toLowerCase() ?? ''],
    age: readAges([...texts('educational', 'typicalAgeRange'), ...texts('educational', 'typicalagerange')][0]),
    authors: readContributors(lom, 'author'),
    publishers: readContributors(lom, 'publisher'),
    ...readLomPlace(texts('general', 'coverage')),
    picture: findRelatedAddress(lom, 'thumbnail'),
    embed: findRelatedAddress(lom, 'embed'),
    free: rights.some(isOpenLicense) ? true : readCost(values('rights', 'cost')[0]),
    ...readLomClassifications(lom, {
      license: rights,
      published: findContributions(lom, 'publisher').flatMap((node) => readXmlTexts(node, 'date', 'dateTime')),
    }),
  };
  const identifiers = [
    ...readXmlTexts(lom, 'technical', 'location'),
    ...readXmlTexts(lom, 'general', 'identifier', 'entry'),
    ...texts('general', 'catalogentry', 'entry'),
  ];
  return { fields, identifiers, related: [], owner: readContributors(lom, 'content provider')[0] };
}

/** Whether an object is free, by the word of LOM for whether it costs anything. */
function readCost(cost = ''): boolean | undefined {
  if (cost.toLowerCase() === 'no') return true;
  return cost.toLowerCase() === 'yes' ? false : undefined;
}

export const isOpenLicense = (rights: string): boolean =>
  /creativecommons\.org|\bcc[ -](?:by|0)\b|public domain/i.test(rights);

/** Reads a place, a point of Dublin Core (DCMI Point): `name=Lyon; north=45.76; east=4.84`. */
function readLomPlace(texts: readonly string[]): Pick<ObjectFields, 'address' | 'location'> {
  const point = texts.find((text) => /\bnorth=/.test(text) && /\beast=/.test(text));
  if (point === undefined) return {};
  const readPart = (name: string) => new RegExp(`(?:^|;)\\s*${name}=([^;]*)`).exec(point)?.[1]?.trim() ?? '';
  return { address: readPart('name'), location: { lat: Number(readPart('north')), lon: Number(readPart('east')) } };
}

/** Reads facts, objectives and an exact level, which LOM has as taxons of classifications.
 *  @param stated the facts that it has elsewhere */
function readLomClassifications(
  lom: XmlNode,
  stated: FactTexts,
): Pick<ObjectFields, 'facts' | 'bloom'> & Partial<Pick<ObjectFields, 'level'>> {
  const facts: Record<string, readonly string[] | undefined> = { ...stated };
  const bloom: string[] = [];
  let level: number | undefined;
  for (const classification of findXmlNodes(lom, 'classification')) {
    const purpose = findXmlNodes(classification, 'purpose').flatMap(readLomValues)[0]?.toLowerCase();
    for (const path of findXmlNodes(classification, 'taxonPath')) {
      const source = findXmlNodes(path, 'source').flatMap((node) => readLomStrings(node))[0] ?? '';
      for (const taxon of findXmlNodes(path, 'taxon')) {
        const [uri = ''] = readXmlTexts(taxon, 'id');
        const [label = ''] = findXmlNodes(taxon, 'entry').flatMap((node) => readLomStrings(node));
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

/** Finds the fact that a taxonomy, or the purpose of a classification, is about. */
function findLomFact(source: string, purpose = ''): FactName | undefined {
  const [, name] = /^https?:\/\/schema\.org\/(\w+)$/.exec(source) ?? [];
  return factNames.find((each) => each === name) ?? purposes[purpose];
}

/** Reads the text of a node in a language, else the first one. Empty if it has none. */
function readLomStrings(node: XmlNode, language?: string): string[] {
  const strings = node.children.filter(({ name }) => name === 'string' || name === 'langstring');
  if (strings.length === 0) return node.text.trim() === '' ? [] : [node.text.trim()];
  const inLanguage = strings.find((each) => isSameLanguage(languageOf(each), language));
  return [(inLanguage ?? strings[0])?.text.trim() ?? ''].filter((text) => text !== '');
}

const languageOf = ({ attributes }: XmlNode): string | undefined => attributes.language ?? attributes.lang;

/** Reads words of a vocabulary: a `<value>`, whose older form has a text in a language. */
const readLomValues = (node: XmlNode): string[] =>
  findXmlNodes(node, 'value').flatMap((value) => readLomStrings(value));

/** Finds the address of a related resource. The kinds `thumbnail` and `embed` are of NL LOM
 *  (https://wiki.edustandaard.nl, relation kinds), and in use far beyond it. */
function findRelatedAddress(lom: XmlNode, kind: string): string | undefined {
  const relation = findXmlNodes(lom, 'relation').find(
    (node) => findXmlNodes(node, 'kind').flatMap(readLomValues)[0]?.toLowerCase() === kind,
  );
  if (relation === undefined) return undefined;
  const entries = [
    ...readXmlTexts(relation, 'resource', 'identifier', 'entry'),
    ...findXmlNodes(relation, 'resource', 'catalogentry', 'entry').flatMap((node) => readLomStrings(node)),
  ];
  return entries.find((entry) => /^https?:\/\//i.test(entry));
}

function readLomMinutes(lom: XmlNode): number | undefined {
  const durations = [
    ...readXmlTexts(lom, 'educational', 'typicalLearningTime', 'duration'),
    ...readXmlTexts(lom, 'educational', 'typicalLearningTime', 'datetime'),
    ...readXmlTexts(lom, 'educational', 'typicallearningtime', 'datetime'),
    ...readXmlTexts(lom, 'technical', 'duration', 'duration'),
  ];
  return durations.map(readIsoMinutes).find((minutes) => minutes !== undefined);
}

function findContributions(lom: XmlNode, role: string): readonly XmlNode[] {
  const lifeCycle = [...findXmlNodes(lom, 'lifeCycle', 'contribute'), ...findXmlNodes(lom, 'lifecycle', 'contribute')];
  return lifeCycle.filter((node) => findXmlNodes(node, 'role').flatMap(readLomValues)[0]?.toLowerCase() === role);
}

function readContributors(lom: XmlNode, role: string): string[] {
  return findContributions(lom, role)
    .flatMap((node) => [...readXmlTexts(node, 'entity'), ...readXmlTexts(node, 'centity', 'vcard')])
    .map(readVcardName)
    .filter((name) => name !== '');
}

const MAX_VCARD = 2_000;
const PROPERTY =
  /\s+(?=(?:VERSION|N|FN|EMAIL|ORG|TEL|URL|ADR|TITLE|ROLE|NOTE|UID|REV|BDAY|END|X-[A-Z-]{1,20})(?:;[^:\s]{0,60})?:)/g;

/** Reads the name or organization in a vCard with folded lines. Other text stays as it is. */
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
