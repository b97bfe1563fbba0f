import { createHash } from 'node:crypto';
import type { LearningObjectRecord } from '#adapters/catalog/catalog-schema';
import { normalizeObjectAddress } from '#domain/learning-object';
import { hashString } from '#engine/hash';
import type { ReadDocument } from '#engine/objects/segment/vocabulary-segment';
import type { ObjectDocument } from '#engine/objects/types';
import { DEAD_POPULARITY, POPULARITY_LIFT } from '#engine/objects/weights';
import { writeQuantized } from '#engine/vectors/vector-rows';
import type { VectorRows } from '#engine/vectors/vectors';
import type { KnownRecord } from './records-file.ts';

/** An object as another engine keeps it. Absent means unknown. */
export interface KeptDocument {
  /** Breaks ties as our own engine does. */
  readonly hash: number;
  /** Of each of its terms, what `log(1 + value) · 255 ÷ IMPACT_SCALE` makes its impact again. */
  readonly impacts: Readonly<Record<string, number>>;
  readonly publisherWords: readonly string[];
  readonly provider: string;
  readonly type: readonly string[];
  readonly bloom: readonly string[];
  readonly lang: string;
  /** What it is about itself. */
  readonly about: readonly string[];
  /** That, and what only holds it. */
  readonly topics: readonly string[];
  readonly level?: number;
  readonly minutes?: number;
  /** Below zero where it is dead. */
  readonly popularity?: number;
  /** What its popularity makes of its relevance. */
  readonly lift: number;
  readonly isDead: boolean;
  readonly ageMin?: number;
  readonly ageMax?: number;
  readonly free?: boolean;
  readonly place?: { readonly lat: number; readonly lon: number };
  readonly isImported: boolean;
  /** Only kept, as what follows. */
  readonly record: LearningObjectRecord;
  /** What it means: its scale, a float of 32 bits, and a signed byte a number, in base64; absent where it has none. */
  readonly vector?: string;
}

/** Logarithm of the largest value: the larger, the less is lost where a value is kept with eight binary places. */
export const IMPACT_SCALE = 80;

/** The same for all spellings of an address. */
export function toKeptId(url: string): string {
  return createHash('sha256').update(normalizeObjectAddress(url)).digest('base64url').slice(0, 22);
}

/** What a popularity makes of the relevance. */
export function liftBy(popularity: number | undefined): number {
  return 1 + POPULARITY_LIFT * (popularity ?? 0);
}

/** An object as JSON of a `KeptDocument`. Its impacts are most of it, and no object is made of them only to be written. */
export function writeKeptDocument(
  { record, isImported, isDead }: KnownRecord,
  document: ObjectDocument,
  { impacts, publisherWords }: ReadDocument,
): string {
  const { level, minutes, ageMin, ageMax, lat, lon, free, topics = [], widerTopics = [] } = document;
  const popularity = isDead ? DEAD_POPULARITY : document.popularity;
  const kept: Omit<KeptDocument, 'impacts'> = {
    hash: hashString(document.id),
    publisherWords,
    provider: document.provider,
    type: document.types,
    bloom: document.blooms,
    lang: document.lang,
    about: topics,
    topics: [...topics, ...widerTopics],
    lift: liftBy(popularity),
    ...{ isDead, isImported, record },
    ...(level !== undefined && { level }),
    ...(minutes !== undefined && { minutes }),
    ...(popularity !== undefined && { popularity }),
    ...(ageMin !== undefined && { ageMin }),
    ...(ageMax !== undefined && { ageMax }),
    ...(free !== undefined && { free }),
    ...(document.vector !== undefined && { vector: writeKeptVector(document.vector) }),
    ...(lat !== undefined && lon !== undefined && { place: { lat, lon } }),
  };
  const named = impacts.map(([term, impact]) => `${JSON.stringify(term)}:${impactTexts[impact]}`);
  return `{"impacts":{${named.join(',')}},${JSON.stringify(kept).slice(1)}`;
}

function writeKeptVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(SCALE_BYTES + vector.length);
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset + SCALE_BYTES, vector.length);
  bytes.writeFloatLE(writeQuantized(vector, numbers));
  return bytes.toString('base64');
}

/** Of documents that are kept, a row each; undefined where none has a vector. */
export function readKeptVectors(kept: readonly Pick<KeptDocument, 'vector'>[]): VectorRows | undefined {
  const all = kept.map(({ vector }) => (vector === undefined ? null : Buffer.from(vector, 'base64')));
  const dimensions = Math.max(0, ...all.map((own) => (own?.length ?? 0) - SCALE_BYTES));
  if (dimensions === 0) return undefined;
  const bytes = new Int8Array(all.length * dimensions);
  for (const [i, own] of all.entries())
    if (own !== null) bytes.set(own.subarray(SCALE_BYTES), i * dimensions);
  return { dimensions, bytes, scales: Float32Array.from(all, (own) => own?.readFloatLE() ?? 0) };
}

const SCALE_BYTES = 4;

const float = new DataView(new ArrayBuffer(4));
const KEPT_BITS = 15;

/** What is kept of a number: the rest of its bits is cut off. */
function toKeptBits(value: number): number {
  float.setFloat32(0, value);
  return float.getUint32(0) >>> KEPT_BITS;
}

/** Of the numbers that are kept as the nearest to it, one with few digits: a node reads fifty of them for each document. */
function writeKeptImpact(impact: number): string {
  const half = 1 << (KEPT_BITS - 1);
  float.setFloat32(0, Math.expm1((IMPACT_SCALE * impact) / 255));
  const kept = (float.getUint32(0) + half) >>> KEPT_BITS;
  float.setUint32(0, (kept << KEPT_BITS) + half);
  const middle = float.getFloat32(0);
  const short = middle.toPrecision(3);
  // Four digits are always near enough.
  return toKeptBits(Number(short)) === kept ? short : middle.toPrecision(4);
}

const impactTexts = Array.from({ length: 256 }, (_, impact) => writeKeptImpact(impact));
