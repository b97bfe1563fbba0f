import { listTermsOfLabel } from '../build-term-data/build-terms.ts';
import { findConceptLabel, type OpenTerms } from '../concept-view.ts';
import { labelRoles } from '../term-data.ts';
import { conceptKinds } from '../types.ts';
import { type Evidence, findEvidence, isTogether, MIN_SHARE } from './evidence.ts';
import { isLanguageName, isNameLabel, isQualifiedLabel, isVerbLabel, openLabelNames } from './label-names.ts';
import type { RankedTag, TagCandidate } from './rank-tags.ts';
import type { Place, ReadText, TextWindow, WindowContent } from './read-text.ts';
import type { SentenceSigns } from './sentence-signs.ts';
import * as sentence from './sentence-signs.ts';

/** The minimum cosine of a label and its sentence if a tag needs nearness. */
const MIN_NEARNESS = 0.5;

/** The minimum share of the name of a skill that lacks its verb. */
const MIN_VERBLESS_SHARE = 0.6;

const skill = conceptKinds.indexOf('skill');
const occupation = conceptKinds.indexOf('occupation');
const domain = conceptKinds.indexOf('domain');

interface TextToJudge {
  readonly read: ReadText;
  /** Reads a window in a language, by their ordinals. */
  contentIn(window: number, lang: number): WindowContent;
  /** The two-letter code of the text's language. */
  readonly lang: string;
}

/** A place where a text mentions a tag's label, and by its words means it. */
interface Mention {
  readonly place: Place;
  /** Tells that the text asks for the skill; otherwise it only mentions it. */
  readonly isAsked: boolean;
  readonly evidence: Evidence;
  /** The mention counts only if the label is near to the sentence in meaning. */
  readonly needsNearness: boolean;
  /** The mention counts only if the text mentions something else, too. */
  readonly needsCompany: boolean;
}

/** Whether the text asks for learning or is talk, and whether it is chat between people. */
type TextTone = { readonly kind: 'asking' | 'talk' | 'other'; readonly isChat: boolean };
export type CredibleTag = { readonly tag: RankedTag; readonly mention: Mention };

export type TagJudge = ReturnType<typeof createTagJudge>;

/** Prepares what the judgement of all texts needs of an index. */
export function createTagJudge(terms: OpenTerms) {
  const { lexicon } = terms;
  return {
    terms,
    english: lexicon.findLang('en'),
    french: lexicon.findLang('fr'),
    signWords: sentence.markSignWords(lexicon),
    names: openLabelNames(terms),
  };
}

interface TextJudgement extends TextToJudge {
  readonly judge: TagJudge;
  readonly signs: SentenceSigns;
  /** The mention of each concept, as far as `isTagMentioned` has found it. */
  readonly mentions: Map<number, Mention>;
}

/** Begins to judge for which tags a text gives evidence, and where:
 *  - The words of a longer label are together in one clause, in an order that the language allows.
 *  - A label of one word has a second sign: the sentence asks for it, it is written like a name, or
 *  it is an item of a list.
 *  - Neither is a part of another name.
 *  - Of the tags that one place may mean, only the best is taken. */
export function judgeTagText(judge: TagJudge, text: TextToJudge): TextJudgement {
  const { read, contentIn, lang } = text;
  return { read, contentIn, lang, judge, signs: sentence.openSigns(read, lang, judge.signWords), mentions: new Map() };
}

/** Finds out whether a text asks for learning, or is talk between people, by its words. */
export function findTone({ read, signs }: TextJudgement): TextTone {
  const hasTalk = read.windows.some((window) => sentence.hasTalkSign(signs, window));
  const isAsking = read.windows.some((window) => sentence.hasAskingSign(signs, window));
  return { kind: isAsking ? 'asking' : hasTalk ? 'talk' : 'other', isChat: sentence.isChat(signs) };
}

/** Tells whether a candidate has a mention that can be credible, and remembers the mention.
 *  @param share the share of the label that its window has, by weight */
export function isTagMentioned(text: TextJudgement, candidate: TagCandidate, share: number): boolean {
  const mention = findTagMention(text, candidate, share);
  if (mention !== null) text.mentions.set(candidate.concept, mention);
  return mention !== null;
}

/** Chooses the tags with evidence; those that the text asks for come first.
 *  @param tags best first, seen by `isTagMentioned` */
export function chooseCredibleTags(text: TextJudgement, tags: readonly RankedTag[]): CredibleTag[] {
  const { terms } = text.judge;
  const mentioned: CredibleTag[] = [];
  for (const tag of tags) {
    const mention = text.mentions.get(tag.concept);
    if (mention !== undefined && (!mention.needsNearness || tag.nearness >= MIN_NEARNESS))
      mentioned.push({ tag, mention });
  }
  const backed = mentioned.filter((tag) => isTagBacked(text, tag, mentioned));
  const credible = backed.filter(
    (tag, i) => !backed.some((rival, j) => j !== i && takesPlaceOf(terms, rival, tag, j < i)),
  );
  return [...credible.filter(({ mention }) => mention.isAsked), ...credible.filter(({ mention }) => !mention.isAsked)];
}

