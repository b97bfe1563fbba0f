import { createHash, type Hash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { normalizeObjectAddress } from '#domain/learning-object';
import { parseJson } from '#domain/text';
import { getOrAdd } from '#engine/maps';
import { AppError, type Problem } from '#errors';
import type { ImportedCatalog } from '#ports/imports';
import { projectRoot } from '#project-root';
import {
  type ConceptRecord,
  conceptRecord,
  type FieldRecord,
  fieldRecord,
  type LearningObjectRecord,
  learningObjectRecord,
  type PlaceRecord,
  type ProviderRecord,
  placeRecord,
  providerRecord,
} from '../catalog/catalog-schema.ts';
import { readEncoderFingerprint } from '../meaning/static-encoder.ts';
import { createTopics, type ObjectTopics, type Topics } from './topics/topics.ts';

/** The bundled records, in the folder `data`. */
export interface StarterCatalog {
  readonly objects: readonly LearningObjectRecord[];
  readonly providers: readonly ProviderRecord[];
  readonly concepts: readonly ConceptRecord[];
  readonly places: readonly PlaceRecord[];
  /** To browse by; empty for none. */
  readonly fields: readonly FieldRecord[];
}

/** The name of this project's own taxonomy, whose terms come first. */
export const STARTER_SOURCE = 'Skilldock';

/** Reads all records, and checks that they are consistent. Errors: CATALOG_INVALID. */
export function readStarterCatalog(folder: string): StarterCatalog {
  const catalog: StarterCatalog = {
    objects: readCatalogFolder(join(folder, 'objects'), learningObjectRecord),
    providers: readStarterProviders(folder),
    concepts: readStarterConcepts(folder),
    places: readStarterPlaces(folder),
    fields: readStarterFields(folder),
  };
  const problems = findCatalogInconsistencies(catalog);
  if (problems.length === 0) return catalog;
  const message = `The records of ${folder} do not fit together. Correct those named.`;
  throw new AppError('CATALOG_INVALID', message, { problems });
}

function readStarterProviders(folder: string): ProviderRecord[] {
  return readCatalogLines(join(folder, 'providers.jsonl'), providerRecord);
}

function readStarterConcepts(folder: string): ConceptRecord[] {
  return readCatalogFolder(join(folder, 'taxonomies'), conceptRecord);
}

function readStarterFields(folder: string): FieldRecord[] {
  const path = join(folder, 'fields.jsonl');
  return existsSync(path) ? readCatalogLines(path, fieldRecord) : [];
}

/** Errors: CATALOG_INVALID. */
export function readStarterPlaces(folder: string): PlaceRecord[] {
  return readCatalogLines(join(folder, 'places.jsonl'), placeRecord);
}

/** Returns the version of an index of this folder: the SHA-256, in hexadecimal digits, of the names
 *  and content of the data files, of the code that indexes them, and of the packages and word
 *  vectors that it uses. */
export function fingerprintStarterCatalog(folder: string): string {
  const hash = createHash('sha256');
  hashIndexedFiles(hash, folder, listCatalogFiles(folder));
  return hash.update(fingerprintIndexingCode()).digest('hex');
}

const sourceDir = join(import.meta.dirname, '..', '..');
/** The folders whose code decides what an index contains. */
export const indexingCode = [
  'contract',
  'engine',
  'domain',
  'adapters/catalog',
  'adapters/local',
  'adapters/meaning',
  'adapters/opensearch',
];
let codeFingerprint: string | undefined;

/** Fingerprints the running code, once: it stays the same even if its files are replaced. */
function fingerprintIndexingCode(): string {
  if (codeFingerprint !== undefined) return codeFingerprint;
  const hash = createHash('sha256');
  for (const part of indexingCode)
    hashIndexedFiles(hash, join(sourceDir, part), listFiles(join(sourceDir, part), /\.[jt]s$/));
  const { version, dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  hash.update(JSON.stringify({ version, dependencies }));
  hash.update(readEncoderFingerprint());
  codeFingerprint = hash.digest('hex');
  return codeFingerprint;
}

function hashIndexedFiles(hash: Hash, base: string, paths: readonly string[]): void {
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(join(base, path)));
}

function readCatalogFolder<T>(folder: string, schema: z.ZodType<T>): T[] {
  return listCatalogFiles(folder).flatMap((path) => readCatalogLines(join(folder, path), schema));
}

const MAX_PROBLEMS = 20;

function readCatalogLines<T>(path: string, schema: z.ZodType<T>): T[] {
  const text = explainReadErrors(path, () => readFileSync(path, 'utf8'));
  return parseCatalogLines(text, schema, { path, line: 1 });
}

/** Errors: CATALOG_INVALID with up to 20 problems, each with its line.
 *  @param place the file of the text, and the number of its first line there */
function parseCatalogLines<T>(text: string, schema: z.ZodType<T>, place: Pick<FilePart, 'path' | 'line'>): T[] {
  const { path, line: firstLine } = place;
  const records: T[] = [];
  const problems: Problem[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    if (problems.length >= MAX_PROBLEMS) break;
    const record = parseJson(line);
    const parsed = schema.safeParse(record);
    if (parsed.success) records.push(parsed.data);
    else {
      const { path: field = [], message = '' } = parsed.error.issues[0] ?? {};
      const problem = record === undefined ? 'is not JSON' : `${field.join('.') || 'record'}: ${message}`;
      problems.push({ path: `${path}:${firstLine + i}`, problem });
    }
  }
  if (problems.length === 0) return records;
  const message = `${path} has records that cannot be used. Correct the lines named.`;
  throw new AppError('CATALOG_INVALID', message, { problems });
}

/** Errors: CATALOG_INVALID if the file or folder cannot be read. */
function explainReadErrors<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new AppError('CATALOG_INVALID', `The catalogue at ${path} cannot be read. Check that it is there.`, {
      cause,
      problems: [{ path, problem: `cannot be read (${code})` }],
    });
  }
}

