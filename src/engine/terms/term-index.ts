import {
  type DecodeOptions,
  decodeSnapshot,
  encodeSnapshot,
  type Section,
  type Sections,
} from '../snapshot.ts';
import type { TextEncoding } from '../vectors/vectors.ts';
import { countConceptTerms, createConceptFinder, openConceptTerms } from './concept-view.ts';
import { createExpander } from './expansions.ts';
import { createConceptRanker } from './similar/rank-concepts.ts';
import { createSimilar } from './similar/similar.ts';
import { createSuggest } from './suggest/suggest.ts';
import { createTagger } from './tagger/tagger.ts';
import type { TermData } from './term-data.ts';
import type { TermIndex } from './types.ts';

export type * from './types.ts';

const FORMAT = 'skilldock-terms';

/** Raise this whenever the meaning of a table changes: older snapshots are then rebuilt. */
const VERSION = 7;

/** Answer from tables that `buildTermData` made, now or earlier: they can be saved and loaded.
 *  @param encoder the one that they were built with; without it, answers go by words alone */
export function openTermIndex(data: TermData, encoder?: TextEncoding): TermIndex {
  const terms = openConceptTerms(data, encoder);
  const rank = createConceptRanker(terms);
  return {
    similar: createSimilar(terms, rank),
    tag: createTagger(terms),
    suggest: createSuggest(terms, rank),
    expansionsOf: createExpander(terms),
    findConcept: createConceptFinder(terms),
    counts: countConceptTerms(terms),
  };
}

/** One block with all tables.
 *  @param meta facts to find again on loading, such as a fingerprint of the data */
export function saveTermIndex(data: TermData, meta: unknown): Uint8Array {
  const { shape, sections } = packArrays(data);
  return encodeSnapshot(FORMAT, VERSION, { meta: { own: meta, shape }, sections });
}

/** Errors: SNAPSHOT_INVALID. */
export function loadTermIndex(block: Uint8Array, options?: DecodeOptions): { data: TermData; meta: unknown } {
  const { meta, sections } = decodeSnapshot(FORMAT, VERSION, block, options);
  const { own, shape } = meta as { own: unknown; shape: unknown };
  return { data: unpackArrays({ shape, sections }) as TermData, meta: own };
}

/** A structure whose typed arrays stand in sections by name, and whose other values stand in `shape`, as JSON can hold them. */
interface Packed {
  readonly shape: unknown;
  readonly sections: Sections;
}

/** Marks the place of an array in the shape. */
const ARRAY = '$array';

/** Part a structure of plain objects, plain arrays, texts, numbers and typed arrays into what a snapshot can hold. */
function packArrays(structure: unknown): Packed {
  const sections: Record<string, Section> = {};
  const pack = (value: unknown, path: string): unknown => {
    if (value instanceof Uint8Array || value instanceof Uint32Array || value instanceof Float32Array) {
      sections[path] = value;
      return { [ARRAY]: path };
    }
    if (Array.isArray(value)) return value.map((item, i) => pack(item, `${path}.${i}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, pack(field, `${path}.${name}`)]),
    );
  };
  return { shape: pack(structure, ''), sections };
}

/** The structure again; its arrays are those of the sections. The snapshot's checksum vouches for its form. */
function unpackArrays({ shape, sections }: Packed): unknown {
  const unpack = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unpack);
    if (typeof value !== 'object' || value === null) return value;
    if (ARRAY in value) return sections[value[ARRAY] as string];
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, unpack(field)]));
  };
  return unpack(shape);
}
