import { SYNONYMS } from '#domain/catalog';
import type { ObjectFacts } from '#domain/object-facts';
import type { ImportedCatalog } from '#ports/imports';
import type { ImportEntry, ImportRepository, TaxonomyReport, TouchedConcept } from '#ports/store/store';
import { type EveryObjectChangeDeps, readEveryObjectChange } from '../every-record.ts';
import type { CompareOptions } from './compare.ts';
import { readEntriesInOrder } from './entry-order.ts';

/** The stores of objects, edits and synonyms that refer to concepts. */
export interface ReportDeps extends EveryObjectChangeDeps {
  readonly imports: Pick<ImportRepository, 'readEntries' | 'listLive'>;
  readonly importedCatalog: Pick<ImportedCatalog, 'read'>;
}

type Version = Pick<CompareOptions, 'importNumber' | 'live' | 'covers'>;

/** Limit of the concepts that are listed; all are counted. */
const MAX_LISTED = 500;
/** Limit of the labels and addresses in memory by which a successor is found. */
const MAX_NAMES = 1_000_000;

interface ConceptVersion {
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Keys of all labels, and `sameAs` addresses. */
  readonly names: readonly string[];
  readonly uri: string;
}

type Successor = Pick<TouchedConcept, 'key' | 'name'>;

/** Reports the concepts that a new version of a taxonomy renames or removes. A removed one is
 *  merged if another concept names it as the same, or takes its preferred label.
 *  @param pages live and new entries of the data set, in order, with bodies */
export async function reportTaxonomy(
  pages: AsyncIterable<readonly ImportEntry[]>,
  version: Version,
  deps: ReportDeps,
): Promise<TaxonomyReport> {
  const renamed: TouchedConcept[] = [];
  const withdrawn: ConceptVersion[] = [];
  const successors = new Map<string, Successor>();
  let renamedCount = 0;
  for await (const { before, after } of readConceptVersions(pages, version)) {
    if (before !== null && after === null) withdrawn.push(before);
    if (after === null) continue;
    const { key } = after;
    const newLabel = findNewLabel(before ?? after, after);
    const name = nameConcept(before ?? after);
    if (newLabel !== null && ++renamedCount <= MAX_LISTED)
      renamed.push({ fate: 'renamed', key, name, now: newLabel, into: null, ...untouched });
    const oldNames = new Set(before?.names);
    const successor = { key, name: newLabel ?? name };
    for (const newName of after.names)
      if (!oldNames.has(newName) && successors.size < MAX_NAMES) successors.set(newName, successor);
  }
  const removed = withdrawn.map((concept) => reportRemovedConcept(concept, successors));
  const merged = removed.filter(({ fate }) => fate === 'merged');
  const listed = [...removed.filter(({ fate }) => fate === 'withdrawn'), ...merged].slice(0, MAX_LISTED);
  const counts = { renamed: renamedCount, merged: merged.length, withdrawn: removed.length - merged.length };
  return { ...counts, concepts: [...(await addTouchedRecords(deps, withdrawn, listed)), ...renamed] };
}

/** Returns the new label in the first language in which it differs; null if none does. */
function findNewLabel({ labels }: ConceptVersion, after: ConceptVersion): string | null {
  const lang = Object.keys(labels).find((name) => (after.labels[name] ?? labels[name]) !== labels[name]);
  return (lang !== undefined && after.labels[lang]) || null;
}

const untouched = { objects: 0, edits: 0, synonyms: [] };

function reportRemovedConcept(concept: ConceptVersion, successors: ReadonlyMap<string, Successor>): TouchedConcept {
  const { key, uri, labels } = concept;
  const names = [key, uri, ...Object.entries(labels).map(([lang, text]) => writeLabelKey(lang, text))];
  const into = names.flatMap((name) => successors.get(name) ?? [])[0];
  const fate = into === undefined ? 'withdrawn' : 'merged';
  return { fate, key, name: nameConcept(concept), now: into?.name ?? null, into: into?.key ?? null, ...untouched };
}

const nameConcept = ({ labels }: ConceptVersion): string => labels.en ?? Object.values(labels)[0] ?? '';

