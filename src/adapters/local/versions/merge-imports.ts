import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ConceptRecord, LearningObjectRecord, ProviderRecord } from '#adapters/catalog/catalog-schema';
import { learningObjectRecord, providerRecord } from '#adapters/catalog/catalog-schema';
import { mergeConceptParts } from '#adapters/catalog/concept-parts';
import { normalizeObjectAddress } from '#domain/learning-object';
import type { ImportedCatalog, ImportedRecord } from '#ports/imports';
import type { StarterCatalog } from '../starter-catalog.ts';
import type { RecordFlags } from './records-file.ts';
import { type BuiltState, MAX_COMPARED } from './version-files.ts';

/** A line of the file that passes imports from the store to the thread that builds an index: first
 *  the dead addresses, then the records in the order of `ImportedCatalog.read`. */
export type ImportedLine = { readonly dead: string } | ImportedRecord;

interface MergeTarget {
  /** Called once for each address. @param address normalized */
  addObject(record: LearningObjectRecord, address: string, flags: RecordFlags): void;
  /** Called once for each id. */
  addConcept(record: ConceptRecord): void;
}

/** Merges the imports into the starter catalogue. An imported concept or object replaces the one
 *  with the same id or address; an imported provider takes missing fields from the starter
 *  catalogue. Imports need not be consistent: of objects at one address the first wins, a provider
 *  without a record is described from its id, and links to missing concepts are ignored.
 *  @returns the providers of the starter catalogue, imported ones, and those without a record;
 *  `skipped` is the number of invalid imported records */
export function mergeImports(starter: StarterCatalog, imported: Iterable<ImportedLine>, target: MergeTarget) {
  const merge = startMerge(starter, target);
  let skipped = 0;
  for (const line of imported) {
    if ('dead' in line) merge.dead.add(line.dead);
    else if (!mergeImportedRecord(merge, line)) skipped++;
  }
  for (const record of starter.objects) mergeImportedObject(merge, record, { isImported: false });
  for (const record of merge.starterConcepts.values()) target.addConcept(record);
  const undescribedProviders = [...merge.undescribed].sort();
  const { duplicates, dead } = merge;
  const state: Omit<BuiltState, 'imports'> = {
    undescribedProviders,
    duplicates: duplicates.length > MAX_COMPARED ? null : duplicates,
    dead: dead.size > MAX_COMPARED ? null : [...dead],
  };
  return {
    state,
    providers: [...merge.providers.values(), ...undescribedProviders.map(describeProviderFromId)],
    skipped,
  };
}

type Merge = ReturnType<typeof startMerge>;

function startMerge(starter: StarterCatalog, target: MergeTarget) {
  return {
    target,
    providers: new Map(starter.providers.map((record) => [record.id, record])),
    undescribed: new Set<string>(),
    duplicates: [] as string[],
    starterConcepts: new Map(starter.concepts.map((record) => [record.id, record])),
    addresses: new Set<string>(),
    dead: new Set<string>(),
  };
}

function mergeImportedRecord(merge: Merge, imported: ImportedRecord): boolean {
  const { kind, key, parts } = imported;
  if (kind === 'provider') return mergeImportedProvider(merge.providers, imported);
  if (kind === 'object') {
    const record = readImportedObject(imported);
    if (record !== null) mergeImportedObject(merge, record, { isImported: true });
    return record !== null;
  }
  const starter = merge.starterConcepts.get(key);
  const record = mergeConceptParts(key, parts) ?? (starter && mergeConceptParts(key, [starter, ...parts]));
  if (!record) return false;
  merge.starterConcepts.delete(key);
  merge.target.addConcept(record);
  return true;
}

function mergeImportedObject(
  { addresses, duplicates, providers, undescribed, dead, target }: Merge,
  record: LearningObjectRecord,
  { isImported }: Pick<RecordFlags, 'isImported'>,
): void {
  const address = normalizeObjectAddress(record.url);
  if (addresses.has(address)) {
    if (isImported && duplicates.length <= MAX_COMPARED) duplicates.push(record.url);
    return;
  }
  addresses.add(address);
  if (!providers.has(record.provider)) undescribed.add(record.provider);
  target.addObject(record, address, { isImported, isDead: dead.has(record.url) });
}

/** @returns null for an invalid record */
export function readImportedObject({ key, parts }: Pick<ImportedRecord, 'key' | 'parts'>): LearningObjectRecord | null {
  const record = learningObjectRecord.safeParse(parts[0]).data;
  return record?.url === key ? record : null;
}

/** @returns whether the record is valid */
export function mergeImportedProvider(
  providers: Map<string, ProviderRecord>,
  { key, parts }: Pick<ImportedRecord, 'key' | 'parts'>,
): boolean {
  const record = providerRecord.safeParse(parts[0]).data;
  if (record?.id !== key) return false;
  const existing = providers.get(key);
  // Rows that name a provider only by its id have no other name for it.
  const name = record.name === record.id ? existing?.name : undefined;
  providers.set(key, { ...existing, ...record, ...(name !== undefined && { name }) });
  return true;
}

/** Makes a name of the id: `open-learn` is "Open learn". */
export function describeProviderFromId(id: string): ProviderRecord {
  const words = id.replaceAll('-', ' ');
  return { id, name: words.charAt(0).toUpperCase() + words.slice(1) };
}

/** Characters that are written before other requests are answered. */
const WRITE_CHARS = 32 * 1024;

/** Writes the dead addresses and the records of all imports to a file. Errors: those of the
 *  store and of writing; the reason of the signal. */
export async function writeImportedLines(path: string, imported: ImportedCatalog, signal: AbortSignal): Promise<void> {
  const file = await open(path, 'w');
  try {
    let text = '';
    for await (const line of readLinesToMerge(imported)) {
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

async function* readLinesToMerge(imported: ImportedCatalog): AsyncIterable<ImportedLine> {
  for await (const dead of imported.readDeadLinks()) yield { dead };
  yield* imported.read();
}

const READ_BYTES = 1024 * 1024;

/** Reads a part of the file at a time, to save memory. */
export function* readImportedLines(path: string): Iterable<ImportedLine> {
  const file = openSync(path, 'r');
  try {
    const block = Buffer.allocUnsafe(READ_BYTES);
    let unfinishedLine = Buffer.alloc(0);
    for (;;) {
      const bytesRead = readSync(file, block);
      if (bytesRead === 0) return;
      const text = Buffer.concat([unfinishedLine, block.subarray(0, bytesRead)]);
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        yield JSON.parse(text.toString('utf8', start, end)) as ImportedLine;
        start = end + 1;
      }
      unfinishedLine = text.subarray(start);
    }
  } finally {
    closeSync(file);
  }
}
