import { createGrowableUint32, orderByKey, sortByKey } from '#engine/arrays';
import { type Bitset, createBitset, forEachBit, hasBit, hasCommonBit, setBit } from '#engine/bitset';
import { getOrAdd } from '#engine/maps';
import { runSteps } from '#engine/run-steps';
import { buildStringTable, readStringTable, sortStringsByBytes } from '#engine/string-table';
import type { TypoTable } from '#engine/text/typo-table';
import { type ValueField, valueFields } from '../types.ts';
import { collectFactVectors, combineFactValues } from './collect-facts.ts';
import { buildIds, listIds } from './ids.ts';
import { listLexiconTerms, MAX_SURFACES } from './lexicon.ts';
import { countPostings, createPostingsWriter, forEachPosting, openPostings, type Postings } from './postings.ts';
import type { Columns, Lexicon, LiveSegment, Segment, ValueSets } from './segment.ts';
import { listSegmentValueSets } from './segment.ts';

/** Stands for the new number of a document, term or word that no live document needs. */
const REMOVED = 0xffffffff;
/** The cost of a document, in postings. */
const DOCUMENT_WORK = 16;
/** Work between two yields; a yield costs some tens of postings. */
const MIN_WORK = 2 ** 10;

/** Each step yields its cost in postings: 1 for a word, 16 for a structure of a document. */
export type Merge = Generator<number, Segment>;

/** Merges the live documents of segments, in order, by their posting lists, without their texts. */
export function mergeSegments(parts: readonly LiveSegment[]): Segment {
  return runSteps(beginSegmentMerge(parts));
}

/** Does the same in steps. @param parts must not change until the merge has ended */
export function* beginSegmentMerge(parts: readonly LiveSegment[]): Merge {
  const count = parts.reduce((sum, part) => sum + part.liveCount, 0);
  const ordinals = renumberDocuments(parts);
  const joined = yield* mergePostings(parts, ordinals);
  const lexicon = yield* mergeLexicons(parts, joined.termOfPart);
  const ids = buildIds(
    parts.flatMap((part, p) => listIds(part.segment.ids).filter((_, doc) => ordinals[p]![doc] !== REMOVED)),
  );
  yield count * DOCUMENT_WORK;
  const columns = mergeColumns(parts, count, ordinals);
  yield count * DOCUMENT_WORK;
  const valueSets = mergeValueSets(parts, count, ordinals);
  yield count * DOCUMENT_WORK;
  const vectors = mergeVectors(parts, ordinals);
  yield count * DOCUMENT_WORK;
  return {
    count,
    terms: buildStringTable(joined.terms),
    postings: joined.postings,
    lexicon,
    columns,
    ids,
    idOrder: orderByKey(columns.idHash),
    valueSets,
    combinations: combineFactValues(count, listSegmentValueSets(valueSets)),
    ...vectors,
  };
}

function renumberDocuments(parts: readonly LiveSegment[]): Uint32Array[] {
  let next = 0;
  return parts.map(({ segment, live }) =>
    Uint32Array.from({ length: segment.count }, (_, doc) => (hasBit(live, doc) ? next++ : REMOVED)),
  );
}

interface Joined {
  readonly terms: readonly string[];
  readonly postings: Postings;
  /** By part and term: the new number, or REMOVED if no live document has the term. */
  readonly termOfPart: readonly Uint32Array[];
}

function* mergePostings(parts: readonly LiveSegment[], ordinals: readonly Uint32Array[]): Generator<number, Joined> {
  const termsOfPart = parts.map((part) => readStringTable(part.segment.terms));
  const lists = yield* groupListsByTerm(termsOfPart);
  const writer = createPostingsWriter();
  const termOfPart = termsOfPart.map((terms) => new Uint32Array(terms.length).fill(REMOVED));
  const terms: string[] = [];
  let work = 0;
  const sorted = sortStringsByBytes([...lists.keys()]);
  yield sorted.length;
  for (const term of sorted) {
    for (const [p, oldTerm] of lists.get(term)!) {
      const newOrdinals = ordinals[p]!;
      const list = openPostings(parts[p]!.segment.postings, oldTerm);
      forEachPosting(list, (oldDoc, impact) => {
        const doc = newOrdinals[oldDoc]!;
        if (doc === REMOVED) return;
        writer.push(doc, impact);
        termOfPart[p]![oldTerm] = terms.length;
      });
      work += countPostings(list);
    }
    if (work >= MIN_WORK) {
      yield work;
      work = 0;
    }
    if (writer.endList()) terms.push(term);
  }
  return { terms, postings: writer.finish(), termOfPart };
}

