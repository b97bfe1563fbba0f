import { toTaxonomyName } from '#domain/catalog';
import { foldText, toOneLine } from '#domain/text';
import { linkSkillPage } from '#faces/object-view/skill-address';
import type { SkillResults, TagResults } from '#services/searching/discovery/results';
import { listSkillSpellings } from '#services/searching/discovery/skills';
import { divider, type Message } from '../blocks/block-kit.ts';
import { cutSlackText } from '../blocks/text.ts';
import { quoteTerm } from '../learn/understand.ts';
import type { Reply, ShareTarget, SlackContext } from '../listener.ts';
import { findShareTarget } from '../share.ts';
import type { SkillsPage, SkillsState } from './skills-message.ts';
import { drawSkillsMessage, getSkillsState, listFirstSkills } from './skills-message.ts';

/** Shows skills for words or a text. Errors: those of `Discovery`. */
export async function showSkills(
  context: SlackContext,
  text: string,
  shareTo: ShareTarget | null = null,
): Promise<Message> {
  return showSkillsResult(context, await findSkillsToShow(context, text), { shareTo, back: null });
}

/** Shows terms like the one with this label, however long that is. Errors: those of `Discovery`. */
export async function showSimilarSkills(context: SlackContext, label: string, options: ShowOptions): Promise<Message> {
  return showSkillsResult(context, toSkillsResult(await findSkillTerms(context, label), label), options);
}

const MAX_SKILLS_OF_TEXT = 5;

/** Shows skills of a text, and the best objects for the first; null if no skill is recognised. */
export async function showSkillsOfText(
  context: SlackContext,
  text: string,
  shareTo: ShareTarget | null,
): Promise<Message | null> {
  const result = await findSkillsInText(context, text);
  const [group] = result.groups;
  const [first] = group?.labels ?? [];
  if (group === undefined || first === undefined) return null;
  const groups = [{ ...group, labels: group.labels.slice(0, MAX_SKILLS_OF_TEXT) }];
  const [skills, objects] = await Promise.all([
    showSkillsResult(context, { ...result, groups }, { shareTo, back: null }),
    context.learn.search(context, quoteTerm(first), shareTo),
  ]);
  return { text: skills.text, blocks: [...skills.blocks, divider, ...objects.blocks] };
}

interface ShowOptions {
  readonly shareTo: ShareTarget | null;
  /** Token of the list that these skills replace, for the way back; or null. */
  readonly back: string | null;
}

async function showSkillsResult(context: SlackContext, result: SkillsResult, options: ShowOptions): Promise<Message> {
  const state: SkillsState = { kind: 'skills', ...result, ...options };
  const token = await context.savedStates.keep(context.owner, state);
  return drawSkills(context, { state, token, only: null });
}

/** @param only index of a group; null for the best of each. Errors: SLACK_STATE_OVER. */
export async function showSkillsAgain(context: SlackContext, token: string, only: number | null): Promise<Reply> {
  const state = await getSkillsState(context, token);
  return { kind: 'replace', message: await drawSkills(context, { state, token, only }) };
}

async function drawSkills(context: SlackContext, page: Pick<SkillsPage, 'state' | 'token' | 'only'>): Promise<Message> {
  const canShare = (page.state.shareTo ?? findShareTarget(context)) !== null;
  const pageOf: SkillsPage['pageOf'] = (uri) => {
    const path = linkSkillPage(context, uri ?? undefined);
    return path && context.publicUrl + path;
  };
  return drawSkillsMessage({ ...page, canShare, pageOf }, await context.words());
}

/** The skills of a state, regardless of where they will be shown. */
type SkillsResult = Omit<SkillsState, 'kind' | 'shareTo' | 'back'>;

type FindingContext = Pick<SlackContext, 'discovery' | 'words'>;
const MAX_TEXT_LENGTH = 20_000;
/** How many terms are asked for: those that are shown at first, and some to ask for. */
const MAX_TERMS = 40;
const MAX_RELATED = 5;
/** A service may send labels of any length; longer ones are cut before they are kept and shown. */
const MAX_LABEL_LENGTH = 150;
const MAX_ASKED_LENGTH = 300;
/** Words that name no skill may be a sentence that mentions one. */
const MIN_SENTENCE_WORDS = 4;
/** Terms with a lower score only share a word or two with the words. */
const MIN_NAME_SCORE = 0.5;

/** Finds terms for words; tags for a text, or where no term fits. Errors: those of `Discovery`. */
async function findSkillsToShow(context: FindingContext, text: string): Promise<SkillsResult> {
  const trimmed = text.trim();
  if (isLongText(trimmed)) return findSkillsInText(context, trimmed);
  const keywords = toOneLine(trimmed);
  const terms = await findSkillTerms(context, keywords);
  const result = toSkillsResult(terms, keywords);
  const isNamed = terms.terms.some(({ score = 1 }) => score >= MIN_NAME_SCORE);
  if (isNamed || trimmed.split(/\s+/).length < MIN_SENTENCE_WORDS) return result;
  const inText = await findSkillsInText(context, trimmed);
  return inText.groups.length > 0 ? inText : result;
}

