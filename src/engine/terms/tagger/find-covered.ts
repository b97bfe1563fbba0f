import type { OpenTerms } from '../concept-view.ts';
import { NONE } from '../term-data.ts';
import { createLabelRecordMatcher, recordFields, viewLabelRecordFloats } from './label-records.ts';
import { createPairGatherer, type GatheredPairs, MOST_STEPS, toPairStrengthStep } from './pair-table.ts';
import { MAX_WINDOW_WORDS, type WindowContent } from './read-text.ts';
import type { AddFound, Found } from './tag-collector.ts';
import { weighTagWord } from './tag-weights.ts';

/** The strength below which a label is of no more use. */
export type Floor = () => number;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const noFloor: Floor = () => 0;

/** Finds labels that have enough of their idf mass in a window, anywhere in it. Their strength is the share that is there, cubed,
 *  times the label's mass; of a label whose stems stand there one after the other, the mass and a bonus. A label can be found
 *  more than once, at its strongest and weaker. One for all calls; every find is passed in the same object, so read it at once. */
export function createCoveredLabelFinder(terms: OpenTerms) {
  const { vocabulary, coverage } = terms;
  const { records, singles, pairs } = coverage;
  const { idf, maxIdf } = vocabulary;
  const floats = viewLabelRecordFloats(records);
  const gatherPairs = createPairGatherer(pairs);
  // Wiped after each window: a byte a term stays in the processor's cache, and it is read for every label.
  const isInWindow = new Uint8Array(idf.length);
  const isWordInWindow = new Uint8Array(terms.lexicon.words.length);
  const { shareInWindow, isStretchOf } = createLabelRecordMatcher(records, isInWindow);
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
      const strength = weighTagWord({
        share: whole ? 1 : weight / mass,
        mass,
        whole,
        phraseMass: mass,
      });
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

  /** Labels under the pairs of a term and those before it.
   *  @param from the first of its pairs
   *  @return the first that is not */
  function findByPairs(
    from: number,
    { turn, gathered, sequence }: { turn: number; gathered: GatheredPairs; sequence: readonly number[] },
    { add, leastStep }: { add: AddFound; leastStep: number },
  ): number {
    let at = from;
    for (; at < gathered.count && gathered.turns[at] === turn; at++) {
      if (gathered.bounds[at]! <= leastStep) continue;
      const record = gathered.records[at]!;
      const share = shareInWindow(record);
      if (share === 0) continue;
      const mass = floats[record + recordFields.mass]!;
      const whole = share === 1 && isStretchOf(sequence, record);
      found.strength = weighTagWord({ share, mass, whole, phraseMass: mass });
      found.whole = whole;
      found.isOneWord = false;
      tell(record, add);
    }
    return at;
  }

  return (content: WindowContent, add: AddFound, floor: Floor = noFloor): void => {
    enter(content);
    const gathered = gatherPairs(distinct, distinctCount, stepBelow(floor()));
    let next = 0;
    for (let turn = 0; turn < distinctCount; turn++) {
      const least = floor();
      findByTerm(distinct[turn]!, content, { add, least });
      next = findByPairs(
        next,
        { turn, gathered, sequence: content.terms },
        { add, leastStep: stepBelow(least) },
      );
    }
    leave(content);
  };
}

function stepBelow(strength: number): number {
  return Math.min(MOST_STEPS, toPairStrengthStep(strength));
}

/** Whether the one word that a window has of a label names it: the word itself and not only its stem (`milk` is not
 *  milking), an acronym in capitals (`cat` is not computer-assisted translation).
 *  @param hasWord whether the ordinal is of such a word */
function isNamedBy(
  { labels, lexicon }: OpenTerms,
  label: number,
  { inCapitals, hasWord }: { inCapitals: ReadonlySet<string>; hasWord: (word: number) => boolean },
): boolean {
  for (let at = labels.wordStart[label]!; at < labels.wordStart[label + 1]!; at++) {
    const word = labels.words[at]!;
    if (labels.isAcronym[at] === 1 ? inCapitals.has(lexicon.words[word]!) : hasWord(word)) return true;
  }
  return false;
}