function* groupListsByTerm(
  termsOfPart: readonly (readonly string[])[],
): Generator<number, Map<string, [part: number, term: number][]>> {
  const lists = new Map<string, [number, number][]>();
  for (const [p, terms] of termsOfPart.entries()) {
    for (const [id, term] of terms.entries()) {
      getOrAdd(lists, term, () => [] as [number, number][]).push([p, id]);
    }
    yield terms.length;
  }
  return lists;
}

function* mergeLexicons(parts: readonly LiveSegment[], termOfPart: readonly Uint32Array[]): Generator<number, Lexicon> {
  const wordsOfPart = parts.map(({ segment }) => readStringTable(segment.lexicon.surfaces));
  const joined = new Map<string, number[]>();
  for (const [p, { segment }] of parts.entries()) {
    const { termStart, terms } = segment.lexicon;
    for (const [surface, word] of wordsOfPart[p]!.entries()) {
      for (let i = termStart[surface]!; i < termStart[surface + 1]!; i++) {
        const term = termOfPart[p]![terms[i]!]!;
        if (term === REMOVED) continue;
        const termsOfWord = joined.get(word);
        if (termsOfWord === undefined) {
          if (joined.size < MAX_SURFACES) joined.set(word, [term]);
        } else if (!termsOfWord.includes(term)) termsOfWord.push(term);
      }
    }
    yield terms.length;
  }
  const words = sortStringsByBytes([...joined.keys()]);
  yield words.length;
  const numbers = new Map(words.map((word, i) => [word, i]));
  yield words.length;
  const listed = listLexiconTerms(words, joined);
  yield words.length;
  // The typo entries of a word are taken from the first part that has the word.
  const wordOfPart = wordsOfPart.map((partWords) =>
    Uint32Array.from(partWords, (word) => {
      const number = numbers.get(word);
      numbers.delete(word);
      return number ?? REMOVED;
    }),
  );
  yield words.length;
  return { ...listed, ...(yield* mergeTypos(parts, wordOfPart)) };
}

/** Joins typo tables, sorted by hash, then word. @param wordOfPart by part and word, or REMOVED */
function* mergeTypos(parts: readonly LiveSegment[], wordOfPart: readonly Uint32Array[]): Generator<number, TypoTable> {
  const hashes = createGrowableUint32();
  const words = createGrowableUint32();
  for (const [p, { segment }] of parts.entries()) {
    const { typoHash, typoWord } = segment.lexicon;
    for (let i = 0; i < typoHash.length; i++) {
      const word = wordOfPart[p]![typoWord[i]!]!;
      if (word === REMOVED) continue;
      hashes.push(typoHash[i]!);
      words.push(word);
    }
    yield wordOfPart[p]!.length;
  }
  const byWord = sortByKey(words.finish(), hashes.finish());
  yield wordOfPart[0]!.length;
  const { keys, values } = sortByKey(byWord.values, byWord.keys);
  yield wordOfPart[0]!.length;
  return { typoHash: keys, typoWord: values };
}

function mergeColumns(parts: readonly LiveSegment[], count: number, ordinals: readonly Uint32Array[]): Columns {
  const { columns } = parts[0]!.segment;
  const names = Object.keys(columns) as (keyof Columns)[];
  const merged = names.map((name) => {
    const target = new (columns[name].constructor as Float32ArrayConstructor)(count);
    for (const [p, { segment }] of parts.entries()) {
      const source = segment.columns[name];
      for (let doc = 0; doc < segment.count; doc++) {
        const ordinal = ordinals[p]![doc]!;
        if (ordinal !== REMOVED) target[ordinal] = source[doc]!;
      }
    }
    return [name, target];
  });
  return Object.fromEntries(merged) as Columns;
}

function mergeVectors(parts: readonly LiveSegment[], ordinals: readonly Uint32Array[]): Pick<Segment, 'vectors'> {
  const vectors = collectFactVectors();
  for (const [p, { segment }] of parts.entries())
    for (let doc = 0; doc < segment.count; doc++) if (ordinals[p]![doc] !== REMOVED) vectors.copy(segment.vectors, doc);
  return vectors.finish();
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
        // Drop a value that no live document has, or a language would outlive its documents.
        if (!hasCommonBit(sets[v]!, live)) continue;
        const target = getOrAdd(merged, value, () => createBitset(count));
        forEachBit(sets[v]!, (doc) => {
          if (ordinals[p]![doc] !== REMOVED) setBit(target, ordinals[p]![doc]!);
        });
      }
    }
    return [field, { values: [...merged.keys()], sets: [...merged.values()] }];
  });
  return Object.fromEntries(entries) as Record<ValueField, ValueSets>;
}
