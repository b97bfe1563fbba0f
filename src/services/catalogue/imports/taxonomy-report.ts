import { type CatalogKind, SYNONYMS } from '#domain/catalog';
import type { ObjectFacts } from '#domain/object-facts';
import {
  EVERY_TENANT,
  type ImportEntry,
  type ImportRepository,
  type ObjectChange,
  type ObjectLayerRepository,
  type TaxonomyReport,
  type TenantRepository,
  type TouchedConcept,
} from '#ports/store/store';
import { readEveryItemAfter } from '#services/host/every-item';
import { readEntriesInOrder } from './entry-order.ts';

type Body = Readonly<Record<string, unknown>>;

/** The stores of objects, edits and synonyms that refer to concepts. */
export interface TouchDeps {
  readonly imports: Pick<ImportRepository, 'readEntries' | 'listLive'>;
  readonly objectLayers: Pick<ObjectLayerRepository, 'readObjectChanges'>;
  readonly tenants: Pick<TenantRepository, 'listTenantIds'>;
}

interface Version {
  readonly importNumber: number;
  readonly live: ReadonlySet<number>;
  readonly covers: readonly string[];
}

/** Concepts that are listed; all are counted. */
const MAX_LISTED = 500;
/** Labels and addresses in memory, by which a successor is found. */
const MAX_NAMES = 1_000_000;
const BATCH = 500;

interface ConceptVersion {
  readonly labels: Readonly<Record<string, string>>;
  /** Labels of all kinds, and `sameAs` addresses. */
  readonly names: readonly string[];
  readonly uri: string;
}

interface Withdrawn extends ConceptVersion {
  readonly key: string;
}

/** Compares two versions of a taxonomy by concept: renamed and removed ones. A removed one is
 *  merged where another concept names it as the same, or takes its preferred label.
 *  @param pages live and new entries of the data set, in order, with bodies */
export async function reportTaxonomy(
  pages: AsyncIterable<readonly ImportEntry[]>,
  version: Version,
  deps: TouchDeps,
): Promise<TaxonomyReport> {
  const renamed: TouchedConcept[] = [];
  const withdrawn: Withdrawn[] = [];
  const successors = new Map<string, Pick<TouchedConcept, 'key' | 'name'>>();
  let renamedCount = 0;
  for await (const { key, before, after } of readConcepts(pages, version)) {
    const name = nameOf(before ?? after, key);
    if (before !== null && after === null) withdrawn.push({ ...before, key });
    if (after === null) continue;
    const now = before === null ? null : findNewName(before, after);
    if (now !== null && ++renamedCount <= MAX_LISTED)
      renamed.push({ ...{ fate: 'renamed', key, name, now, into: null }, ...untouched });
    const old = new Set(before?.names);
    const into = { key, name: now ?? name };
    for (const each of after.names) if (!old.has(each) && successors.size < MAX_NAMES) successors.set(each, into);
  }
  const gone = withdrawn.map((concept) => toGone(concept, successors));
  const listed = gone
    .toSorted((a, b) => Number(a.fate === 'merged') - Number(b.fate === 'merged'))
    .slice(0, MAX_LISTED);
  const touched = await findTouched(deps, withdrawn, listed);
  const merged = gone.filter(({ fate }) => fate === 'merged').length;
  return { renamed: renamedCount, merged, withdrawn: gone.length - merged, concepts: [...touched, ...renamed] };
}

const untouched = { objects: 0, edits: 0, synonyms: [] };

function toGone(
  concept: Withdrawn,
  successors: ReadonlyMap<string, Pick<TouchedConcept, 'key' | 'name'>>,
): TouchedConcept {
  const { key, uri, labels } = concept;
  const names = [key, uri, ...Object.entries(labels).map(([lang, text]) => writeName(lang, text))];
  const into = names.flatMap((each) => successors.get(each) ?? [])[0];
  const fate = into === undefined ? 'withdrawn' : 'merged';
  return { fate, key, name: nameOf(concept, key), now: into?.name ?? null, into: into?.key ?? null, ...untouched };
}

const nameOf = (version: ConceptVersion | null, key: string): string =>
  version?.labels.en ?? Object.values(version?.labels ?? {})[0] ?? key;

/** The label of the first language in which it differs; null where all stay. */
function findNewName({ labels: before }: ConceptVersion, { labels: after }: ConceptVersion): string | null {
  const lang = Object.keys(before).find((each) => after[each] !== undefined && after[each] !== before[each]);
  return (lang !== undefined && after[lang]) || null;
}

interface ComparedConcept {
  readonly key: string;
  readonly before: ConceptVersion | null;
  readonly after: ConceptVersion | null;
}

async function* readConcepts(
  pages: AsyncIterable<readonly ImportEntry[]>,
  version: Version,
): AsyncGenerator<ComparedConcept, undefined> {
  let entries: ImportEntry[] = [];
  for await (const page of pages)
    for (const entry of page) {
      if (entry.kind !== 'concept') continue;
      const [first] = entries;
      if (first !== undefined && first.key !== entry.key) {
        yield compareConcept(entries, version);
        entries = [];
      }
      entries.push(entry);
    }
  if (entries.length > 0) yield compareConcept(entries, version);
  return undefined;
}

