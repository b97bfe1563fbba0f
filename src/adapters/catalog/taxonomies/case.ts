import { text as readAllText } from 'node:stream/consumers';
import { parseJson } from '#domain/text';
import { MAX_LABEL } from '../concept-parts.ts';
import { createSourceFileError, readSourceText, type SourceFile } from '../files/source-file.ts';
import { readLanguageCode } from '../language-code.ts';
import { DEFAULT_LANG } from '../object-record.ts';
import { cutTextAtWord } from '../plain-text.ts';
import { readConceptKind } from '../tables/open-taxonomy-source.ts';
import { addToList, type PublishedConcept, type PublishedTaxonomy } from './published-taxonomy.ts';
import { createDepthLimit } from './rdf.ts';
import { isTellingCode } from './skos.ts';

type Fields = Readonly<Record<string, unknown>>;

/** It is in memory as a whole. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Links by the types of associations, with their spaces and capitals taken out.
 *  Source: https://www.imsglobal.org/spec/case/v1p1 */
const linkOf = new Map<string, keyof PublishedConcept['links'] | 'replacedBy'>([
  ['ischildof', 'broader'],
  ['ispartof', 'broader'],
  ['ispeerof', 'related'],
  ['isrelatedto', 'related'],
  ['exactmatchof', 'sameAs'],
  ['istranslationof', 'sameAs'],
  ['replacedby', 'replacedBy'],
]);

/** Whether a file begins as a CASE package. @param head its first characters */
export const isCasePackage = (head: string): boolean =>
  /^\uFEFF?\s*\{/.test(head) && /"CF(?:Document|Items|Associations)"\s*:/.test(head);

/** Reads the items and associations of a CASE package (`CFPackage`), 1.0 and 1.1.
 *  Errors: IMPORT_INVALID for a file that is broken, too large, too deep, or has no item. */
export async function readCasePackage(
  file: SourceFile,
  { langs, signal }: { readonly langs: readonly string[]; readonly signal: AbortSignal },
): Promise<PublishedTaxonomy> {
  if (file.sizeBytes > MAX_BYTES) throw createSourceFileError(file.name, 'is larger than 128 MB. Import a part of it.');
  const content = await readAllText(readSourceText(file, signal));
  createDepthLimit(file.name)(content);
  const fields = toFields(parseJson(content.replace(/^\uFEFF/, '')));
  const items = listFields(fields.CFItems).filter((item) => readText(item.identifier) !== '');
  if (items.length === 0)
    throw createSourceFileError(
      file.name,
      'is no CASE package that can be read: it has no list CFItems with identifiers.',
    );
  const document = toFields(fields.CFDocument);
  const lang = readLanguageCode(readText(document.language)) ?? langs[0] ?? DEFAULT_LANG;
  const links = readAssociations(listFields(fields.CFAssociations), new Set(items.map(keyOf)));
  return { title: readText(document.title), concepts: items.map((item) => toConcept(item, { lang, langs, links })) };
}

const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listFields = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(toFields) : []);
const readText = (value: unknown): string => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '');
const keyOf = ({ identifier }: Fields): string => readText(identifier);

interface ItemLinks {
  /** By key and link. */
  readonly targets: ReadonlyMap<string, Readonly<Partial<Record<keyof PublishedConcept['links'], string[]>>>>;
  readonly parents: ReadonlySet<string>;
  readonly replaced: ReadonlySet<string>;
}

/** Both ends of an association have an identifier and an address; old files have the address alone. */
function readAssociations(associations: readonly Fields[], keys: ReadonlySet<string>): ItemLinks {
  const targets = new Map<string, Partial<Record<keyof PublishedConcept['links'], string[]>>>();
  const parents = new Set<string>();
  const replaced = new Set<string>();
  const findEnd = (end: unknown): string => {
    const { identifier, uri } =
      typeof end === 'string' ? { identifier: end.replace(/^.*\//, ''), uri: end } : toFields(end);
    const key = readText(identifier);
    return keys.has(key) ? key : readText(uri);
  };
  const add = (from: string, link: keyof PublishedConcept['links'], to: string) => {
    if (!keys.has(from) || to === '' || from === to) return;
    const links = targets.get(from) ?? {};
    targets.set(from, links);
    addToList(links, link, to);
  };
  for (const { associationType, originNodeURI, destinationNodeURI } of associations) {
    const link = linkOf.get(
      readText(associationType)
        .toLowerCase()
        .replace(/[^a-z]/g, ''),
    );
    const from = findEnd(originNodeURI);
    const to = findEnd(destinationNodeURI);
    if (link === undefined) continue;
    if (link === 'broader') parents.add(to);
    if (link === 'replacedBy') replaced.add(from);
    // The top items are children of the document, which is no concept.
    if (readText(associationType) === 'isChildOf' && !keys.has(to)) continue;
    if (link === 'replacedBy') add(to, 'sameAs', from);
    else add(from, link, to);
  }
  return { targets, parents, replaced };
}

function toConcept(
  item: Fields,
  { lang, langs, links }: { readonly lang: string; readonly langs: readonly string[]; readonly links: ItemLinks },
): PublishedConcept {
  const key = keyOf(item);
  const statement = readText(item.fullStatement);
  const short = readText(item.abbreviatedStatement) || cutTextAtWord(statement, MAX_LABEL);
  const code = readText(item.humanCodingScheme);
  const others = [readText(item.alternativeLabel), ...(isTellingCode(code) ? [code] : [])].filter(
    (label) => label !== '',
  );
  const notes = [statement === short ? '' : statement, readText(item.notes)].filter((text) => text !== '');
  const language = readLanguageCode(readText(item.language)) ?? lang;
  const isWanted = langs.length === 0 || langs.includes(language);
  const type = readText(item.CFItemType);
  const kind = (type === '' ? null : readConceptKind(type)) ?? (links.parents.has(key) ? 'domain' : 'skill');
  return {
    ...{ key, uri: readText(item.uri), kind },
    labels: isWanted && short !== '' ? { [language]: short } : {},
    altLabels: others.length === 0 ? {} : { [language]: others },
    description: notes.length === 0 ? {} : { [language]: notes.join(' ') },
    links: links.targets.get(key) ?? {},
    isWithdrawn: links.replaced.has(key),
  };
}