function findTagMention(text: TextJudgement, tag: TagCandidate, share: number): Mention | null {
  const { terms, names, english } = text.judge;
  const { labels, coverage } = terms;
  if (share < MIN_VERBLESS_SHARE || (isOccupationTag(terms, tag) && !tag.whole)) return null;
  if (share < MIN_SHARE && !isNameOfSkill(terms, tag)) return null;
  const content = text.contentIn(tag.window, labels.langOf[tag.label]!);
  const window = text.read.windows[tag.window]!;
  const labelTerms = listTermsOfLabel(labels, tag.label);
  if (share < MIN_SHARE && !mayLackVerb(labelTerms, content)) return null;
  const evidence = findEvidence(labelTerms, { content, marks: text.read.marks, weights: coverage.steadyIdf });
  if (evidence === null) return null;
  const isVerbless = lacksOnlyVerb(evidence, labelTerms) && isNameOfSkill(terms, tag);
  if (share < MIN_SHARE && !isVerbless) return null;
  if (evidence.termCount > 1 && !isVerbless && !isTogether(evidence, content.lang === english)) return null;
  const place = { from: content.places[evidence.first]!, to: content.places[evidence.last]! };
  const toLearn = isLanguageName(names, tag.concept);
  const isAsked = sentence.isAskedFor(text.signs, place, { window, content, toLearn });
  if (isVerbless && !isAsked) return null;
  const needsNearness =
    evidence.termCount === 1
      ? labels.roleOf[tag.label] === labelRoles.alternative
      : !isAsked &&
        (evidence.between > 0 || sentence.hasPersonSignBetween(text.signs, place) || isTalk(text.signs, window));
  const mention = { place, isAsked, evidence, needsNearness };
  const meaning = findTagMeaning(text, tag, mention, { window, content });
  if (meaning === null || isNarrowerTag(terms, tag, content) || isTagAboutSpeaker(text, tag, place, window))
    return null;
  return { place, isAsked, evidence, needsNearness, needsCompany: meaning.needsCompany };
}

/** Tells whether a window lacks the first term of a longer label, and no other one. */
function mayLackVerb([verb, ...nouns]: readonly number[], { terms }: WindowContent): boolean {
  return nouns.length >= 2 && !terms.includes(verb!) && nouns.every((term) => terms.includes(term));
}

/** Tells whether a text has all words of a label but its verb in a row: whoever asks for `heat
 *  pumps` asks for `install heat pumps`. */
function lacksOnlyVerb(evidence: Evidence, label: readonly number[]): boolean {
  const { matched, lacksOnlyMinor, isInOrder, between, commas } = evidence;
  if (label.length < 3 || matched.length !== label.length - 1) return false;
  return lacksOnlyMinor && isInOrder && between === 0 && commas === 0 && !matched.includes(label[0]!);
}

const isTalk = (signs: SentenceSigns, window: TextWindow): boolean =>
  sentence.hasTalkSign(signs, window) && !sentence.hasAskingSign(signs, window);

/** Tells whether a label only shortens the name of a skill, whose other words the text lacks: `cost
 *  estimation` of `estimate construction costs`. The verb may be missing. */
function isNarrowerTag(terms: OpenTerms, { label, concept }: TagCandidate, content: WindowContent): boolean {
  const { labels, vocabulary, concepts } = terms;
  if (labels.roleOf[label] !== labelRoles.alternative || concepts.kindOf[concept] !== skill) return false;
  const short = listTermsOfLabel(labels, label);
  if (short.length < 2) return false;
  const name = findConceptLabel(terms, concept, vocabulary.langs[content.lang]!);
  const preferred = labels.terms.subarray(labels.termStart[name], labels.termStart[name + 1]);
  if (!short.every((term) => preferred.includes(term))) return false;
  return preferred.some((term) => term !== preferred[0] && !content.terms.includes(term));
}

/** Finds out from the words around a mention whether the label is meant, perhaps only in company.
 *  @returns null if it is not meant */