/** Reads each concept in both versions; null in one that lacks it, or only links it. */
async function* readConceptVersions(pages: AsyncIterable<readonly ImportEntry[]>, version: Version) {
  let entries: ImportEntry[] = [];
  for await (const page of pages)
    for (const entry of page) {
      if (entries[0] !== undefined && entries[0].key !== entry.key) {
        yield toConceptVersions(entries, version);
        entries = [];
      }
      if (entry.kind === 'concept') entries.push(entry);
    }
  yield toConceptVersions(entries, version);
}

function toConceptVersions(entries: readonly ImportEntry[], { importNumber, live, covers }: Version) {
  const before = new Map<string, ImportEntry['body']>();
  const after = new Map<string, ImportEntry['body']>();
  for (const { part, state, body, importNumber: number } of entries) {
    if (live.has(number) && state !== 'seen') before.set(part, body);
    if (number === importNumber) after.set(part, state === 'seen' ? (before.get(part) ?? null) : body);
  }
  // Parts that the source does not cover stay.
  for (const [part, body] of before)
    if (!after.has(part) && !covers.some((name) => part.startsWith(name))) after.set(part, body);
  const key = entries[0]?.key ?? '';
  return { before: toVersion(key, before), after: toVersion(key, after) };
}

/** The compared fields of a part of a concept. */
interface ConceptBody {
  readonly labels?: Readonly<Record<string, string>>;
  readonly altLabels?: Readonly<Record<string, readonly string[]>>;
  readonly links?: { readonly sameAs?: readonly string[] };
  readonly uri?: string;
}

function toVersion(key: string, parts: ReadonlyMap<string, ImportEntry['body']>): ConceptVersion | null {
  const bodies = [...parts.values()].map((body): ConceptBody => body ?? {});
  const labels: Record<string, string> = {};
  const names: string[] = [];
  for (const { labels: preferred = {}, altLabels = {}, links = {} } of bodies) {
    for (const [lang, text] of Object.entries(preferred)) labels[lang] ??= text;
    for (const [lang, texts] of [...Object.entries(preferred), ...Object.entries(altLabels)])
      for (const text of [texts].flat()) names.push(writeLabelKey(lang, text));
    for (const key of links.sameAs ?? []) names.push(key);
  }
  const uri = bodies.find((body) => body.uri !== undefined)?.uri ?? '';
  return Object.keys(labels).length === 0 ? null : { key, labels, names, uri };
}

const writeLabelKey = (lang: string, text: string): string => `${lang} ${text.toLowerCase()}`;

/** Adds the objects that teach removed concepts, edits of such objects, and synonyms. */
async function addTouchedRecords(
  deps: ReportDeps,
  withdrawn: readonly ConceptVersion[],
  listed: readonly TouchedConcept[],
): Promise<readonly TouchedConcept[]> {
  if (listed.length === 0) return listed;
  const touches = new Map(listed.map(({ key }) => [key, { objects: 0, edits: 0, synonyms: new Set<string>() }]));
  const keyOf = new Map(withdrawn.filter(({ uri }) => uri !== '').map(({ key, uri }) => [uri, key]));
  const addTaught = ({ teaches }: ObjectFacts, field: 'objects' | 'edits') => {
    const keys = new Set(teaches?.map(({ uri = '' }) => keyOf.get(uri) ?? uri));
    for (const touched of [...keys].flatMap((key) => touches.get(key) ?? [])) touched[field] += 1;
  };
  for await (const { kind, parts } of deps.importedCatalog.read()) {
    // Concepts come after objects.
    if (kind === 'concept') break;
    addTaught((parts[0] ?? {}) as ObjectFacts, 'objects');
  }
  for await (const { state } of readEveryObjectChange(deps)) addTaught(state.fields as ObjectFacts, 'edits');
  const live = new Set((await deps.imports.listLive()).map(({ number }) => number));
  for await (const page of readEntriesInOrder(deps.imports, SYNONYMS, { withBodies: true }))
    for (const { key, body, importNumber } of page)
      for (const word of Object.values((live.has(importNumber) && (body as ConceptBody)?.altLabels) || {}).flat())
        touches.get(key)?.synonyms.add(word);
  return listed.map((concept) => {
    const { objects = 0, edits = 0, synonyms = [] } = touches.get(concept.key) ?? {};
    return { ...concept, objects, edits, synonyms: [...synonyms] };
  });
}