function compareConcept(entries: readonly ImportEntry[], { importNumber, live, covers }: Version): ComparedConcept {
  const before = new Map<string, Body | null>();
  const after = new Map<string, Body | null>();
  for (const { part, state, body, importNumber: number } of entries) {
    if (live.has(number) && state !== 'seen') before.set(part, body);
    if (number === importNumber) after.set(part, state === 'seen' ? (before.get(part) ?? null) : body);
  }
  // Parts that the source does not cover stay.
  for (const [part, body] of before)
    if (!after.has(part) && !covers.some((name) => part.startsWith(name))) after.set(part, body);
  return { key: entries[0]?.key ?? '', before: toVersion(before), after: toVersion(after) };
}

function toVersion(parts: ReadonlyMap<string, Body | null>): ConceptVersion | null {
  const labels: Record<string, string> = {};
  const names: string[] = [];
  let uri = '';
  for (const body of parts.values()) {
    const {
      altLabels = {},
      links = {},
      ...fields
    } = (body ?? {}) as {
      readonly labels?: Readonly<Record<string, string>>;
      readonly altLabels?: Readonly<Record<string, readonly string[]>>;
      readonly links?: { readonly sameAs?: readonly string[] };
      readonly uri?: string;
    };
    uri ||= fields.uri ?? '';
    for (const [lang, text] of Object.entries(fields.labels ?? {})) {
      labels[lang] ??= text;
      names.push(writeName(lang, text));
    }
    for (const [lang, list] of Object.entries(altLabels)) for (const text of list) names.push(writeName(lang, text));
    names.push(...(links.sameAs ?? []));
  }
  return Object.keys(labels).length === 0 ? null : { labels, names, uri };
}

const writeName = (lang: string, text: string): string => `${lang} ${text.toLowerCase()}`;

interface Touches {
  objects: number;
  edits: number;
  readonly synonyms: string[];
}

/** Adds the objects that teach removed concepts, edits of such objects, and synonyms. */
async function findTouched(
  deps: TouchDeps,
  withdrawn: readonly Withdrawn[],
  listed: readonly TouchedConcept[],
): Promise<readonly TouchedConcept[]> {
  if (listed.length === 0) return listed;
  const touches = new Map(listed.map(({ key }): [string, Touches] => [key, { objects: 0, edits: 0, synonyms: [] }]));
  const keyOf = new Map(withdrawn.flatMap(({ key, uri }) => [[key, key] as const, [uri, key] as const]));
  const findTaught = ({ teaches }: ObjectFacts): readonly Touches[] => {
    const keys = new Set((teaches ?? []).map(({ uri = '' }) => keyOf.get(uri) ?? ''));
    return [...keys].flatMap((key) => touches.get(key) ?? []);
  };
  const live = await deps.imports.listLive();
  const numbers = new Set(live.map(({ number }) => number));
  for (const dataset of new Set(live.map((each) => each.dataset))) {
    const kind = dataset === SYNONYMS ? 'concept' : 'object';
    for await (const { key, body } of readLive(deps, { dataset, kind, live: numbers }))
      if (kind === 'object') for (const each of findTaught(body as ObjectFacts)) each.objects += 1;
      else touches.get(key)?.synonyms.push(...Object.values(Object(body.altLabels) as Record<string, string[]>).flat());
  }
  for await (const { state } of readEdits(deps))
    for (const each of findTaught(state.fields as ObjectFacts)) each.edits += 1;
  return listed.map((concept) => ({ ...concept, ...touches.get(concept.key) }));
}

interface LiveReading {
  readonly dataset: string;
  readonly kind: CatalogKind;
  readonly live: ReadonlySet<number>;
}

/** The live parts of one kind in a data set. */
async function* readLive(
  { imports }: TouchDeps,
  { dataset, kind, live }: LiveReading,
): AsyncGenerator<{ readonly key: string; readonly body: Body }, undefined> {
  let last: ImportEntry | null = null;
  for await (const page of readEntriesInOrder(imports, dataset, { withBodies: true })) {
    for (const entry of page) {
      if (entry.kind !== kind || !live.has(entry.importNumber) || entry.state === 'seen') continue;
      const isNext = last !== null && (last.key !== entry.key || last.part !== entry.part);
      if (isNext && last?.body) yield { key: last.key, body: last.body };
      last = entry;
    }
    // The concepts of a taxonomy come after objects, and are many.
    if (kind === 'object' && page.at(-1)?.kind === 'concept') break;
  }
  if (last?.body) yield { key: last.key, body: last.body };
  return undefined;
}

async function* readEdits({ objectLayers, tenants }: TouchDeps): AsyncGenerator<ObjectChange, undefined> {
  const tenantIds = [...(await tenants.listTenantIds('active')), ...(await tenants.listTenantIds('disabled'))];
  for (const tenantId of [EVERY_TENANT, ...tenantIds])
    yield* readEveryItemAfter<ObjectChange>((last) =>
      objectLayers.readObjectChanges(tenantId, last?.address ?? null, BATCH),
    );
  return undefined;
}
