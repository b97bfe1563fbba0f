import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  type ConceptRecord,
  type LearningObjectRecord,
  learningObjectRecord,
  type ProviderRecord,
  providerRecord,
} from '#adapters/catalog/catalog-schema';
import { mergeConceptParts } from '#adapters/catalog/concept-parts';
import { normalizeObjectAddress } from '#domain/learning-object';
import type { ImportedCatalog, ImportedRecord } from '#ports/imports';
import type { Catalog } from '../starter-catalog.ts';
import type { RecordFacts } from './records-file.ts';
import { type BuiltState, MOST_TOLD } from './version-files.ts';

/** A line of the file that stands between the store and the building of the index: first the dead addresses, then the
 *  records in the order in which they are given. */
export type ImportedLine = { readonly dead: string } | ImportedRecord;

/** A host answers between two such pieces. */
const WRITE_CHARS = 32 * 1024;

const READ_BYTES = 1024 * 1024;

export interface OverlayTarget {
  /** Each address once, whatever its spelling.
   *  @param address as addresses are compared */
  addObject(record: LearningObjectRecord, address: string, facts: RecordFacts): void;
  /** Each id once. */
  addConcept(record: ConceptRecord): void;
}

export interface Overlaid extends Omit<BuiltState, 'imports'> {
  /** Those of the starter, those that were imported, and those that nobody describes. */
  readonly providers: readonly ProviderRecord[];
  /** Imported records that were skipped because they do not fit their schema. */
  readonly skipped: number;
}

/** The starter catalogue with what was imported laid over it: a concept with the same id and an object at the same address take
 *  the place of the starter's, and a provider keeps what the imported one does not say.
 *  What was imported need not fit together: of objects at one address the first counts, a provider that nobody describes is made
 *  up from its id, and links to nothing are left to the engine, which passes them over. */
export function overlayCatalog(
  starter: Catalog,
  imported: Iterable<ImportedLine>,
  target: OverlayTarget,
): Overlaid {
  const layer = createLayer(starter, target);
  for (const line of imported) layer.put(line);
  return layer.finish();
}

function createLayer(starter: Catalog, target: OverlayTarget) {
  const providers = new Map(starter.providers.map((record) => [record.id, record]));
  const madeUp = new Set<string>();
  const covered: string[] = [];
  const starterConcepts = new Map(starter.concepts.map((record) => [record.id, record]));
  const addresses = new Set<string>();
  const replaced = new Set<string>();
  const dead = new Set<string>();
  let skipped = 0;

  function putObject(record: LearningObjectRecord, isImported: boolean): void {
    const address = normalizeObjectAddress(record.url);
    if (addresses.has(address)) {
      if (isImported && covered.length <= MOST_TOLD) covered.push(record.url);
      return;
    }
    addresses.add(address);
    if (!providers.has(record.provider)) madeUp.add(record.provider);
    target.addObject(record, address, { isImported, isDead: dead.has(record.url) });
  }

  /** @returns whether it could be used */
  function put({ kind, key, parts }: ImportedRecord): boolean {
    if (kind === 'provider') return layProviderOver(providers, { key, parts });
    if (kind === 'object') {
      const record = readImportedObject({ key, parts });
      if (record !== null) putObject(record, true);
      return record !== null;
    }
    const own = starterConcepts.get(key);
    const record = mergeConceptParts(key, parts) ?? (own && mergeConceptParts(key, [own, ...parts])) ?? null;
    if (record === null) return false;
    if (own !== undefined) replaced.add(key);
    target.addConcept(record);
    return true;
  }

  return {
    put(line: ImportedLine): void {
      if ('dead' in line) dead.add(line.dead);
      else if (!put(line)) skipped++;
    },
    finish(): Overlaid {
      for (const record of starter.objects) putObject(record, false);
      for (const record of starter.concepts) if (!replaced.has(record.id)) target.addConcept(record);
      const ids = [...madeUp].sort();
      return {
        providers: [...providers.values(), ...ids.map(makeUpProvider)],
        ...{ skipped, madeUp: ids },
        covered: covered.length > MOST_TOLD ? null : covered,
        dead: dead.size > MOST_TOLD ? null : [...dead],
      };
    },
  };
}

/** Null where it is none that can be used. */
export function readImportedObject({
  key,
  parts,
}: Pick<ImportedRecord, 'key' | 'parts'>): LearningObjectRecord | null {
  const record = learningObjectRecord.safeParse(parts[0]).data;
  return record?.url === key ? record : null;
}

/** @returns whether it could be used */
export function layProviderOver(
  providers: Map<string, ProviderRecord>,
  { key, parts }: Pick<ImportedRecord, 'key' | 'parts'>,
): boolean {
  const record = providerRecord.safeParse(parts[0]).data;
  if (record?.id !== key) return false;
  providers.set(key, layOver(record, providers.get(key)));
  return true;
}

/** Rows that name a provider only by its id have no other name for it. */
function layOver(record: ProviderRecord, before: ProviderRecord | undefined): ProviderRecord {
  const name = record.name === record.id ? before?.name : undefined;
  return { ...before, ...record, ...(name !== undefined && { name }) };
}

/** A provider that is known by its id alone. */
export function makeUpProvider(id: string): ProviderRecord {
  const words = id.replaceAll('-', ' ');
  return { id, name: words.charAt(0).toUpperCase() + words.slice(1) };
}

/** Write everything that was imported to a file. Requests are answered in between.
 *  Errors: those of the store and of writing; the signal's reason. */
export async function writeOverlayLines(
  path: string,
  imported: ImportedCatalog,
  signal: AbortSignal,
): Promise<void> {
  const file = await open(path, 'w');
  try {
    let text = '';
    for await (const line of readAllImported(imported)) {
      text += `${JSON.stringify(line)}\n`;
      if (text.length < WRITE_CHARS) continue;
      await file.writeFile(text);
      text = '';
      signal.throwIfAborted();
    }
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

async function* readAllImported(imported: ImportedCatalog): AsyncIterable<ImportedLine> {
  for await (const dead of imported.readDeadLinks()) yield { dead };
  yield* imported.read();
}

/** The lines of such a file, in order; only a piece of it is in memory at a time. */
export function* readOverlayLines(path: string): Iterable<ImportedLine> {
  const file = openSync(path, 'r');
  try {
    const block = Buffer.allocUnsafe(READ_BYTES);
    let rest = Buffer.alloc(0);
    for (;;) {
      const read = readSync(file, block);
      if (read === 0) return;
      const text = Buffer.concat([rest, block.subarray(0, read)]);
      let start = 0;
      for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, start)) {
        yield JSON.parse(text.toString('utf8', start, end)) as ImportedLine;
        start = end + 1;
      }
      rest = text.subarray(start);
    }
  } finally {
    closeSync(file);
  }
}
