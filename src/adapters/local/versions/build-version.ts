import { join } from 'node:path';
import type { ConceptRecord, LearningObjectRecord } from '#adapters/catalog/catalog-schema';
import { openEncoder } from '#adapters/meaning/static-encoder';
import { toLearningMinutes } from '#domain/learning-object';
import { createObjectIndex } from '#engine/objects/object-index';
import type { ObjectDocument } from '#engine/objects/types';
import { buildTermData } from '#engine/terms/build-term-data/build-term-data';
import { saveTermIndex } from '#engine/terms/term-index';
import { AppError } from '#errors';
import type { Encoder } from '#ports/encoder';
import { type Catalog, readCatalog } from '../starter-catalog.ts';
import { createTopics, type Topics } from '../topics/topics.ts';
import { createDocumentsWriter, type DocumentsWriter } from './documents-file.ts';
import { type ImportedLine, overlayCatalog, readOverlayLines } from './merge-imports.ts';
import { createRecordsWriter } from './records-file.ts';
import { createPhraseList } from './suggest-phrases.ts';
import {
  blockNames,
  createVersionCatalogCounter,
  DOCUMENTS_FILE,
  encodeVersionCatalog,
  type VersionBlocks,
  versionFiles,
  writeBlockFile,
} from './version-files.ts';

export interface BuildJob {
  /** Folder of the starter catalogue. */
  readonly catalogDir: string;
  /** Folder that is there; the files are written into it. */
  readonly folder: string;
  /** File of `writeOverlayLines`; null for the starter catalogue alone. */
  readonly linesPath: string | null;
  readonly fingerprint: string;
  /** Version of what was imported, and of the imports alone. */
  readonly imported: string;
  readonly imports: string;
  /** Whether another engine keeps the objects: then their words alone are indexed, and a file of documents is written for it. */
  readonly isExternal?: boolean;
}

/** Taxonomy whose terms come first. */
export const OWN_SOURCE = 'Skilldock';
const BATCH = 1_000;

/** Build both indexes of a version and write all its files, without a pause: seconds to minutes of work, so a host runs it in
 *  another thread. Errors: CATALOG_INVALID where the starter catalogue is wrong; those of reading and writing.
 *  @param pause called for each object and concept, so that searches can go first */
export function buildVersion(
  { catalogDir, folder, linesPath, isExternal = false, imports, ...key }: BuildJob,
  pause: () => void = () => undefined,
): VersionBlocks {
  const lines: Iterable<ImportedLine> = linesPath === null ? [] : readOverlayLines(linesPath);
  const documents = isExternal ? createDocumentsWriter(join(folder, DOCUMENTS_FILE)) : null;
  const built = collect(catalogDir, lines, {
    path: join(folder, versionFiles.records),
    documents,
    pause,
  });
  const meta = { fingerprint: key.fingerprint };
  const { concepts, phrases } = built;
  const terms = buildTermData(concepts, { ownSource: OWN_SOURCE, phrases, encoder: openEncoder() });
  const { table, bytes: recordBytes } = built.records;
  const { providers, skipped, counts, topics, starter, state } = built;
  const blocks = {
    objects: documents === null ? built.objects.save(meta) : documents.save(meta),
    terms: saveTermIndex(terms, meta),
    catalog: encodeVersionCatalog(
      { ...key, providers, counts, topics, skipped, recordBytes, starter, state: { imports, ...state } },
      table,
    ),
  };
  for (const name of blockNames) writeBlockFile(join(folder, versionFiles[name]), blocks[name]);
  return blocks;
}

/** What to say about an error of the building thread: it holds concepts on its heap, and there may be too many. */
export function explainVersionBuildError(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new AppError(
    'INTERNAL',
    'The index was not built: the catalogue with all that was imported does not fit into the memory that Node may use. Give it more, for example NODE_OPTIONS=--max-old-space-size=4096 (in MB), or undo the import.',
    { cause: error },
  );
}

