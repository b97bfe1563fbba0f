import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { toLearningMinutes } from '#domain/learning-object';
import { findDayNumber, listObjectMarks } from '#domain/object-facts';
import { omitUndefined } from '#domain/omit-undefined';
import { createObjectIndex } from '#engine/objects/object-index';
import type { ObjectDocument } from '#engine/objects/types';
import { buildTermData } from '#engine/terms/build-term-data/build-term-data';
import { saveTermIndex } from '#engine/terms/term-index';
import type { SuggestPhrase } from '#engine/terms/types';
import type { Encoder } from '#ports/encoder';
import type { ConceptRecord, LearningObjectRecord } from '../../catalog/catalog-schema.ts';
import { writeEscoAddress } from '../../catalog/concept-parts.ts';
import { openEncoder } from '../../meaning/static-encoder.ts';
import { createStarterTopics, readStarterCatalog, STARTER_SOURCE } from '../starter-catalog.ts';
import type { ObjectTopics } from '../topics/topics.ts';
import { createDocumentsWriter, type DocumentsWriter } from './external-document.ts';
import { type ImportedLine, mergeImports, readImportedLines } from './merge-imports.ts';
import { createRecordsWriter, type RecordFlags } from './records-file.ts';
import type { VersionBlocks, VersionKey } from './version-files.ts';
import * as files from './version-files.ts';
import { findBroadField } from './version-objects.ts';

export interface BuildJob extends VersionKey {
  readonly catalogDir: string;
  readonly folder: string;
  /** The file that `writeImportedLines` wrote; null for the starter catalogue alone. */
  readonly linesPath: string | null;
  /** `ImportedCatalog.importsVersion()` of the content of the file. */
  readonly imports: string;
  /** Indexes only the words of objects, and writes documents for an external index. */
  readonly isExternal?: boolean;
}

/** Builds both indexes of a version and writes all its files. This takes seconds to minutes without
 *  a break, so hosts do it in another process. Errors: CATALOG_INVALID for the starter catalogue;
 *  those of reading and writing. */
export function buildVersion(job: BuildJob): VersionBlocks {
  const { catalogDir, folder, linesPath, imported, imports, isExternal = false } = job;
  const lines: Iterable<ImportedLine> = linesPath === null ? [] : readImportedLines(linesPath);
  const documents = isExternal ? createDocumentsWriter(join(folder, files.DOCUMENTS_FILE)) : null;
  const output = { path: join(folder, files.versionFiles.records), documents };
  const { objects, concepts, phrases, records, state, ...rest } = collectDocuments(catalogDir, lines, output);
  const fingerprint = files.fingerprintVersion(job);
  const meta = { fingerprint };
  const terms = buildTermData(concepts, { mainSource: STARTER_SOURCE, phrases, encoder: openEncoder() });
  const blocks = {
    objects: documents === null ? objects.save(meta) : documents.save(meta),
    terms: saveTermIndex(terms, meta),
    catalog: files.encodeVersionCatalog(
      { fingerprint, imported, ...rest, recordBytes: records.bytes, state: { imports, ...state } },
      records.table,
    ),
  };
  for (const name of files.blockNames) files.writeBlockFile(join(folder, files.versionFiles[name]), blocks[name]);
  return blocks;
}

export type StarterBuild = Pick<BuildJob, 'catalogDir' | 'folder' | 'isExternal' | 'base'>;

/** Builds the version of the starter catalogue alone. Errors: as `buildVersion`. */
export function buildStarterVersion(build: StarterBuild): VersionBlocks {
  const blocks = buildVersion({ ...build, linesPath: null, imported: '', imports: '' });
  // An external index is filled later, as after an import.
  rmSync(join(build.folder, files.DOCUMENTS_FILE), { force: true });
  return blocks;
}

interface Output {
  readonly path: string;
  /** The documents for an external index; null if the embedded engine indexes the objects. */
  readonly documents: DocumentsWriter | null;
}

