import { growableUint8, growableUint32 } from '../growable.ts';
import { mixBits } from '../hash.ts';
import { collectPostings } from './build-postings.ts';
import { buildLabelRecords, floatsOf, recordFields, WORDS_OF_TERM } from './label-records.ts';
import { measureSteadiness } from './measure-steadiness.ts';
import { MAX_GUESSES_OF_WORD, wordStrength } from './tag-weights.ts';
import type { ConceptTable, CoverageTable, LabelTable, Postings, Vocabulary } from './term-data.ts';

interface CoverageInput {
  readonly labels: LabelTable;
  readonly vocabulary: Vocabulary;
  readonly concepts: ConceptTable;
}

/** A label as its record has it. */
interface LabelMasses {
  /** Rarest first, with their weights. */
  readonly terms: readonly { readonly term: number; readonly weight: number }[];
  readonly mass: number;
  /** What a text about the label has of it at least. */
  readonly needed: number;
}

type MassesOf = (label: number) => LabelMasses;

/** Share of a mass that rounding may take away. */
const ROUNDING = 1e-6;
/** With so many bits for each place most pairs that no label has are known from what the processor's cache holds. */
const BITS_PER_PLACE = 4;
/** Strengths in a byte are rounded up to steps. */
const STEPS_PER_UNIT = 32;

/** Each label under the pairs of its terms that can be the two rarest which a text about it has, and under the single
 *  terms that are enough of it. So a text finds its labels by looking up the pairs of its words: what shares but one word
 *  with it, or two that say too little, is not even read.
 *  Source: prefix filtering, Chaudhuri, Ganti & Kaushik 2006, section 4, with two terms in place of one. */
export function buildCoverage({ labels, vocabulary, concepts }: CoverageInput): CoverageTable {
  const records = buildLabelRecords(labels, vocabulary);
  const massesOf = createRecordReader(records);
  const steadiness = measureSteadiness(concepts, labels, vocabulary.idf.length);
  return {
    ...records,
    singles: toRecords(buildSingles(massesOf, { labels, vocabulary, concepts }), records),
    ...buildPairs(massesOf, labels, records),
    // The root: whole steadiness found the first tag more often, but lost others.
    steadyIdf: vocabulary.idf.map((weight, term) => weight * Math.sqrt(steadiness[term]!)),
  };
}

/** Of two terms in either order; its low bits are the pair's place. Other pairs may share it. */
export function pairHash(one: number, other: number): number {
  const low = one < other ? one : other;
  return mixBits(Math.imul(low, 0x9e3779b1) ^ (low ^ one ^ other));
}

/** The highest byte that stands for strengths below this one only. */
export function strengthStep(strength: number): number {
  return Math.min(255, Math.floor(strength * STEPS_PER_UNIT));
}

function createRecordReader({
  recordStart,
  records,
}: Pick<CoverageTable, 'recordStart' | 'records'>): MassesOf {
  const floats = floatsOf(records);
  return (label) => {
    const at = recordStart[label]!;
    const mass = floats[at + recordFields.mass]!;
    const terms = Array.from({ length: records[at + recordFields.termCount]! }, (_, i) => {
      const place = at + recordFields.terms + i * WORDS_OF_TERM;
      return { term: records[place]!, weight: floats[place + 1]! };
    });
    return { terms, mass, needed: (mass - floats[at + recordFields.mayMiss]!) * (1 - ROUNDING) };
  };
}

/** Labels by where their records begin, which saves a look. */
function toRecords({ start, labels }: Postings, { recordStart }: Pick<CoverageTable, 'recordStart'>) {
  return { start, records: labels.map((label) => recordStart[label]!) };
}

/** Of the labels that one term is enough of, those that are that term, and the shortest others of each taxonomy; the
 *  strongest first. */
