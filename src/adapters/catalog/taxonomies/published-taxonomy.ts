import type { ImportSource } from '#ports/imports';
import type { ConceptLink, ConceptPart } from '../catalog-schema.ts';
import { isConceptId, readEscoConceptId, refuseConcept, toConcept, toConceptLinks } from '../concept-parts.ts';
import type { SourceFile } from '../files/source-file.ts';
import { hashText } from '../plain-text.ts';
import type { RowsOptions } from '../tables/open-table.ts';
import { codeOfAddress } from '../tables/open-taxonomy-source.ts';
import { joinRowOutcomes, leftOut, type Outcome, readEachRow, type SourceRow } from '../tables/row-reader.ts';
import { createTableSource } from '../tables/table-source.ts';

/** A concept as a published taxonomy has it. */
export interface PublishedConcept
  extends Required<Pick<ConceptPart, 'labels' | 'altLabels' | 'description'>>,
    Partial<Pick<ConceptPart, 'kind'>> {
  /** Its name in the file, by which links name it: an address, or a code. */
  readonly key: string;
  readonly uri: string;
  /** Keys of concepts of the file, or addresses of others. */
  readonly links: Readonly<Partial<Record<ConceptLink | 'narrower', readonly string[]>>>;
  /** Deprecated, or replaced by another one: it is not imported. */
  readonly isWithdrawn: boolean;
}

export interface PublishedTaxonomy {
  /** Empty where the file names none. */
  readonly title: string;
  readonly concepts: readonly PublishedConcept[];
}

/** The source of a taxonomy that is read as a whole before its first concept is given. */
export function createPublishedSource(
  file: SourceFile,
  options: RowsOptions & { readonly fingerprint: string },
  read: (signal: AbortSignal) => Promise<PublishedTaxonomy>,
): ImportSource {
  const { dataset, title, langs, name, fingerprint } = options;
  const table = {
    ...{ name: file.name, sizeBytes: file.sizeBytes, assertUnchanged: file.assertUnchanged },
    async *read(signal: AbortSignal): AsyncGenerator<SourceRow> {
      const taxonomy = await read(signal);
      const source = name ?? (taxonomy.title || title.replace(/\.\w{2,6}$/, ''));
      const write = createConceptWriter(taxonomy.concepts, { dataset, source });
      for (const [at, concept] of taxonomy.concepts.entries())
        yield { line: at + 1, endBytes: file.sizeBytes, fields: { outcome: write(concept) }, problem: null };
    },
  };
  return createTableSource({
    ...{ format: 'taxonomy', dataset, title, covers: [''] },
    fingerprint: `${fingerprint}:${name ?? ''}:${langs.join()}`,
    plans: [{ table, covers: '', createReader: () => readEachRow(({ fields }) => fields.outcome as Outcome) }],
  });
}

/** Writes concepts with ids in place of addresses. Addresses that the file does not describe stay
 *  as they are, and count once a taxonomy with them is imported. */
function createConceptWriter(
  concepts: readonly PublishedConcept[],
  { dataset, source }: { readonly dataset: string; readonly source: string },
): (concept: PublishedConcept) => Outcome {
  const ids = nameConcepts(concepts, dataset);
  const broader = invertNarrower(concepts);
  const idOf = (key: string): string => ids.get(key) ?? readEscoConceptId(key) ?? key;
  return (concept) => {
    const { key, uri, kind = 'skill', labels, altLabels, description, isWithdrawn } = concept;
    const id = idOf(key);
    const place = uri || key;
    if (isWithdrawn) return leftOut;
    if (Object.keys(labels).length === 0)
      return atPlace(refuseConcept(id, '', 'has no label: give it a preferred one'), place);
    const { narrower = [], ...links } = concept.links;
    const all = { ...links, broader: [...(links.broader ?? []), ...(broader.get(key) ?? [])] };
    const written = Object.entries(all).map(([link, keys]) => [link, [...new Set(keys.map(idOf))]] as const);
    const body = {
      ...{ source, kind, labels },
      ...(/^https?:\/\//i.test(uri) && URL.canParse(uri) && { uri }),
      ...withoutEmpty({ altLabels, description }),
      ...withoutEmpty({ links: Object.fromEntries(written.filter(([, targets]) => targets.length > 0)) }),
    };
    const elsewhere = narrower.filter((target) => !ids.has(target)).map(idOf);
    const below = elsewhere
      .filter(isConceptId)
      .map((target) => toConceptLinks(target, 'broader', { prefix: 'broader:', targets: [id] }));
    return atPlace(joinRowOutcomes([toConcept(id, '', body), ...below]), place);
  };
}

const atPlace = ({ parts, rejected = [] }: Outcome, place: string): Outcome => ({
  parts,
  rejected: rejected.map((row) => ({ ...row, place })),
});

const withoutEmpty = <T extends Readonly<Record<string, object>>>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value).length > 0)) as Partial<T>;

/** Ids by keys. Of several addresses with one ending, each has a part of its checksum. */
function nameConcepts(concepts: readonly PublishedConcept[], dataset: string): ReadonlyMap<string, string> {
  const codes = new Map(concepts.map(({ key }) => [key, readEscoConceptId(key) ?? `${dataset}:${codeOfKey(key)}`]));
  const times = new Map<string, number>();
  for (const id of codes.values()) times.set(id, (times.get(id) ?? 0) + 1);
  return new Map([...codes].map(([key, id]) => [key, times.get(id) === 1 ? id : `${id}-${hashText(key)}`]));
}

const codeOfKey = (key: string): string => codeOfAddress(URL.canParse(key) ? key : `urn:${encodeURIComponent(key)}`);

function invertNarrower(concepts: readonly PublishedConcept[]): ReadonlyMap<string, readonly string[]> {
  const broader: Partial<Record<string, string[]>> = Object.create(null);
  for (const { key, links } of concepts) for (const target of links.narrower ?? []) addToList(broader, target, key);
  return new Map(Object.entries(broader).map(([target, keys = []]) => [target, keys]));
}

/** Adds a value to the list of this name. */
export function addToList<K extends string, V>(lists: Partial<Record<K, V[]>>, name: K, value: V): void {
  const list = lists[name];
  if (list === undefined) lists[name] = [value];
  else list.push(value);
}