const listCatalogFiles = (folder: string): string[] => explainReadErrors(folder, () => listFiles(folder, /\.jsonl$/));

/** Paths have `/` on every system, so that an index from Linux fits the same files on Windows. */
function listFiles(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

function findCatalogInconsistencies({ objects, providers, concepts, fields }: StarterCatalog): Problem[] {
  const providerIds = new Set(providers.map(({ id }) => id));
  const conceptIds = new Set(concepts.map(({ id }) => id));
  const addresses = objects.map(({ url }) => ({ id: url }));
  return [
    ...findRepeatedIds('provider id', providers),
    ...findRepeatedIds('object address', addresses),
    ...findRepeatedIds('concept id', concepts),
    ...findRepeatedIds('field', fields),
    ...fields.flatMap((field) =>
      field.concepts
        .filter((id) => !conceptIds.has(id))
        .map((id) => ({ path: field.id, problem: `names the concept "${id}", which does not exist` })),
    ),
    ...objects
      .filter(({ provider }) => !providerIds.has(provider))
      .map(({ url, provider }) => ({ path: url, problem: `there is no provider "${provider}"` })),
    ...concepts.flatMap(({ id, links }) =>
      Object.values(links)
        .flatMap((targets) => targets ?? [])
        .filter((target) => !conceptIds.has(target))
        .map((target) => ({ path: id, problem: `links to "${target}", which does not exist` })),
    ),
  ];
}

function findRepeatedIds(kind: string, records: readonly { readonly id: string }[]): Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const { id } of records) {
    if (seen.has(id)) problems.push({ path: id, problem: `this ${kind} is used twice` });
    seen.add(id);
  }
  return problems;
}

/** Topics come only from this project's taxonomy: its labels are clear and in several languages. */
export function createStarterTopics({ concepts, fields }: Pick<StarterCatalog, 'concepts' | 'fields'>): Topics {
  return createTopics(
    concepts.filter(({ source }) => source === STARTER_SOURCE),
    fields,
  );
}

/** Reads the parts of the catalogue that an overlay of imports needs, each on first use; of the
 *  objects, it keeps only their places in the files. Errors: CATALOG_INVALID. */
