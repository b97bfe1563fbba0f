import { listTermsOfLabel } from '../build-term-data/build-terms.ts';
import type { OpenTerms } from '../concept-view.ts';
import { labelRoles } from '../term-data.ts';
import { conceptKinds } from '../types.ts';
import { type Evidence, findEvidence, isTogether, LEAST_SHARE } from './evidence.ts';
import { createLabelNames } from './label-names.ts';
import type { TagCandidate } from './prune-tags.ts';
import type { RankedTag } from './rank-tags.ts';
import { type Around, createSentenceSigns, type Place } from './sentence-signs.ts';
import type { ReadText, TextWindow, WindowContent } from './windows.ts';

/** The cosine from which a label points the way of its sentence. */
const LEAST_NEARNESS = 0.5;

const occupation = conceptKinds.indexOf('occupation');
const domain = conceptKinds.indexOf('domain');

export interface JudgedText {
  readonly read: ReadText;
  /** A window as a language reads it. */
  contentIn(window: number, lang: number): WindowContent;
  /** Two-letter code. */
  readonly lang: string;
}

/** A tag for which the text gives evidence. */
export interface CredibleTag {
  readonly tag: RankedTag;
  /** The words it rests on. */
  readonly place: Place;
  /** The text asks for it; it does not only mention it. */
  readonly isAsked: boolean;
  readonly evidence: Evidence;
}

const isNear = ({ nearness }: RankedTag) => nearness === null || nearness >= LEAST_NEARNESS;

/** Tells for which tags a text gives evidence, and where. The words of a label of several stand together in one clause, in an order
 *  that the language allows. A label of one word has a second sign: the sentence asks for it, it is written like a name, or it is
 *  an item of a list. Neither is a part of another name, and of what one place may mean, the first is taken. */
export function createTagJudge(terms: OpenTerms) {
  const { labels, concepts, lexicon, coverage } = terms;
  const english = lexicon.findLang('en');
  const french = lexicon.findLang('fr');
  const { isLanguage, isName } = createLabelNames(terms);
  const isTrade = ({ concept }: TagCandidate) => concepts.kindOf[concept] === occupation;
  const isGroup = (tag: RankedTag) => isTrade(tag) || concepts.kindOf[tag.concept] === domain;
  const isFirstLabel = ({ label, whole }: RankedTag) =>
    whole && labels.roleOf[label] === labelRoles.preferred;

  /** Whether one of two tags takes the words of the other: it has more of them, it has them as its name, it is a skill and
   *  the other a trade or a group, or it is better. */
  function takesFrom(one: CredibleTag, other: CredibleTag, isBetter: boolean): boolean {
    const [own, others] = [one.place, other.place];
    if (own.from > others.from || own.to < others.to || one.evidence.between > 0) return false;
    if (own.from < others.from || own.to > others.to) return true;
    const named = Number(isFirstLabel(one.tag)) - Number(isFirstLabel(other.tag));
    const skill = Number(isGroup(other.tag)) - Number(isGroup(one.tag));
    return named >= 0 && skill >= 0 && (named + skill > 0 || isBetter);
  }

  /** Whether there can be evidence for a tag, by what is known before it is ranked.
   *  @param share see `RankedTag` */
  function isPossible(tag: TagCandidate, share: number): boolean {
    return !(share < LEAST_SHARE || (isTrade(tag) && !tag.whole));
  }

  /** @param tags best first
   *  @return those with evidence, what the text asks for before what it mentions */
  function judge(tags: readonly RankedTag[], { read, contentIn, lang }: JudgedText): CredibleTag[] {
    const signs = createSentenceSigns(read, lang);
    const found = tags.flatMap((tag) => findCredible(tag) ?? []);
    const backed = found.filter(isBacked);
    const kept = backed.filter(
      (one, i) => !backed.some((other, j) => j !== i && takesFrom(other, one, j < i)),
    );
    return [...kept.filter(({ isAsked }) => isAsked), ...kept.filter(({ isAsked }) => !isAsked)];

    function findCredible(tag: RankedTag): CredibleTag | null {
      if (!isPossible(tag, tag.share)) return null;
      const content = contentIn(tag.window, labels.langOf[tag.label]!);
      const window = read.windows[tag.window]!;
      const label = listTermsOfLabel(labels, tag.label);
      if (label.length === 1 && labels.roleOf[tag.label] === labelRoles.alternative && !isNear(tag))
        return null;
      const evidence = findEvidence(label, { content, marks: read.marks, weights: coverage.steadyIdf });
      if (evidence === null) return null;
      if (evidence.termCount > 1 && !isTogether(evidence, content.lang === english)) return null;
      const place = { from: content.places[evidence.first]!, to: content.places[evidence.last]! };
      const isAsked = signs.isAskedFor(place, { window, content, toLearn: isLanguage(tag.concept) });
      const credible = { tag, place, isAsked, evidence };
      return isMeant(credible, { window, content }) && !isOfSpeaker(credible, window) ? credible : null;
    }

    function isMeant({ tag, place, isAsked, evidence }: CredibleTag, around: Around): boolean {
      const { window, content } = around;
      const isPart = () => content.lang === english && signs.isFollowed(place, around);
      if (evidence.termCount > 1) {
        const isNamed =
          evidence.isInOrder && (isNear(tag) || (evidence.between === 0 && !signs.isOwned(place)));
        return (isAsked || isNamed) && !isPart();
      }
      if (isLanguage(tag.concept) && !isAsked) return false;
      if (!standsInFull(tag, place, window)) return false;
      if (signs.isAlone(place, window)) return true;
      if (signs.hasOwnCapital(place, window) && isName(tag.label, tag.concept)) return true;
      if (!isAsked && !isTrade(tag)) return false;
      return !isPart() && !(content.lang === french && signs.isOfAnother(place, around));
    }

    /** Who says what they are or can do, and then what they want to learn, asks for the latter. */
    function isOfSpeaker({ tag, place }: CredibleTag, window: TextWindow): boolean {
      return signs.isBeforeWish(place, window) && (isTrade(tag) || signs.isPersonal(window));
    }

    /** All words of a label in a row, function words too: what is left of `prendre le son` without them says nothing. */
    function standsInFull({ label }: RankedTag, place: Place, { from, to }: TextWindow): boolean {
      const own = labels.words.subarray(labels.wordStart[label], labels.wordStart[label + 1]);
      if (own.length === 1) return true;
      for (let start = Math.max(from, place.from - own.length + 1); start <= place.from; start++) {
        if (start + own.length <= to && own.every((word, i) => read.words[start + i] === word)) return true;
      }
      return false;
    }

    /** A trade that nobody asks for is meant only if it begins its sentence, and the text names a skill. */
    function isBacked({ tag, place, isAsked, evidence }: CredibleTag): boolean {
      if (!isTrade(tag) || isAsked || signs.isAlone(place, read.windows[tag.window]!)) return true;
      return evidence.first === 0 && found.some((other) => !isGroup(other.tag));
    }
  }

  return { isPossible, judge };
}
