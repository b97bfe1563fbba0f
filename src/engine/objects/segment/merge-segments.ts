import { type Bitset, createBitset, forEachBit, hasBit, isOverlapping, setBit } from '../../bitset.ts';
import { buildStringTable, readStringTable, sortStringsByBytes } from '../../string-table.ts';
import { type ValueField, valueFields } from '../types.ts';
import { orderByHash } from './build-segment.ts';
import { combineValues } from './combinations.ts';
import { buildLexicon, MAX_SURFACES } from './lexicon.ts';
import type { Columns, LiveSegment, Segment, ValueSets } from './segment.ts';

const GONE = 0xffffffff;

/** One segment of the live documents of several, in their order. Posting lists are joined, not made again from texts. */
export function mergeSegments(parts: readonly LiveSegment[]): Segment {
  const count = parts.reduce((sum, part) => sum + part.liveCount, 0);
  const ordinals = renumberDocuments(parts);
  const joined = joinPostings(parts, ordinals);
  const columns = mergeColumns(parts, count, ordinals);
  const valueSets = mergeValueSets(parts, count, ordinals);
  return {
    count,
    terms: buildStringTable(joined.terms),
    postingStart: joined.postingStart,
    postingDocs: joined.postingDocs,
    postingImpacts: joined.postingImpacts,
    lexicon: buildLexicon(joinSurfaces(parts, joined.termOfPart)),
    columns,
    ids: buildStringTable(
      parts.flatMap((part, p) =>
        readStringTable(part.segment.ids).filter((_, doc) => ordinals[p]![doc] !== GONE),
      ),
    ),
    idOrder: orderByHash(columns.idHash),
    valueSets,
    combinations: combineValues(count, valueSets),
  };
}

/** New ordinal of each document of each part, or GONE. */
function renumberDocuments(parts: readonly LiveSegment[]): Uint32Array[] {
  let next = 0;
  return parts.map(({ segment, live }) =>
    Uint32Array.from({ length: segment.count }, (_, doc) => (hasBit(live, doc) ? next++ : GONE)),
  );
}

interface Joined {
  readonly terms: readonly string[];
  readonly postingStart: Uint32Array;
  readonly postingDocs: Uint32Array;
  readonly postingImpacts: Uint8Array;
  /** New number of each term of each part, or GONE where no live document has it. */
  readonly termOfPart: readonly Uint32Array[];
}

function joinPostings(parts: readonly LiveSegment[], ordinals: readonly Uint32Array[]): Joined {
  const termsOfPart = parts.map((part) => readStringTable(part.segment.terms));
  const lists = listsByTerm(termsOfPart);
  const size = parts.reduce((sum, part) => sum + part.segment.postingDocs.length, 0);
  const docs = new Uint32Array(size);
  const impacts = new Uint8Array(size);
  const termOfPart = termsOfPart.map((terms) => new Uint32Array(terms.length).fill(GONE));
  const terms: string[] = [];
  const starts: number[] = [0];
  let end = 0;
  for (const term of sortStringsByBytes([...lists.keys()])) {
    const before = end;
    for (const [p, old] of lists.get(term)!) {
      const { postingStart, postingDocs, postingImpacts } = parts[p]!.segment;
      for (let i = postingStart[old]!; i < postingStart[old + 1]!; i++) {
        const doc = ordinals[p]![postingDocs[i]!]!;
        if (doc === GONE) continue;
        docs[end] = doc;
        impacts[end++] = postingImpacts[i]!;
      }
      if (end > before) termOfPart[p]![old] = terms.length;
    }
    if (end === before) continue;
    terms.push(term);
    starts.push(end);
  }
  return {
    terms,
    postingStart: Uint32Array.from(starts),
    postingDocs: docs.slice(0, end),
    postingImpacts: impacts.slice(0, end),
    termOfPart,
  };
}

/** Where each term has posting lists: part and number of the term there, in order of the parts. */
function listsByTerm(
  termsOfPart: readonly (readonly string[])[],
): Map<string, [part: number, term: number][]> {
  const lists = new Map<string, [number, number][]>();
  for (const [p, terms] of termsOfPart.entries()) {
    for (const [id, term] of terms.entries()) {
      const known = lists.get(term);
      if (known === undefined) lists.set(term, [[p, id]]);
      else known.push([p, id]);
    }
  }
  return lists;
}

function joinSurfaces(
  parts: readonly LiveSegment[],
  termOfPart: readonly Uint32Array[],
): Map<string, number[]> {
  const joined = new Map<string, number[]>();
  for (const [p, { segment }] of parts.entries()) {
    const { surfaces, termStart, terms } = segment.lexicon;
    for (const [surface, word] of readStringTable(surfaces).entries()) {
      for (let i = termStart[surface]!; i < termStart[surface + 1]!; i++) {
        const term = termOfPart[p]![terms[i]!]!;
        if (term === GONE) continue;
        const known = joined.get(word);
        if (known === undefined) {
          if (joined.size < MAX_SURFACES) joined.set(word, [term]);
        } else if (!known.includes(term)) known.push(term);
      }
    }
  }
  return joined;
}

function mergeColumns(
  parts: readonly LiveSegment[],
  count: number,
  ordinals: readonly Uint32Array[],
): Columns {
  const merge = <T extends Float32Array | Uint8Array | Uint32Array>(target: T, name: keyof Columns): T => {
    for (const [p, { segment }] of parts.entries()) {
      const source = segment.columns[name];
      for (let doc = 0; doc < segment.count; doc++) {
        const ordinal = ordinals[p]![doc]!;
        if (ordinal !== GONE) target[ordinal] = source[doc]!;
      }
    }
    return target;
  };
  return {
    level: merge(new Float32Array(count), 'level'),
    minutes: merge(new Float32Array(count), 'minutes'),
    popularity: merge(new Float32Array(count), 'popularity'),
    lat: merge(new Float32Array(count), 'lat'),
    lon: merge(new Float32Array(count), 'lon'),
    ageMin: merge(new Uint8Array(count), 'ageMin'),
    ageMax: merge(new Uint8Array(count), 'ageMax'),
    free: merge(new Uint8Array(count), 'free'),
    idHash: merge(new Uint32Array(count), 'idHash'),
  };
}

function mergeValueSets(
  parts: readonly LiveSegment[],
  count: number,
  ordinals: readonly Uint32Array[],
): Segment['valueSets'] {
  const entries = valueFields.map((field): [ValueField, ValueSets] => {
    const merged = new Map<string, Bitset>();
    for (const [p, { segment, live }] of parts.entries()) {
      const { values, sets } = segment.valueSets[field];
      for (const [v, value] of values.entries()) {
        // A value that no live document has is dropped, or a language would outlive its documents.
        if (!isOverlapping(sets[v]!, live)) continue;
        const target = merged.get(value) ?? createBitset(count);
        merged.set(value, target);
        forEachBit(sets[v]!, (doc) => {
          if (ordinals[p]![doc] !== GONE) setBit(target, ordinals[p]![doc]!);
        });
      }
    }
    return [field, { values: [...merged.keys()], sets: [...merged.values()] }];
  });
  return Object.fromEntries(entries) as Record<ValueField, ValueSets>;
}