interface Output {
  /** Of the records. */
  readonly path: string;
  /** Null where the objects are indexed here. */
  readonly documents: DocumentsWriter | null;
  pause(): void;
}

function collect(catalogDir: string, lines: Iterable<ImportedLine>, { path, documents, pause }: Output) {
  const starter = readCatalog(catalogDir);
  const topics = createCatalogTopics(starter);
  const encoder = openEncoder();
  const objects = createObjectIndex();
  const batch: ObjectDocument[] = [];
  const concepts: ConceptRecord[] = [];
  const counter = createVersionCatalogCounter();
  const phrases = createPhraseList();
  const writer = createRecordsWriter(path);
  const own: string[] = [];
  try {
    const { providers, skipped, ...state } = overlayCatalog(starter, lines, {
      addObject(record, address, facts) {
        pause();
        if (!facts.isImported) own.push(record.url);
        counter.addObject(record);
        phrases.add(record);
        const about = { isDead: facts.isDead, ...topics.find(record) };
        const document = buildVersionDocument(record, about, encoder);
        if (documents !== null) return documents.add({ record, ...facts }, document);
        writer.add(record, address, facts);
        batch.push(document);
        if (batch.length >= BATCH) objects.put(batch.splice(0));
      },
      addConcept(record) {
        pause();
        counter.addConcept(record);
        concepts.push(record);
      },
    });
    objects.put(batch);
    const records = writer.finish();
    return {
      objects,
      concepts,
      records,
      providers,
      skipped,
      state,
      starter: own,
      topics: topics.list,
      counts: counter.finish(),
      phrases: phrases.finish(),
    };
  } finally {
    writer.close();
    documents?.close();
  }
}

/** Of our own taxonomy only: its labels are in several languages and known to be told apart by. */
export function createCatalogTopics({ concepts, fields }: Pick<Catalog, 'concepts' | 'fields'>): Topics {
  return createTopics(
    concepts.filter(({ source }) => source === OWN_SOURCE),
    fields,
  );
}

/** What is known of a record beside itself. */
export interface DocumentFacts {
  /** Whether its address no longer answers. */
  readonly isDead: boolean;
  /** Ids of what it is about, and of what holds that. */
  readonly topics: readonly string[];
  readonly widerTopics: readonly string[];
}

/** A record as the engine indexes it.
 *  @param encoder gives it a vector; none where it is found by words alone */
export function buildVersionDocument(
  record: LearningObjectRecord,
  { isDead, topics, widerTopics }: DocumentFacts = { isDead: false, topics: [], widerTopics: [] },
  encoder?: Pick<Encoder, 'encode'>,
): ObjectDocument {
  const minutes = toLearningMinutes(record.learningTime);
  return {
    id: record.url,
    title: record.title,
    keywords: record.keywords,
    description: record.description,
    publishers: record.publisher,
    authors: record.author,
    lang: record.lang,
    provider: record.provider,
    types: record.type,
    blooms: record.bloom,
    topics,
    widerTopics,
    popularity: record.popularity,
    ...(isDead && { isDead }),
    ...(record.level !== undefined && { level: record.level }),
    ...(minutes !== undefined && { minutes }),
    ...(record.age?.min !== undefined && { ageMin: record.age.min }),
    ...(record.age?.max !== undefined && { ageMax: record.age.max }),
    ...(record.location && { lat: record.location.lat, lon: record.location.lon }),
    ...(record.free !== undefined && { free: record.free }),
    ...(encoder && { vector: encoder.encode(textOfObject(record)) }),
  };
}

/** Characters of an object that are encoded: what it is about stands at the beginning. */
const MAX_ENCODED_CHARS = 1_000;

function textOfObject({ title, keywords, description }: LearningObjectRecord): string {
  return `${title}. ${keywords.join(', ')}. ${description}`.slice(0, MAX_ENCODED_CHARS);
}
