import { pairHash, strengthStep } from './build-coverage.ts';
import type { OpenTerms } from './concept-view.ts';
import { floatsOf, recordFields, WORDS_OF_TERM } from './label-records.ts';
import { isNamedBy, type WindowContent } from './name-check.ts';
import type { AddFound, Found } from './tag-collector.ts';
import { wordStrength } from './tag-weights.ts';
import { NONE } from './term-data.ts';
import { MAX_WINDOW_WORDS } from './windows.ts';

/** The strength below which a label is of no use any more. */
export type Floor = () => number;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const noFloor: Floor = () => 0;
const MOST_STEPS = 254;

/** Finds labels of whose idf mass enough is in a window, wherever. Their strength is the share that is there, cubed, times
 *  the label's mass; of a label whose stems stand there one after the other, the mass and a bonus. A label can be found more
 *  than once, at its strongest and weaker. One for all calls; what is found is told by one object, so it is to be read at once. */
export function createCoverageFinder(terms: OpenTerms) {
  const { labels, vocabulary, coverage } = terms;
  const { records, singles, pairs, hasPair } = coverage;
  const { idf, maxIdf } = vocabulary;
  const floats = floatsOf(records);
  const placeMask = pairs.start.length - 2;
  const bitMask = hasPair.length * 8 - 1;
  // Wiped after each window: a byte a term stays in the processor's cache, and it is read for every label.
  const isInWindow = new Uint8Array(idf.length);
  const isWordInWindow = new Uint8Array(terms.lexicon.words.length);
  const distinct = new Uint32Array(MAX_WINDOW_WORDS);
  let distinctCount = 0;
  const found: Writable<Found> = {
    label: 0,
    concept: 0,
    role: 0,
    strength: 0,
    factor: 1,
    whole: false,
    isOneWord: false,
  };

  const hasWord = (word: number) => isWordInWindow[word] === 1;

  function enter({ words, terms: sequence }: WindowContent): void {
    distinctCount = 0;
    for (let at = 0; at < sequence.length; at++) {
      const term = sequence[at]!;
      if (words[at] !== NONE) isWordInWindow[words[at]!] = 1;
      if (term === NONE || isInWindow[term] === 1) continue;
      isInWindow[term] = 1;
      distinct[distinctCount++] = term;
    }
  }

  function leave({ words }: WindowContent): void {
    for (let i = 0; i < distinctCount; i++) isInWindow[distinct[i]!] = 0;
    for (let i = 0; i < words.length; i++) if (words[i] !== NONE) isWordInWindow[words[i]!] = 0;
  }

  function tell(record: number, add: AddFound): void {
    found.label = records[record + recordFields.label]!;
    found.concept = records[record + recordFields.concept]!;
    found.role = records[record + recordFields.role]!;
    add(found);
  }

  /** Labels that are the term, and those that it is enough of. */
  function findByTerm(
    term: number,
    content: WindowContent,
    { add, least }: { add: AddFound; least: number },
  ): void {
    const weight = idf[term]! / maxIdf[content.lang]!;
    for (let at = singles.start[term]!, end = singles.start[term + 1]!; at < end; at++) {
      const record = singles.records[at]!;
      const mass = floats[record + recordFields.mass]!;
      const whole = records[record + recordFields.termCount] === 1;
      const strength = wordStrength({ share: whole ? 1 : weight / mass, mass, whole, phraseMass: mass });
      // The others are weaker still.
      if (strength < least) return;
      const label = records[record + recordFields.label]!;
      if (!isNamedBy(terms, label, { inCapitals: content.inCapitals, hasWord })) continue;
      found.strength = strength;
      found.whole = whole;
      found.isOneWord = true;
      tell(record, add);
    }
  }

  function findByPair(
    place: number,
    { terms: sequence }: WindowContent,
    { add, leastStep }: { add: AddFound; leastStep: number },
  ): void {
    for (let at = pairs.start[place]!, end = pairs.start[place + 1]!; at < end; at++) {
      // The others are weaker still.
      if (pairs.bounds[at]! <= leastStep) return;
      const record = pairs.records[at]!;
      const share = shareInWindow(record);
      if (share === 0) continue;
      const mass = floats[record + recordFields.mass]!;
      const whole = share === 1 && isStretchOf(sequence, records[record + recordFields.label]!);
      found.strength = wordStrength({ share, mass, whole, phraseMass: mass });
      found.whole = whole;
      found.isOneWord = false;
      tell(record, add);
    }
  }

  /** Share of a label's idf mass in the window, or 0 when too little of it is there, or one word only. */
  function shareInWindow(record: number): number {
    const limit = floats[record + recordFields.mayMiss]!;
    let missing = 0;
    let termsFound = 0;
    let at = record + recordFields.terms;
    for (
      const end = at + records[record + recordFields.termCount]! * WORDS_OF_TERM;
      at < end;
      at += WORDS_OF_TERM
    ) {
      if (isInWindow[records[at]!] === 1) {
        termsFound++;
        continue;
      }
      missing += floats[at + 1]!;
      if (missing > limit) return 0;
    }
    return termsFound < 2 ? 0 : 1 - missing / floats[record + recordFields.mass]!;
  }

  /** Whether the label's stems stand in the window one after the other. */
  function isStretchOf(sequence: readonly number[], label: number): boolean {
    const from = labels.termStart[label]!;
    const length = labels.termStart[label + 1]! - from;
    const first = labels.terms[from]!;
    for (let start = 0; start + length <= sequence.length; start++) {
      if (sequence[start] !== first) continue;
      let at = 1;
      while (at < length && sequence[start + at] === labels.terms[from + at]) at++;
      if (at === length) return true;
    }
    return false;
  }

  return (content: WindowContent, add: AddFound, floor: Floor = noFloor): void => {
    enter(content);
    for (let i = 0; i < distinctCount; i++) {
      const term = distinct[i]!;
      const least = floor();
      const limits = { add, least, leastStep: Math.min(MOST_STEPS, strengthStep(least)) };
      findByTerm(term, content, limits);
      for (let j = 0; j < i; j++) {
        const hash = pairHash(term, distinct[j]!);
        const bit = hash & bitMask;
        if (((hasPair[bit >>> 3]! >>> (bit & 7)) & 1) === 0) continue;
        if (pairs.best[hash & placeMask]! > limits.leastStep) findByPair(hash & placeMask, content, limits);
      }
    }
    leave(content);
  };
}