function findTagMeaning(
  text: TextJudgement,
  tag: TagCandidate,
  mention: Omit<Mention, 'needsCompany'>,
  around: { readonly window: TextWindow; readonly content: WindowContent },
): Pick<Mention, 'needsCompany'> | null {
  const { signs } = text;
  const { terms, names, english, french } = text.judge;
  const { place, isAsked, evidence } = mention;
  const { window, content } = around;
  const isPart = () => content.lang === english && sentence.isCompoundPart(signs, place, around);
  const meantIf = (isMeant: boolean, needsCompany = false) => (isMeant ? { needsCompany } : null);
  if (evidence.termCount > 1) {
    // French skills are infinitives; in talk, another form tells what somebody does.
    const isReport = () => content.lang === french && isTalk(signs, window);
    const isNamed = evidence.isInOrder && (!isReport() || hasAllTagWords(text, tag, place, window));
    return meantIf((isAsked || isNamed) && !isPart());
  }
  if (isVerbLabel(terms, tag.concept) || (isLanguageName(names, tag.concept) && !isAsked)) return null;
  if (!hasAllTagWords(text, tag, place, window)) return null;
  const isBare = isQualifiedLabel(terms, tag.label, tag.concept);
  const isWhole = place.from === window.from && place.to + 1 === window.to;
  if (sentence.isListItem(signs, place, window)) return meantIf(true, isBare && !isAsked && !isWhole);
  const isNamed = sentence.beginsWithCapital(signs, place, window) && isNameLabel(names, tag.label, tag.concept);
  if (isNamed && !isBare) return meantIf(true);
  if (!isAsked && !isTalk(signs, window) && sentence.isJoinedItem(signs, place, window)) return meantIf(true, true);
  if (!isAsked && !isOccupationTag(terms, tag)) return null;
  return meantIf(!isPart() && !(content.lang === french && sentence.isGenitive(signs, place, around)));
}

/** Tells whether a tag is about what people can do: if they say so first, and then what they
 *  want to learn, they ask for the latter. */
function isTagAboutSpeaker(text: TextJudgement, tag: TagCandidate, place: Place, window: TextWindow): boolean {
  if (!sentence.isBeforeWish(text.signs, place, window)) return false;
  return isOccupationTag(text.judge.terms, tag) || sentence.hasPersonSign(text.signs, window);
}

/** Tells whether a text has all words of a label, with its function words: without those,
 *  `prendre le son` says nothing. */
function hasAllTagWords(
  { read, judge }: TextJudgement,
  { label }: TagCandidate,
  place: Place,
  { from, to }: TextWindow,
): boolean {
  const { labels } = judge.terms;
  const words = labels.words.subarray(labels.wordStart[label], labels.wordStart[label + 1]);
  if (words.length === 1) return true;
  for (let start = Math.max(from, place.from - words.length + 1); start <= place.from; start++) {
    if (start + words.length <= to && words.every((word, i) => read.words[start + i] === word)) return true;
  }
  return false;
}

/** Tells whether the rest of a text supports a tag: an occupation that nobody asks for must
 *  begin its sentence, in a text that names a skill. */
function isTagBacked(
  { signs, read, judge }: TextJudgement,
  { tag, mention }: CredibleTag,
  mentioned: readonly CredibleTag[],
): boolean {
  const { place, isAsked, evidence, needsCompany } = mention;
  if (needsCompany && !mentioned.some((companion) => companion.mention.place.from !== place.from)) return false;
  if (!isOccupationTag(judge.terms, tag) || isAsked) return true;
  if (sentence.isListItem(signs, place, read.windows[tag.window]!)) return true;
  return evidence.first === 0 && mentioned.some((companion) => !isGroupTag(judge.terms, companion.tag));
}

/** Tells whether a rival takes the words of a tag: it has more of them, it has them as its
 *  preferred label, only it is a skill, or it is better. */
function takesPlaceOf(terms: OpenTerms, rival: CredibleTag, { tag, mention }: CredibleTag, isBetter: boolean): boolean {
  if (rival.tag.window !== tag.window || rival.mention.evidence.between > 0) return false;
  const { place: a } = rival.mention;
  const { place: b } = mention;
  if (a.from > b.from || a.to < b.to) return false;
  if (a.from < b.from || a.to > b.to) return true;
  const byName = Number(isPreferredLabel(terms, rival.tag)) - Number(isPreferredLabel(terms, tag));
  const bySkill = Number(isGroupTag(terms, tag)) - Number(isGroupTag(terms, rival.tag));
  return byName >= 0 && bySkill >= 0 && (byName + bySkill > 0 || isBetter);
}

const isOccupationTag = ({ concepts }: OpenTerms, { concept }: TagCandidate) => concepts.kindOf[concept] === occupation;

const isGroupTag = (terms: OpenTerms, tag: TagCandidate) =>
  isOccupationTag(terms, tag) || terms.concepts.kindOf[tag.concept] === domain;

const isNameOfSkill = ({ concepts, labels }: OpenTerms, { concept, label }: TagCandidate) =>
  concepts.kindOf[concept] === skill && labels.roleOf[label] === labelRoles.preferred;

const isPreferredLabel = ({ labels }: OpenTerms, { label, whole }: TagCandidate) =>
  whole && labels.roleOf[label] === labelRoles.preferred;
