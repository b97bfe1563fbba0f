import { listTermsOfLabel } from '../build-term-data/build-terms.ts';
import type { OpenTerms } from '../concept-view.ts';
import { labelRoles } from '../term-data.ts';
import { conceptKinds } from '../types.ts';
import { type Evidence, findEvidence, isTogether, LEAST_SHARE } from './evidence.ts';
import { createLabelNames } from './label-names.ts';
import type { RankedTag, TagCandidate } from './rank-tags.ts';
import type { Place, ReadText, TextWindow, WindowContent } from './read-text.ts';
import { type Around, createSentenceSigns, markSayings } from './sentence-signs.ts';

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

/** Where a text has a tag's label, and by its words means it. */
interface Mention {
  /** The words it rests on. */
  readonly place: Place;
  /** The text asks for it; it does not only mention it. */
  readonly isAsked: boolean;
  readonly evidence: Evidence;
  /** It counts only if the label points the way of its sentence. */
  readonly needsNearness: boolean;
}

export type TextTone = 'asking' | 'talk' | 'other';

export interface CredibleTag {
  readonly tag: RankedTag;
  readonly mention: Mention;
}

const isNear = ({ nearness }: RankedTag) => nearness === null || nearness >= LEAST_NEARNESS;

/** Tells for which tags a text gives evidence, and where. The words of a label of several stand together in one clause, in an order
 *  that the language allows. A label of one word has a second sign: the sentence asks for it, it is written like a name, or it is
 *  an item of a list. Neither is a part of another name, and of what one place may mean, the first is taken. */
