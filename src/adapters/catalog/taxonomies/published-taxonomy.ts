import type { ImportSource } from '#ports/imports';
import { readEscoConceptId, refuseConcept, toConcept, toConceptAltLabels } from '../concept-parts.ts';
import { readSourceHeadText, type SourceFile } from '../files/source-file.ts';
import type { SourceFiles } from '../files/source-files.ts';
import { hashText } from '../plain-text.ts';
import type { RowsOptions } from '../tables/open-table.ts';
import { linkNames, readCodeOfAddress, readTaxonomyConceptKind } from '../tables/open-taxonomy-source.ts';
import { leftOut, type RowOutcome, readEachRow, type SourceRow } from '../tables/row-reader.ts';
import { createTableSource } from '../tables/table-source.ts';
import { isCasePackage, readCasePackage } from './case.ts';
import { findRdfSyntax } from './rdf.ts';
import { readSkos } from './skos.ts';
import type { PublishedTaxonomy, ReadOptions, Statements, Term } from './statements.ts';
import { addToList } from './statements.ts';

const READABLE = /\.(?:ttl|turtle|nt|n3|rdf|owl|skos|xml|jsonld|json)$/i;

/** Opens SKOS (Turtle, RDF/XML, JSON-LD) or a CASE package. Null if the source is neither. */
export async function openPublishedSource(
  { files, fingerprint }: SourceFiles,
  options: RowsOptions,
): Promise<ImportSource | null> {
  const readable = files.length === 1 ? files : files.filter(({ name }) => READABLE.test(name));
  const [file] = readable;
  if (file === undefined || readable.length > 1) return null;
  const read = await findTaxonomyReader(file);
  if (read === null) return null;
  const { dataset, title, langs, name } = options;
  const table = {
    file,
    async *read(signal: AbortSignal): AsyncGenerator<SourceRow> {
      const taxonomy = await read({ langs, signal });
      const source = name ?? (taxonomy.title || title.replace(/\.\w{2,6}$/, ''));
      const write = createPublishedConceptWriter(taxonomy, { dataset, source });
      let line = 0;
      for (const [key, statements] of taxonomy.concepts)
        yield { line: ++line, endBytes: file.sizeBytes, fields: { outcome: write(key, statements) }, problem: null };
    },
  };
  return createTableSource({
    format: 'taxonomy',
    dataset,
    title,
    covers: [''],
    fingerprint: `${fingerprint}:${name ?? ''}:${langs.join()}`,
    plans: [{ table, covers: '', createReader: () => readEachRow(({ fields }) => fields.outcome as RowOutcome) }],
  });
}

type Reader = (options: ReadOptions) => Promise<PublishedTaxonomy>;

async function findTaxonomyReader(file: SourceFile): Promise<Reader | null> {
  const head = await readSourceHeadText(file);
  const syntax = findRdfSyntax(file, head);
  if (syntax !== null) return (options) => readSkos(file, syntax, options);
  return isCasePackage(head) ? (options) => readCasePackage(file, options) : null;
}

/** Returns a function that makes a part from the statements about a concept. */
function createPublishedConceptWriter(
  { concepts }: PublishedTaxonomy,
  { dataset, source }: { readonly dataset: string; readonly source: string },
): (key: string, statements: Statements) => RowOutcome {
  const ids = namePublishedConcepts([...concepts.keys()], dataset);
  const idOf = (key: string): string => ids.get(key) ?? readEscoConceptId(key) ?? key;
  return (key, statements) => {
    const { label = [], description = [], type, uri = [], deprecated = [], replaced = [] } = statements;
    if (replaced.length > 0 || deprecated.some(({ value }) => /^(?:true|1)$/i.test(value))) return leftOut;
    const id = idOf(key);
    const address = uri[0]?.value ?? key;
    const links = linkNames.flatMap((link) => {
      const keys = (statements[link] ?? []).map(({ value }) => value).filter((value) => !value.startsWith('_:'));
      return keys.length === 0 ? [] : [[link, [...new Set(keys.map(idOf))]] as const];
    });
    const linksOnly = { links: Object.fromEntries(links) };
    const labels = keepFirstOfLanguage(label);
    const body = {
      source,
      kind: findPublishedKind(type),
      labels,
      description: keepFirstOfLanguage(description),
      ...linksOnly,
      ...(/^https?:\/\//i.test(address) && URL.canParse(address) && { uri: address }),
      altLabels: readPublishedAltLabels(statements, labels),
    };
    const isNameless = label.length === 0 && type !== undefined;
    const { parts, rejected = [] } = isNameless
      ? refuseConcept(id, '', 'has no label: give it a preferred one')
      : toConcept(id, '', type === undefined ? linksOnly : body);
    return { parts, rejected: rejected.map((row) => ({ ...row, place: address })) };
  };
}

function keepFirstOfLanguage(terms: readonly Term[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { lang = '', value } of terms) texts[lang] ??= value;
  return texts;
}

function readPublishedAltLabels({ label = [], altLabel = [], code = [] }: Statements, labels: Record<string, string>) {
  const textsByLang: Partial<Record<string, string[]>> = {};
  for (const { lang = '', value } of [...label, ...altLabel]) addToList(textsByLang, lang, value);
  // `A` and `1.2` would be found in any text.
  const distinctiveCodes = code.filter(({ value }) => value.length >= 5 && /\d/.test(value) && /\p{L}/u.test(value));
  for (const { value } of distinctiveCodes) addToList(textsByLang, label[0]?.lang ?? '', value);
  const lists = Object.entries(textsByLang).map(([lang, list = []]) =>
    toConceptAltLabels(lang, list, labels[lang] ?? ''),
  );
  return Object.assign({}, ...lists.map(({ altLabels }) => altLabels)) as Record<string, string[]>;
}

function findPublishedKind(type: readonly Term[] = []) {
  const kinds = type.map(({ value }) => value.replace(/^.*[#/]/, '')).map(readTaxonomyConceptKind);
  return kinds.find((kind) => kind === 'topic') ?? kinds.find((kind) => kind !== null) ?? 'skill';
}

/** Gives each key an id. Ids of several addresses with one ending have a part of a hash. */
function namePublishedConcepts(keys: readonly string[], dataset: string): ReadonlyMap<string, string> {
  const codeOf = (key: string) => readCodeOfAddress(URL.canParse(key) ? key : `urn:${encodeURIComponent(key)}`);
  const ids = new Map(keys.map((key) => [key, readEscoConceptId(key) ?? `${dataset}:${codeOf(key)}`]));
  const times = new Map<string, number>();
  for (const id of ids.values()) times.set(id, (times.get(id) ?? 0) + 1);
  return new Map([...ids].map(([key, id]) => [key, times.get(id) === 1 ? id : `${id}-${hashText(key)}`]));
}