const BATCH = 1_000;

function collectDocuments(catalogDir: string, lines: Iterable<ImportedLine>, { path, documents }: Output) {
  const starter = readStarterCatalog(catalogDir);
  const topics = createStarterTopics(starter);
  const encoder = openEncoder();
  const objects = createObjectIndex();
  const batch: ObjectDocument[] = [];
  const concepts: ConceptRecord[] = [];
  const counter = files.createCatalogCounter();
  const phrases: SuggestPhrase[] = [];
  const records = createRecordsWriter(path);
  const starterIds: string[] = [];
  try {
    const { providers, skipped, state } = mergeImports(starter, lines, {
      addObject(record, address, flags) {
        if (!flags.isImported) starterIds.push(record.url);
        counter.addObject(record);
        phrases.push(...listObjectPhrases(record));
        prunePhrases(phrases, 2 * MAX_PHRASES);
        const facts = { isDead: flags.isDead, ...topics.find(record) };
        const document = toObjectDocument(record, facts, encoder);
        if (documents !== null) return documents.add({ record, ...flags }, document);
        records.add({ record, ...flags, field: findBroadField(facts) }, address);
        batch.push(document);
        if (batch.length >= BATCH) objects.put(batch.splice(0));
      },
      addConcept(record) {
        counter.addConcept(record);
        const uri = record.uri ?? writeEscoAddress(record.id);
        concepts.push({ ...record, ...omitUndefined({ uri }) });
      },
    });
    objects.put(batch);
    prunePhrases(phrases);
    return {
      objects,
      concepts,
      phrases,
      records: records.finish(),
      providers,
      skipped,
      state,
      starterIds,
      topics: topics.list,
      counts: counter.finish(),
    };
  } finally {
    records.close();
    documents?.close();
  }
}

/** Converts a record to a document of the index. @param encoder absent for words alone */
export function toObjectDocument(
  record: LearningObjectRecord,
  { isDead = false, topics = [], widerTopics = [] }: Partial<ObjectTopics & RecordFlags> = {},
  encoder?: Pick<Encoder, 'encode'>,
): ObjectDocument {
  const { level, age, location, free } = record;
  const minutes = toLearningMinutes(record.learningTime);
  const marks = listObjectMarks(record);
  const day = findDayNumber(record);
  const { lat, lon } = location ?? {};
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
    ...omitUndefined({ level, minutes, ageMin: age?.min, ageMax: age?.max, lat, lon, free, day }),
    ...(marks.length > 0 && { marks }),
    ...(encoder && { vector: encoder.encode(toEncodedText(record)) }),
  };
}

/** The encoder reads only the beginning of a text, which has its subject. */
const MAX_ENCODED_CHARS = 1_000;

function toEncodedText({ title, keywords, description }: LearningObjectRecord): string {
  return `${title}. ${keywords.join(', ')}. ${description}`.slice(0, MAX_ENCODED_CHARS);
}

/** Lists the phrases of an object that are suggested: its title and keywords. */
export function listObjectPhrases(
  record: Pick<LearningObjectRecord, 'title' | 'keywords' | 'lang' | 'popularity'>,
): readonly SuggestPhrase[] {
  const { title, keywords, lang, popularity } = record;
  const keywordPhrases = keywords.map((text) => ({ text, lang, weight: 0.5 + 0.5 * popularity }));
  return [{ text: title, lang, weight: 0.5 * popularity }, ...keywordPhrases];
}

/** More phrases would make autocompletion slow, and nobody looks beyond ten suggestions. */
const MAX_PHRASES = 150_000;

/** Keeps the phrases of the most popular objects. */
function prunePhrases(phrases: SuggestPhrase[], max = MAX_PHRASES): void {
  if (phrases.length <= max) return;
  // The sort is stable, so that every host has the same phrases.
  phrases.sort((a, b) => b.weight - a.weight).splice(MAX_PHRASES);
}