export function createTagJudge(terms: OpenTerms) {
  const { labels, concepts, lexicon, coverage } = terms;
  const english = lexicon.findLang('en');
  const french = lexicon.findLang('fr');
  const saysSomething = markSayings(lexicon);
  const { isLanguage, isName } = createLabelNames(terms);
  const isTrade = ({ concept }: TagCandidate) => concepts.kindOf[concept] === occupation;
  const isGroup = (tag: TagCandidate) => isTrade(tag) || concepts.kindOf[tag.concept] === domain;
  const isFirstLabel = ({ label, whole }: TagCandidate) =>
    whole && labels.roleOf[label] === labelRoles.preferred;

  /** Whether one of two tags takes the words of the other: it has more of them, it has them as its name, it is a skill and
   *  the other a trade or a group, or it is better. */
  function takesFrom(one: CredibleTag, other: CredibleTag, isBetter: boolean): boolean {
    if (one.tag.window !== other.tag.window) return false;
    const own = one.mention.place;
    const others = other.mention.place;
    if (own.from > others.from || own.to < others.to || one.mention.evidence.between > 0) return false;
    if (own.from < others.from || own.to > others.to) return true;
    const named = Number(isFirstLabel(one.tag)) - Number(isFirstLabel(other.tag));
    const skill = Number(isGroup(other.tag)) - Number(isGroup(one.tag));
    return named >= 0 && skill >= 0 && (named + skill > 0 || isBetter);
  }

  /** For one text. Mentions are found by its words alone, so that only what has one needs to be ranked. */
  return ({ read, contentIn, lang }: JudgedText) => {
    const signs = createSentenceSigns(read, lang, saysSomething);
    const mentions = new Map<number, Mention>();

    function findMention(tag: TagCandidate, share: number): Mention | null {
      if (share < LEAST_SHARE || (isTrade(tag) && !tag.whole)) return null;
      const content = contentIn(tag.window, labels.langOf[tag.label]!);
      const window = read.windows[tag.window]!;
      const label = listTermsOfLabel(labels, tag.label);
      const evidence = findEvidence(label, { content, marks: read.marks, weights: coverage.steadyIdf });
      if (evidence === null) return null;
      if (evidence.termCount > 1 && !isTogether(evidence, content.lang === english)) return null;
      const place = { from: content.places[evidence.first]!, to: content.places[evidence.last]! };
      const isAsked = signs.isAskedFor(place, { window, content, toLearn: isLanguage(tag.concept) });
      const needsNearness =
        evidence.termCount === 1
          ? labels.roleOf[tag.label] === labelRoles.alternative
          : !isAsked && (evidence.between > 0 || signs.isOwned(place));
      const mention = { place, isAsked, evidence, needsNearness };
      return isMeant(tag, mention, { window, content }) && !isOfSpeaker(tag, place, window) ? mention : null;
    }

    function isMeant(tag: TagCandidate, { place, isAsked, evidence }: Mention, around: Around): boolean {
      const { window, content } = around;
      const isPart = () => content.lang === english && signs.isFollowed(place, around);
      if (evidence.termCount > 1) return (isAsked || evidence.isInOrder) && !isPart();
      if (isLanguage(tag.concept) && !isAsked) return false;
      if (!standsInFull(tag, place, window)) return false;
      if (signs.isAlone(place, window)) return true;
      if (signs.hasOwnCapital(place, window) && isName(tag.label, tag.concept)) return true;
      if (!isAsked && !isTrade(tag)) return false;
      return !isPart() && !(content.lang === french && signs.isOfAnother(place, around));
    }

    /** Who says what they are or can do, and then what they want to learn, asks for the latter. */
    function isOfSpeaker(tag: TagCandidate, place: Place, window: TextWindow): boolean {
      return signs.isBeforeWish(place, window) && (isTrade(tag) || signs.isPersonal(window));
    }

    /** All words of a label in a row, function words too: what is left of `prendre le son` without them says nothing. */
    function standsInFull({ label }: TagCandidate, place: Place, { from, to }: TextWindow): boolean {
      const own = labels.words.subarray(labels.wordStart[label], labels.wordStart[label + 1]);
      if (own.length === 1) return true;
      for (let start = Math.max(from, place.from - own.length + 1); start <= place.from; start++) {
        if (start + own.length <= to && own.every((word, i) => read.words[start + i] === word)) return true;
      }
      return false;
    }

    /** A trade that nobody asks for is meant only if it begins its sentence, and the text names a skill. */
    function isBacked({ tag, mention }: CredibleTag, found: readonly CredibleTag[]): boolean {
      const { place, isAsked, evidence } = mention;
      if (!isTrade(tag) || isAsked || signs.isAlone(place, read.windows[tag.window]!)) return true;
      return evidence.first === 0 && found.some((other) => !isGroup(other.tag));
    }

    return {
      /** What the text is by its words, which tells how sure a guess must be. */
      tone(): TextTone {
        if (read.windows.some(signs.isAsking)) return 'asking';
        return read.windows.some(signs.isTalk) ? 'talk' : 'other';
      },
      /** Whether a text mentions a candidate so that it can be credible.
       *  @param share of the label that the window has, by weight */
      isMentioned(candidate: TagCandidate, share: number): boolean {
        const mention = findMention(candidate, share);
        if (mention !== null) mentions.set(candidate.concept, mention);
        return mention !== null;
      },
      /** @param tags best first, of which `isMentioned` was asked
       *  @return those with evidence, what the text asks for before what it mentions */
      choose(tags: readonly RankedTag[]): CredibleTag[] {
        const found: CredibleTag[] = [];
        for (const tag of tags) {
          const mention = mentions.get(tag.concept);
          if (mention !== undefined && (!mention.needsNearness || isNear(tag))) found.push({ tag, mention });
        }
        const backed = found.filter((one) => isBacked(one, found));
        const kept = backed.filter(
          (one, i) => !backed.some((other, j) => j !== i && takesFrom(other, one, j < i)),
        );
        const isAsked = ({ mention }: CredibleTag) => mention.isAsked;
        return [...kept.filter(isAsked), ...kept.filter((one) => !isAsked(one))];
      },
    };
  };
}