export type StarterReader = ReturnType<typeof createStarterReader>;

export function createStarterReader(folder: string) {
  const objects = join(folder, 'objects');
  let places: ReadonlyMap<string, FilePart> | undefined;
  let topics: Topics | undefined;
  const openTopics = () =>
    (topics ??= createStarterTopics({ concepts: readStarterConcepts(folder), fields: readStarterFields(folder) }));
  return {
    listProviders: (): readonly ProviderRecord[] => readStarterProviders(folder),
    /** @param address normalized */
    findObject(address: string): LearningObjectRecord | null {
      places ??= locateStarterObjects(objects);
      const place = places.get(address);
      if (place === undefined) return null;
      const record = readObjectAt(place, address);
      if (record !== null) return record;
      // An upgrade replaced the files while the host runs.
      places = locateStarterObjects(objects);
      const newPlace = places.get(address);
      return newPlace === undefined ? null : readObjectAt(newPlace, address);
    },
    findTopics: (record: LearningObjectRecord): ObjectTopics => openTopics().find(record),
    /** Reads the parts that would delay the first small import. */
    prepare: (): void => void openTopics(),
  };
}

type CatalogAddressesOptions = { readonly catalogDir: string; readonly imported: ImportedCatalog };

/** Lists every address once, in the spelling that is searched: as in a build, imported objects
 *  precede those of the starter catalogue. Errors: CATALOG_INVALID, those of the store. */
export async function* listCatalogAddresses(options: CatalogAddressesOptions): AsyncIterable<string> {
  const seen = new Set<string>();
  for await (const url of listCatalogUrls(options)) {
    const address = normalizeObjectAddress(url);
    if (!seen.has(address)) yield url;
    seen.add(address);
  }
}

/** The schema for the address alone: checking whole records would take a second. */
const addressOfRecord = z.object({ url: z.string() });

/** A line of a file. */
interface FilePart {
  readonly path: string;
  /** The range of its bytes, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Its number, from 1. */
  readonly line: number;
}

/** Finds the lines of objects by normalized address. Of several objects at one address the first
 *  wins, as in a build. */
function locateStarterObjects(folder: string): ReadonlyMap<string, FilePart> {
  const places = new Map<string, FilePart>();
  for (const path of listCatalogFiles(folder).map((name) => join(folder, name))) {
    const bytes = explainReadErrors(path, () => readFileSync(path));
    for (let start = 0, end: number, line = 1; start < bytes.length; start = end + 1, line++) {
      end = bytes.indexOf('\n', start);
      if (end < 0) end = bytes.length;
      const place = { path, start, end, line };
      const address = readLineAddress(bytes.toString('utf8', start, end));
      if (address !== null) getOrAdd(places, address, () => place);
    }
  }
  return places;
}

/** @returns null if the place does not hold the object of the address any more */
function readObjectAt(place: FilePart, address: string): LearningObjectRecord | null {
  const { path, start, end } = place;
  if (!existsSync(path)) return null;
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(end - start);
    readSync(file, bytes, 0, bytes.length, start);
    const line = bytes.toString();
    if (readLineAddress(line) !== address) return null;
    return parseCatalogLines(line, learningObjectRecord, place)[0] ?? null;
  } finally {
    closeSync(file);
  }
}

function readLineAddress(line: string): string | null {
  const { data } = addressOfRecord.safeParse(parseJson(line));
  return data === undefined ? null : normalizeObjectAddress(data.url);
}

async function* listCatalogUrls({ catalogDir, imported }: CatalogAddressesOptions): AsyncGenerator<string> {
  for await (const { kind, key } of imported.read()) {
    // Concepts come last, and there may be very many.
    if (kind === 'concept') break;
    if (kind === 'object') yield key;
  }
  const folder = join(catalogDir, 'objects');
  for (const path of listCatalogFiles(folder)) {
    // Requests are answered between two files.
    await setImmediate();
    for (const { url } of readCatalogLines(join(folder, path), addressOfRecord)) yield url;
  }
}
