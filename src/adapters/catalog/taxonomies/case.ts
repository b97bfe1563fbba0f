import { text as readAllText } from 'node:stream/consumers';
import { parseJson, toOneLine } from '#domain/text';
import { MAX_LABEL } from '../concept-parts.ts';
import { createSourceFileError, readSourceText, type SourceFile } from '../files/source-file.ts';
import { readLanguageCode } from '../language-code.ts';
import { DEFAULT_LANG } from '../object-record.ts';
import { cutTextAtWord } from '../plain-text.ts';
import { addToList, type PublishedTaxonomy, type ReadOptions, type Statements } from './statements.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Limit of a package, which is in memory as a whole. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Links by types of associations. Source: https://www.imsglobal.org/spec/case/v1p1 */
const links: readonly (readonly [type: RegExp, link: string])[] = [
  [/^is(?:childof|partof)$/i, 'broader'],
  [/^is(?:peerof|relatedto)$/i, 'related'],
  [/^(?:exactmatchof|istranslationof)$/i, 'sameAs'],
  [/^replacedby$/i, 'replaced'],
];

export const isCasePackage = (head: string): boolean =>
  /^\uFEFF?\s*\{/.test(head) && /"CF(?:Document|Items|Associations)"\s*:/.test(head);

/** Reads the items and associations of a CASE package (`CFPackage`), 1.0 and 1.1.
 *  Errors: IMPORT_INVALID for a file that is broken, too large, or has no item. */
export async function readCasePackage(file: SourceFile, { langs, signal }: ReadOptions): Promise<PublishedTaxonomy> {
  if (file.sizeBytes > MAX_BYTES) throw createSourceFileError(file.name, 'is larger than 128 MB. Import a part of it.');
  const content = await readAllText(readSourceText(file, signal));
  const { CFItems, CFAssociations, CFDocument } = toCaseFields(parseJson(content.replace(/^\uFEFF/, '')));
  const document = toCaseFields(CFDocument);
  const lang = readLanguageCode(readCaseText(document.language)) ?? langs[0] ?? DEFAULT_LANG;
  const items = listCaseFields(CFItems).map(
    (item) => [readCaseText(item.identifier), toCaseStatements(item, lang, langs)] as const,
  );
  const concepts = new Map(items.filter(([key]) => key !== ''));
  if (concepts.size === 0)
    throw createSourceFileError(file.name, 'is not a readable CASE package: it has no list CFItems with identifiers.');
  for (const association of listCaseFields(CFAssociations)) addCaseLink(concepts, association);
  // An item whose type does not say its kind is a domain if there are items below it.
  for (const { parent, type } of concepts.values()) type?.push({ value: parent === undefined ? 'skill' : 'domain' });
  return { title: readCaseText(document.title), concepts };
}

const toCaseFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listCaseFields = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(toCaseFields) : []);
const readCaseText = (value: unknown): string => (typeof value === 'string' ? toOneLine(value) : '');

function toCaseStatements(item: Fields, documentLang: string, langs: readonly string[]): Statements {
  const statement = readCaseText(item.fullStatement);
  const label = readCaseText(item.abbreviatedStatement) || cutTextAtWord(statement, MAX_LABEL);
  const lang = readLanguageCode(readCaseText(item.language)) ?? documentLang;
  const isWanted = langs.length === 0 || langs.includes(lang);
  const textsOf = (...texts: readonly string[]) =>
    isWanted ? texts.filter((text) => text !== '').map((value) => ({ value, lang })) : [];
  const type = readCaseText(item.CFItemType);
  return {
    uri: [{ value: readCaseText(item.uri) }],
    label: textsOf(label),
    altLabel: textsOf(readCaseText(item.alternativeLabel)),
    code: textsOf(readCaseText(item.humanCodingScheme)),
    description: textsOf([statement === label ? '' : statement, readCaseText(item.notes)].join(' ').trim()),
    type: type === '' ? [] : [{ value: type }],
  };
}

/** Adds a link to the statements about its ends. In old files an end is an address alone. */
function addCaseLink(concepts: ReadonlyMap<string, Statements>, association: Fields): void {
  const [, link] = links.find(([type]) => type.test(readCaseText(association.associationType))) ?? [];
  const keyOf = (end: unknown): string => {
    const { identifier, uri } =
      typeof end === 'string' ? { identifier: end.replace(/^.*\//, ''), uri: end } : toCaseFields(end);
    return concepts.has(readCaseText(identifier)) ? readCaseText(identifier) : readCaseText(uri);
  };
  const from = keyOf(association.originNodeURI);
  const to = keyOf(association.destinationNodeURI);
  const origin = concepts.get(from);
  const destination = concepts.get(to);
  // The top items are children of the document, which is not a concept.
  if (link === undefined || to === '' || from === to || (link === 'broader' && destination === undefined)) return;
  if (origin !== undefined) addToList(origin, link, { value: to });
  if (destination === undefined) return;
  if (link === 'broader') addToList(destination, 'parent', { value: from });
  if (link === 'replaced') addToList(destination, 'sameAs', { value: from });
}
