import { createHash, type Hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeObjectAddress } from '#domain/learning-object';
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
import { readJsonLines, readOrExplain } from '../catalog/read-json-lines.ts';
import { readEncoderFingerprint } from '../meaning/static-encoder.ts';

interface ObjectAddressesOptions {
  /** Folder of the starter catalogue. */
  readonly catalogDir: string;
  readonly imported: ImportedCatalog;
}

/** Ending of the code that runs, compiled or not. */
const src = join(import.meta.dirname, '..', '..');
/** Code that decides what is in an index. */
export const indexingCode = [
  'engine',
  'domain',
  ...['catalog', 'local', 'meaning', 'opensearch'].map((name) => `adapters/${name}`),
];

/** Everything the local service answers from. */
export interface Catalog {
  readonly objects: readonly LearningObjectRecord[];
  readonly providers: readonly ProviderRecord[];
  readonly concepts: readonly ConceptRecord[];
  readonly places: readonly PlaceRecord[];
  /** Empty where objects cannot be browsed by field. */
  readonly fields: readonly FieldRecord[];
}

/** Read the JSON Lines files of a data folder and check that they fit together.
 *  Errors: CATALOG_INVALID. */
export function readCatalog(folder: string): Catalog {
  const catalog: Catalog = {
    objects: readCatalogObjects(folder),
    providers: readCatalogProviders(folder),
    concepts: readCatalogConcepts(folder),
    places: readCatalogPlaces(folder),
    fields: readCatalogFields(folder),
  };
  const problems = findMisfits(catalog);
  if (problems.length > 0) {
    throw new AppError(
      'CATALOG_INVALID',
      `The records of ${folder} do not fit together. Correct those named.`,
      { problems },
    );
  }
  return catalog;
}

/** Errors: CATALOG_INVALID. */
export function readCatalogObjects(folder: string): LearningObjectRecord[] {
  return readAll(join(folder, 'objects'), learningObjectRecord);
}

/** Errors: CATALOG_INVALID. */
export function readCatalogProviders(folder: string): ProviderRecord[] {
  return readJsonLines(join(folder, 'providers.jsonl'), providerRecord);
}

/** Errors: CATALOG_INVALID. */
export function readCatalogConcepts(folder: string): ConceptRecord[] {
  return readAll(join(folder, 'taxonomies'), conceptRecord);
}

/** Errors: CATALOG_INVALID. */
export function readCatalogFields(folder: string): FieldRecord[] {
  const path = join(folder, 'fields.jsonl');
  return existsSync(path) ? readJsonLines(path, fieldRecord) : [];
}

/** Errors: CATALOG_INVALID. */
export function readCatalogPlaces(folder: string): PlaceRecord[] {
  return readJsonLines(join(folder, 'places.jsonl'), placeRecord);
}

/** SHA-256 over the names and bytes of the data files, of the code that indexes them, and of the packages and word vectors that it
 *  uses: after a change of any an index must be rebuilt. */
export function fingerprintCatalog(folder: string): string {
  const hash = createHash('sha256');
  addFiles(hash, folder, listJsonLines(folder));
  return hash.update(fingerprintOfCode()).digest('hex');
}

let ofCode: string | undefined;

/** Read only once: what this process runs stays the same even if its files are replaced. */
function fingerprintOfCode(): string {
  if (ofCode !== undefined) return ofCode;
  const hash = createHash('sha256');
  for (const part of indexingCode) addFiles(hash, join(src, part), listFiles(join(src, part), /\.[jt]s$/));
  const { version, dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  hash.update(JSON.stringify({ version, dependencies }));
  hash.update(readEncoderFingerprint());
  ofCode = hash.digest('hex');
  return ofCode;
}

function addFiles(hash: Hash, base: string, paths: readonly string[]): void {
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(join(base, path)));
}

function readAll<T>(folder: string, schema: Parameters<typeof readJsonLines<T>>[1]): T[] {
  return listJsonLines(folder).flatMap((path) => readJsonLines(join(folder, path), schema));
}

function listJsonLines(folder: string): string[] {
  return readOrExplain(folder, () => listFiles(folder, /\.jsonl$/));
}

function listFiles(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .sort();
}

function findMisfits({ objects, providers, concepts, fields }: Catalog): Problem[] {
  const providerIds = new Set(providers.map(({ id }) => id));
  const conceptIds = new Set(concepts.map(({ id }) => id));
  return [
    ...repeated(
      'provider id',
      providers.map(({ id }) => id),
    ),
    ...repeated(
      'object address',
      objects.map(({ url }) => url),
    ),
    ...repeated(
      'concept id',
      concepts.map(({ id }) => id),
    ),
    ...repeated(
      'field',
      fields.map(({ id }) => id),
    ),
    ...fields.flatMap(({ id, concepts: own }) =>
      own
        .filter((concept) => !conceptIds.has(concept))
        .map((concept) => ({ path: id, problem: `names the concept "${concept}", which does not exist` })),
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

function repeated(what: string, ids: readonly string[]): Problem[] {
  const seen = new Set<string>();
  return ids
    .filter((id) => seen.size === seen.add(id).size)
    .map((id) => ({ path: id, problem: `this ${what} is used twice` }));
}

/** The address of every searched learning object, once and in the spelling that is shown: as in building, imported objects go
 *  before the starter's. Errors: CATALOG_INVALID, those of the store. */
export async function* listCatalogAddresses(options: ObjectAddressesOptions): AsyncIterable<string> {
  const seen = new Set<string>();
  for await (const url of listAll(options)) {
    const address = normalizeObjectAddress(url);
    if (!seen.has(address)) yield url;
    seen.add(address);
  }
}

async function* listAll({ catalogDir, imported }: ObjectAddressesOptions): AsyncGenerator<string> {
  for await (const { kind, key } of imported.read()) {
    // Concepts come last, and there may be very many.
    if (kind === 'concept') break;
    if (kind === 'object') yield key;
  }
  for (const { url } of readCatalog(catalogDir).objects) yield url;
}
