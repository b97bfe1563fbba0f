import { closeSync, openSync, writeFileSync } from 'node:fs';
import { hashObjectAddress } from '#domain/learning-object';
import { omitUndefined } from '#domain/omit-undefined';
import { hashString } from '#engine/hash';
import type { ReadDocument } from '#engine/objects/segment/vocabulary-segment';
import { createVocabularyBuilder, saveVocabularySegment } from '#engine/objects/segment/vocabulary-segment';
import type { ObjectDocument } from '#engine/objects/types';
import { DEAD_POPULARITY, POPULARITY_LIFT } from '#engine/objects/weights';
import type { VectorRows } from '#engine/vectors/vector-rows';
import { quantizeRow } from '#engine/vectors/vector-rows';
import type { StoredRecord } from './records-file.ts';

type CopiedField = 'provider' | 'lang' | 'level' | 'minutes' | 'popularity' | 'ageMin' | 'ageMax' | 'free' | 'day';

/** An object in an external index. A fact that is absent is unknown. The popularity of a dead
 *  object is negative. */
export interface ExternalDocument extends Pick<ObjectDocument, CopiedField> {
  /** The hash of the address, which breaks ties as the embedded engine does. */
  readonly hash: number;
  /** Values by term; `log(1 + value) · 255 ÷ IMPACT_SCALE` is the impact of the term. */
  readonly impacts: Readonly<Record<string, number>>;
  readonly publisherWords: readonly string[];
  readonly type: readonly string[];
  readonly bloom: readonly string[];
  /** Ids of the object's topics. */
  readonly about: readonly string[];
  /** Ids of the object's topics and of the broader ones. */
  readonly topics: readonly string[];
  /** The factor by which its popularity multiplies the relevance. */
  readonly lift: number;
  readonly isDead: boolean;
  readonly marks?: readonly string[];
  readonly place?: { readonly lat: number; readonly lon: number };
  readonly isImported: boolean;
  readonly url: string;
  /** JSON of a `LearningObjectRecord`, as most hits are ordered and never shown. Like the address
   *  and the vector, it is stored and not indexed. */
  readonly record: string;
  /** Base64 of the scale, a 32-bit float, and of a signed byte for each dimension. */
  readonly vector?: string;
}

/** The logarithm of the largest value; large ones lose little precision in eight binary places. */
export const IMPACT_SCALE = 80;

export type DocumentsWriter = ReturnType<typeof createDocumentsWriter>;
/** Characters that are collected before they are written to the file. */
const WRITE_CHARS = 1024 * 1024;

/** Writes two lines for each document, an action and the document, and collects their words. */
export function createDocumentsWriter(path: string) {
  const file = openSync(path, 'w');
  const words = createVocabularyBuilder();
  let text = '';
  let isOpen = true;
  const write = () => {
    writeFileSync(file, text);
    text = '';
  };
  /** Closes the file; further calls do nothing. */
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    write();
    closeSync(file);
  }
  return {
    add(stored: StoredRecord, document: ObjectDocument): void {
      const line = writeExternalDocument(stored, document, words.add(document));
      text += `{"index":{"_id":"${hashObjectAddress(document.id)}"}}\n${line}\n`;
      if (text.length >= WRITE_CHARS) write();
    },
    save(meta: unknown): Uint8Array {
      close();
      return saveVocabularySegment(words.finish(), meta);
    },
    close,
  };
}

/** Writes the JSON of a document; that of its impacts directly, as they are most of it. */
export function writeExternalDocument(
  { record, isImported, isDead }: StoredRecord,
  document: ObjectDocument,
  { impacts, publisherWords }: ReadDocument,
): string {
  const { level, minutes, ageMin, ageMax, lat, lon, free, marks, day, topics = [], widerTopics = [] } = document;
  const popularity = isDead ? DEAD_POPULARITY : document.popularity;
  const facts: Omit<ExternalDocument, 'impacts'> = {
    hash: hashString(document.id),
    publisherWords,
    provider: document.provider,
    type: document.types,
    bloom: document.blooms,
    lang: document.lang,
    about: topics,
    topics: [...topics, ...widerTopics],
    lift: 1 + POPULARITY_LIFT * (popularity ?? 0),
    isDead,
    isImported,
    url: record.url,
    record: JSON.stringify(record),
    ...omitUndefined({ level, minutes, popularity, ageMin, ageMax, free, marks, day }),
    ...(document.vector !== undefined && { vector: encodeDocumentVector(document.vector) }),
    ...(lat !== undefined && lon !== undefined && { place: { lat, lon } }),
  };
  const values = impacts.map(([term, impact]) => `${JSON.stringify(term)}:${impactTexts[impact]}`);
  return `{"impacts":{${values.join(',')}},${JSON.stringify(facts).slice(1)}`;
}

const SCALE_BYTES = 4;

function encodeDocumentVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(SCALE_BYTES + vector.length);
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset + SCALE_BYTES, vector.length);
  bytes.writeFloatLE(quantizeRow(vector, numbers));
  return bytes.toString('base64');
}

/** @returns a row for each document; undefined if none has a vector */
export function readDocumentVectors(documents: readonly Pick<ExternalDocument, 'vector'>[]): VectorRows | undefined {
  const rows = documents.map(({ vector }) => (vector === undefined ? null : Buffer.from(vector, 'base64')));
  const dimensions = Math.max(0, ...rows.map((row) => (row?.length ?? 0) - SCALE_BYTES));
  if (dimensions === 0) return undefined;
  const bytes = new Int8Array(rows.length * dimensions);
  for (const [i, row] of rows.entries()) if (row !== null) bytes.set(row.subarray(SCALE_BYTES), i * dimensions);
  return { dimensions, bytes, scales: Float32Array.from(rows, (row) => row?.readFloatLE() ?? 0) };
}

const float = new DataView(new ArrayBuffer(4));
/** Bits of a 32-bit float that the external index drops. */
const CUT_BITS = 15;

function cutFloat(value: number): number {
  float.setFloat32(0, value);
  return float.getUint32(0) >>> CUT_BITS;
}

/** Writes the shortest number that is stored as the same float: nodes parse fifty a document. */
function writeDocumentImpact(impact: number): string {
  const half = 1 << (CUT_BITS - 1);
  float.setFloat32(0, Math.expm1((IMPACT_SCALE * impact) / 255));
  const nearest = (float.getUint32(0) + half) >>> CUT_BITS;
  float.setUint32(0, (nearest << CUT_BITS) + half);
  const middle = float.getFloat32(0);
  const short = middle.toPrecision(3);
  // Four digits are always close enough.
  return cutFloat(Number(short)) === nearest ? short : middle.toPrecision(4);
}

const impactTexts = Array.from({ length: 256 }, (_, impact) => writeDocumentImpact(impact));