/** Omits the synonyms of a taxonomy, unless only they fit; then they stand for its terms. */
function omitSkillSynonyms<G extends { readonly taxonomy: string }>(groups: readonly G[]): G[] {
  const names = new Set(groups.map(({ taxonomy }) => taxonomy));
  return groups
    .map((group) => ({ ...group, taxonomy: toTaxonomyName(group.taxonomy) }))
    .filter(({ taxonomy }, place) => groups[place]?.taxonomy === taxonomy || !names.has(taxonomy));
}

async function findSkillTerms({ discovery, words }: FindingContext, keywords: string): Promise<SkillResults> {
  const { locale } = await words();
  return discovery.findSkills({ keywords, max: MAX_TERMS, prefer: locale });
}

function toSkillsResult(result: SkillResults, keywords: string): SkillsResult {
  const groups = omitSkillSynonyms(
    result.groups
      .map(({ taxonomy, terms }) => ({ taxonomy: toSkillLabel(taxonomy) || '–', ...toSkillLabelsAndUris(terms) }))
      .filter(({ labels }) => labels.length > 0),
  );
  const [didYouMean = null, ...corrections] = listSkillCorrections(result, keywords);
  const shown = new Set(listFirstSkills(groups).map(({ label }) => foldText(label)));
  const synonyms = result.groups.filter(({ taxonomy }) => toTaxonomyName(taxonomy) !== taxonomy);
  const hidden = new Set(synonyms.flatMap(({ terms }) => toSkillLabels(terms)));
  // These fit the words less than the labels that are shown.
  const furtherLabels = toSkillLabels(result.terms).filter(
    (label) => !shown.has(foldText(label)) && !hidden.has(label),
  );
  return {
    from: 'words',
    asked: cutSlackText(keywords, MAX_ASKED_LENGTH),
    groups,
    didYouMean,
    related: (groups.length > 0 ? furtherLabels : corrections).slice(0, MAX_RELATED),
    lang: null,
    ...findSkillsStaleness(result),
  };
}

/** Finds the tags of a text. Errors: those of `Discovery`. */
async function findSkillsInText({ discovery }: Pick<SlackContext, 'discovery'>, text: string): Promise<SkillsResult> {
  const result = await discovery.tagText(cutSlackText(text, MAX_TEXT_LENGTH));
  const named = toSkillLabelsAndUris(
    result.tags.map((label, place) => ({ label, concept: result.concepts?.[place]?.uri })),
  );
  return {
    from: 'text',
    asked: cutSlackText(toOneLine(text), MAX_ASKED_LENGTH),
    groups: named.labels.length === 0 ? [] : [{ taxonomy: null, ...named }],
    didYouMean: null,
    related: [],
    lang: result.isLangDetected ? result.lang : null,
    ...findSkillsStaleness(result),
  };
}

/** The longest name of a skill or a job. */
const MAX_NAME_LENGTH = 80;
/** The end of a sentence with two words or more: "Sr. developer" is none. */
const SENTENCE_END = /(?:\p{L}+['’\-\s]+){2,}\p{L}+[.!?…](?=\s+\S)/u;

/** Whether it is a text that mentions skills: several lines or sentences, or long. */
export function isLongText(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length > MAX_NAME_LENGTH || /[\r\n]/.test(trimmed) || SENTENCE_END.test(trimmed);
}

/** Lists other spellings, best first; none if a term has the words as they were typed. */
function listSkillCorrections({ terms, suggestions }: SkillResults, keywords: string): string[] {
  const folded = foldText(keywords);
  const isSpelledSo = [...terms, ...suggestions].some(({ label }) => foldText(label).includes(folded));
  if (terms.length > 0 && isSpelledSo) return [];
  return toSkillLabels(listSkillSpellings(suggestions, keywords));
}

/** Lists each different label once, without blank ones. */
const toSkillLabels = (terms: readonly { readonly label: string }[]): string[] =>
  [...new Set(terms.map(({ label }) => toSkillLabel(label)))].filter((label) => label !== '');

/** Splits terms into labels and the concept of each label, that of its first term. */
function toSkillLabelsAndUris(terms: readonly { readonly label: string; readonly concept?: string | undefined }[]) {
  const labels = toSkillLabels(terms);
  const concepts = new Map(terms.toReversed().map(({ label, concept }) => [toSkillLabel(label), concept ?? null]));
  return { labels, uris: labels.map((label) => concepts.get(label) ?? null) };
}

const toSkillLabel = (label: string): string => cutSlackText(toOneLine(label), MAX_LABEL_LENGTH);

const findSkillsStaleness = ({ source }: SkillResults | TagResults): Pick<SkillsResult, 'staleSinceMs'> => ({
  staleSinceMs: source.freshness === 'stale' ? source.answeredAt.getTime() : null,
});