function buildSingles(
  massesOf: MassesOf,
  { labels, vocabulary: { idf }, concepts }: CoverageInput,
): Postings {
  const all = collectPostings(labels, idf.length, (label) => {
    const { terms, needed } = massesOf(label);
    return terms.filter(({ weight }) => weight >= needed).map(({ term }) => term);
  });
  const start = new Uint32Array(idf.length + 1);
  const kept = growableUint32();
  for (let term = 0; term < idf.length; term++) {
    const ofSource = new Uint32Array(concepts.sources.length);
    const found = all.labels.subarray(all.start[term], all.start[term + 1]);
    for (const label of found.slice().sort((a, b) => labels.mass[a]! - labels.mass[b]! || a - b)) {
      const isWhole = massesOf(label).terms.length === 1;
      const source = concepts.sourceOf[labels.conceptOf[label]!]!;
      if (isWhole || ++ofSource[source]! <= MAX_GUESSES_OF_WORD) kept.push(label);
    }
    start[term + 1] = kept.length;
  }
  return { start, labels: kept.finish() };
}

/** What each place holds, strongest first. */
function buildPairs(
  massesOf: MassesOf,
  labels: LabelTable,
  { recordStart }: Pick<CoverageTable, 'recordStart'>,
): Pick<CoverageTable, 'pairs' | 'hasPair'> {
  const hashes = growableUint32();
  const found = growableUint32();
  const bounds = growableUint8();
  for (let label = 0; label < labels.conceptOf.length; label++) {
    forPairs(massesOf(label), (hash, strength) => {
      hashes.push(hash);
      found.push(recordStart[label]!);
      bounds.push(Math.min(255, strengthStep(strength) + 1));
    });
  }
  const places = 2 ** Math.ceil(Math.log2(2 * hashes.length + 2));
  const hasPair = new Uint8Array((places * BITS_PER_PLACE) / 8);
  const best = new Uint8Array(places);
  for (let i = 0; i < hashes.length; i++) {
    const place = hashes.at(i) & (places - 1);
    const bit = hashes.at(i) & (hasPair.length * 8 - 1);
    best[place] = Math.max(best[place]!, bounds.at(i));
    hasPair[bit >>> 3]! |= 1 << (bit & 7);
  }
  const { start, order } = groupByPlace(hashes.finish(), places);
  for (let place = 0; place < places; place++) {
    if (start[place + 1]! - start[place]! < 2) continue;
    order.subarray(start[place], start[place + 1]).sort((a, b) => bounds.at(b) - bounds.at(a) || a - b);
  }
  return {
    pairs: {
      start,
      records: order.map((i) => found.at(i)),
      bounds: Uint8Array.from(order, (i) => bounds.at(i)),
      best,
    },
    hasPair,
  };
}

/** Numbers of the hashes in the order of their places. */
function groupByPlace(hashes: Uint32Array, places: number): { start: Uint32Array; order: Uint32Array } {
  const start = new Uint32Array(places + 1);
  for (const hash of hashes) start[(hash & (places - 1)) + 1]!++;
  for (let place = 0; place < places; place++) start[place + 1]! += start[place]!;
  const next = start.slice();
  const order = new Uint32Array(hashes.length);
  for (let i = 0; i < hashes.length; i++) order[next[hashes[i]! & (places - 1)]!++] = i;
  return { start, order };
}

/** A text that has enough of the label has a first and a second rarest of its terms; the others it has come after those.
 *  @param visit is given the hash of the two, and the most that the label can then be worth */
function forPairs(
  { terms, mass, needed }: LabelMasses,
  visit: (hash: number, strength: number) => void,
): void {
  let fromSecond = mass;
  for (let second = 1; second < terms.length; second++) {
    fromSecond -= terms[second - 1]!.weight;
    for (let first = 0; first < second; first++) {
      const found = terms[first]!.weight + fromSecond;
      if (found < needed) continue;
      const whole = second === 1;
      const share = whole ? 1 : found / mass;
      visit(
        pairHash(terms[first]!.term, terms[second]!.term),
        wordStrength({ share, mass, whole, phraseMass: mass }) * (1 + ROUNDING),
      );
    }
  }
}
