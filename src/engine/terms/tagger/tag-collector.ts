import type { OpenTerms } from '../concept-view.ts';
import type { TagCandidate } from './rank-tags.ts';
import * as weights from './tag-weights.ts';

const MIN_STRENGTH = weights.toTagStrength(weights.COMPANION_FLOOR);
const MIN_CREDIBLE = weights.toTagStrength(weights.TAG_FLOOR);
/** Stands for the window of a label that no window has repeated. */
const NOWHERE = 0xffffffff;

/** A label that a window has. */
export interface LabelHit extends Pick<TagCandidate, 'label' | 'concept' | 'whole' | 'isOneWord'> {
  /** One of `labelRoles`. */
  readonly role: number;
  /** The strength by the words that match. */
  readonly strength: number;
  /** The factor of the strength, below 1 for a label in another language. */
  readonly factor: number;
}

export type AddHit = (hit: LabelHit) => void;

interface TextToCollect {
  /** The ordinal of the only taxonomy to collect, or -1 for all. */
  readonly source: number;
  readonly limit: number;
  readonly windowCount: number;
}

export type TagCollection = ReturnType<typeof createTagCollection>;

/** Collects the strongest label of each concept in a text. Its arrays are by concept. */
export function createTagCollection({ concepts }: OpenTerms) {
  const count = concepts.sourceOf.length;
  return {
    sourceOf: concepts.sourceOf,
    strength: new Float32Array(count),
    factor: new Float32Array(count),
    label: new Uint32Array(count),
    window: new Uint32Array(count),
    whole: new Uint8Array(count),
    oneWord: new Uint8Array(count),
    /** In how many windows the text has a whole label of the concept, and the last of them. */
    repeats: new Uint16Array(count),
    repeatedIn: new Uint32Array(count),
    strongest: createStrengthFloor(),
    /** The concepts with a label. */
    seen: [] as number[],
    source: -1,
    limit: 0,
    maxRepetition: 1,
  };
}

export function startTagCollection(collection: TagCollection, { source, limit, windowCount }: TextToCollect): void {
  for (const concept of collection.seen) {
    collection.strength[concept] = 0;
    collection.repeats[concept] = 0;
  }
  collection.seen = [];
  collection.source = source;
  collection.limit = limit;
  collection.maxRepetition = weights.weighTagRepetition(windowCount);
  collection.strongest.start(limit);
}

/** Creates a function that adds a hit: a closure over the arrays, as it runs for each label. */
export function createLabelAdder(collection: TagCollection) {
  const { strength, factor, label, window, whole, oneWord, repeats, repeatedIn, sourceOf, strongest } = collection;
  return (hit: LabelHit, inWindow: number): void => {
    const { concept } = hit;
    const before = strength[concept]!;
    const hitFactor = hit.factor * weights.ROLE_FACTORS[hit.role]!;
    const weighted = hit.strength * hitFactor;
    // Most labels belong to a concept with a stronger label.
    if (!hit.whole && weighted <= before) return;
    if (collection.source >= 0 && sourceOf[concept] !== collection.source) return;
    if (before === 0) {
      collection.seen.push(concept);
      repeatedIn[concept] = NOWHERE;
    }
    if (hit.whole && repeatedIn[concept] !== inWindow) {
      repeats[concept]!++;
      repeatedIn[concept] = inWindow;
    }
    if (weighted <= before) return;
    if ((hit.whole || !hit.isOneWord) && weighted >= MIN_CREDIBLE) strongest.raise(before, weighted);
    strength[concept] = weighted;
    factor[concept] = hitFactor;
    label[concept] = hit.label;
    window[concept] = inWindow;
    whole[concept] = hit.whole ? 1 : 0;
    oneWord[concept] = hit.isOneWord ? 1 : 0;
  };
}

/** Finds the strength below which no label can be among the strongest, even if it is repeated. */
export function findStrengthFloor({ strongest, maxRepetition }: TagCollection): number {
  return strongest.floor() / maxRepetition;
}

/** Lists the strongest candidates of the text that count, best first. */
export function listStrongestTags(collection: TagCollection): TagCandidate[] {
  const { seen, strongest, limit } = collection;
  const min = Math.max(MIN_STRENGTH, strongest.floor());
  const candidates: TagCandidate[] = [];
  for (const concept of seen) {
    const repetition = weights.weighTagRepetition(collection.repeats[concept]!);
    const strength = collection.strength[concept]! * repetition;
    if (strength >= min)
      candidates.push({
        concept,
        label: collection.label[concept]!,
        window: collection.window[concept]!,
        whole: collection.whole[concept] === 1,
        isOneWord: collection.oneWord[concept] === 1,
        strength,
        factor: collection.factor[concept]! * repetition,
      });
  }
  const sureWindows = new Set(candidates.filter(isSureTag).map((candidate) => candidate.window));
  return candidates
    .filter((candidate) => isCredibleTag(candidate, sureWindows))
    .sort((a, b) => b.strength - a.strength || a.concept - b.concept)
    .slice(0, limit);
}

/** Tells whether a candidate counts. One word of a longer label is only a guess. A guess or a weak
 *  candidate counts only if its window has a sure candidate. */
function isCredibleTag(candidate: TagCandidate, sureWindows: ReadonlySet<number>): boolean {
  const confidence = weights.toTagConfidence(candidate.strength);
  if (!isGuessedTag(candidate) && confidence >= weights.TAG_FLOOR) return true;
  return sureWindows.has(candidate.window) && confidence >= weights.COMPANION_FLOOR;
}

const isGuessedTag = ({ whole, isOneWord }: TagCandidate): boolean => isOneWord && !whole;

function isSureTag(candidate: TagCandidate): boolean {
  return !isGuessedTag(candidate) && weights.toTagConfidence(candidate.strength) >= weights.SURE_CONFIDENCE;
}

/** The resolution and the size of the histogram of strengths. */
const STEPS_PER_UNIT = 64;
const STEPS = 1024;

/** Tracks the highest strength that at least `limit` concepts have reached. */
export function createStrengthFloor() {
  const counts = new Uint32Array(STEPS);
  let limit = 0;
  let floorStep = 0;
  let above = 0;

  return {
    start(newLimit: number) {
      counts.fill(0);
      limit = newLimit;
      floorStep = 0;
      above = 0;
    },
    /** Moves a concept from its strength (0 if it is new) to a higher one. */
    raise(from: number, to: number) {
      const fromStep = stepOf(from);
      const toStep = stepOf(to);
      if (counts[fromStep]! > 0 && fromStep > 0) {
        counts[fromStep]!--;
        if (fromStep > floorStep) above--;
      }
      counts[toStep]!++;
      if (toStep > floorStep) above++;
      while (above - counts[floorStep + 1]! >= limit) above -= counts[++floorStep]!;
    },
    floor: () => (floorStep === 0 ? 0 : (floorStep + 1) / STEPS_PER_UNIT),
  };
}

const stepOf = (strength: number): number => Math.min(STEPS - 2, Math.floor(strength * STEPS_PER_UNIT));
