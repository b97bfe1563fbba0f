import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { formatUtcTime } from '#faces/search-view/answer-view';
import { joinNames } from '#faces/words/i18n';
import { findLanguageName } from '#faces/words/language-names';
import type { KnownBlock, Message } from '../blocks/block-kit.ts';
import { actions, button, header, limits, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { option, overflowMenu } from '../blocks/menus.ts';
import { cutSlackText, escapeMrkdwn, linkTitle, toBold } from '../blocks/text.ts';
import type { ShareTarget, SlackContext } from '../listener.ts';
import { getSavedState, parseButtonValue } from '../saved-state.ts';

export function drawSkillsMessage(page: SkillsPage, words: ObjectWords): Message {
  const { state } = page;
  const isFound = state.groups.length > 0;
  const title = writeSkillsTitle(state, words);
  // From one group to all of them, or from similar terms to those they are similar to.
  const back = page.only === null ? state.back : page.token;
  return {
    text: escapeMrkdwn(isFound ? writeSkillsReadOut(state, title, words) : title),
    blocks: [
      header(title),
      ...drawStaleSkillsNote(state, words),
      ...(isFound ? drawFoundSkills(page, words) : drawNoSkills(page, words)),
      ...(back === null
        ? []
        : [actions([button({ actionId: 'skills_back', text: words.t('slackSkills.back'), value: back })])]),
    ],
  };
}

function writeSkillsTitle(state: SkillsState, { t }: ObjectWords): string {
  const { from, groups } = state;
  const [group] = groups;
  if (from === 'words') {
    const key = group === undefined ? 'slackSkills.nothing.title' : 'slackSkills.heading';
    return t(key, { asked: quoteAskedSkills(state) });
  }
  if (group === undefined) return t('slackSkills.nothing.inText');
  return t('slackSkills.headingOfText', { count: group.labels.length });
}

function writeSkillsReadOut({ groups }: SkillsState, title: string, { t, locale }: ObjectWords): string {
  const labels = listFirstSkills(groups).map(({ label }) => label);
  return t('slackSkills.named', { title, names: joinNames(labels, locale, 'unit') });
}

function drawStaleSkillsNote({ staleSinceMs }: SkillsState, { t, locale }: ObjectWords): KnownBlock[] {
  if (staleSinceMs === null) return [];
  return [smallText(t('slackSkills.stale', { at: formatUtcTime(new Date(staleSinceMs), locale) }))];
}

/** Draws other words if there are any, how else to ask, and a search for objects. */
function drawNoSkills(page: SkillsPage, words: ObjectWords): KnownBlock[] {
  const { state } = page;
  const { t } = words;
  return [
    ...drawOtherSkills(page, words),
    sectionBlock(t(state.from === 'text' ? 'slackSkills.nothing.textHint' : 'slackSkills.nothing.hint')),
    actions(listSkillsWaysOut(page, words)),
  ];
}

function drawOtherSkills(page: SkillsPage, { t }: ObjectWords): KnownBlock[] {
  const { state, token } = page;
  const { didYouMean } = state;
  const related = listRelatedSkillButtons(page);
  if (didYouMean === null)
    return related.length === 0 ? [] : [sectionBlock(t('slackSkills.nothing.instead')), actions(related)];
  const value = `${token}:${numberSkillPlaces(state).correction}`;
  const correction = button({ actionId: 'skills_try', text: didYouMean, value });
  const question = t('slackSkills.didYouMean', { term: toBold(escapeMrkdwn(didYouMean)) });
  return [sectionBlock(question), actions([correction, ...related])];
}

/** Lists the form before the search, which seldom finds objects for unknown words. */
function listSkillsWaysOut({ state, token }: SkillsPage, { t }: ObjectWords) {
  const ask = button({
    actionId: 'skills_ask',
    text: t('slackSkills.nothing.ask'),
    value: token,
    style: 'primary',
  });
  if (state.from === 'text') return [ask];
  const value = `${token}:${numberSkillPlaces(state).asked}`;
  return [ask, button({ actionId: 'skills_learn', text: t('slackSkills.nothing.search'), value })];
}

const MAX_TERMS_OF_GROUP = 20;
const MAX_QUOTED_LENGTH = 100;
/** Characters of a taxonomy in a button or beside a term. */
const MAX_TAXONOMY_LENGTH = 60;

function drawFoundSkills(page: SkillsPage, words: ObjectWords): KnownBlock[] {
  const { state, only } = page;
  const related = only === null ? listRelatedSkillButtons(page) : [];
  return [
    ...drawSkillsTextNote(state, words),
    ...drawSkillCorrection(page, words),
    ...(only === null ? drawFirstSkills(page, words) : drawSkillGroup(page, only, words)),
    ...(related.length > 0 ? [smallText(words.t('slackSkills.related')), actions(related)] : []),
  ];
}

const quoteAskedSkills = ({ asked }: Pick<SkillsState, 'asked'>): string => cutSlackText(asked, MAX_QUOTED_LENGTH);

function drawSkillsTextNote(state: SkillsState, { t, locale }: ObjectWords): KnownBlock[] {
  if (state.from === 'words') return [];
  const asked = escapeMrkdwn(quoteAskedSkills(state));
  if (state.lang === null) return [smallText(t('slackSkills.ofText', { asked }))];
  const language = findLanguageName(state.lang, locale);
  return [smallText(t('slackSkills.ofTextIn', { asked, language }))];
}

function drawSkillCorrection({ state, token }: SkillsPage, { t }: ObjectWords): KnownBlock[] {
  if (state.didYouMean === null) return [];
  const text = t('slackSkills.didYouMean', { term: toBold(escapeMrkdwn(state.didYouMean)) });
  const value = `${token}:${numberSkillPlaces(state).correction}`;
  return [sectionBlock(text, button({ actionId: 'skills_try', text: t('slackSkills.searchForIt'), value }))];
}

/** Draws the best terms, and a button for the further ones of each taxonomy. */
function drawFirstSkills({ state, token, canShare, pageOf }: SkillsPage, words: ObjectWords): KnownBlock[] {
  const { t } = words;
  const first = listFirstSkills(state.groups);
  const more = state.groups.flatMap(({ taxonomy, labels }, index) => {
    const count = labels.length - first.filter((term) => term.taxonomy === taxonomy).length;
    if (count === 0) return [];
    const named = t('slackSkills.showMore', { count });
    const text = taxonomy === null ? named : `${cutSlackText(taxonomy, MAX_TAXONOMY_LENGTH)}: ${named}`;
    return [button({ actionId: `skills_group_${index}`, text, value: `${token}:${index}` })];
  });
  return [
    ...first.map(({ number, uri, ...term }) =>
      drawSkill({ ...term, page: pageOf(uri), value: `${token}:${number}`, canShare }, words),
    ),
    ...(more.length > 0 ? [actions(more.slice(0, limits.actionsElements))] : []),
  ];
}

/** Draws a taxonomy and as many of its terms as fit. */
function drawSkillGroup(
  { state, token, canShare, pageOf }: SkillsPage,
  index: number,
  words: ObjectWords,
): KnownBlock[] {
  const group = state.groups[index];
  if (group === undefined) return [];
  const { taxonomy, labels, uris } = group;
  const first = countSkillsBefore(state.groups, index);
  const hiddenCount = labels.length - MAX_TERMS_OF_GROUP;
  const terms = labels.slice(0, MAX_TERMS_OF_GROUP);
  return [
    ...(taxonomy === null ? [] : [sectionBlock(words.t('slackSkills.source', { taxonomy: escapeMrkdwn(taxonomy) }))]),
    ...terms.map((label, place) =>
      drawSkill(
        { label, taxonomy: null, page: pageOf(uris?.[place]), value: `${token}:${first + place}`, canShare },
        words,
      ),
    ),
    ...(hiddenCount > 0 ? [smallText(words.t('slackSkills.more', { count: hiddenCount }))] : []),
  ];
}

/** Choices in a term's menu, in front of its number: `similar:<token>:<number>`. */
export const termChoices = ['learn', 'similar', 'save', 'share'] as const;

interface TermParts {
  readonly label: string;
  /** Shown beside the label; null if it is above the list. */
  readonly taxonomy: string | null;
  /** Address of the term's page; null if it has none. */
  readonly page: string | null;
  readonly value: string;
  readonly canShare: boolean;
}

/** Draws a term with its menu, in one line. */
function drawSkill({ label, taxonomy, page, value, canShare }: TermParts, { t }: ObjectWords): KnownBlock {
  const choices = termChoices.filter((choice) => choice !== 'share' || canShare);
  const menu = overflowMenu(
    'skills_menu',
    choices.map((choice) => option(`${choice}:${value}`, t(`slackSkills.menu.${choice}`))),
  );
  const source = taxonomy === null ? '' : `  ·  ${escapeMrkdwn(cutSlackText(taxonomy, MAX_TAXONOMY_LENGTH))}`;
  const name = page === null ? escapeMrkdwn(label) : linkTitle(page, label);
  return sectionBlock(`${toBold(name)}${source}`, menu);
}

function listRelatedSkillButtons({ state, token }: SkillsPage) {
  const first = numberSkillPlaces(state).related;
  return state.related.map((text, place) =>
    button({ actionId: `skills_try_${place}`, text, value: `${token}:${first + place}` }),
  );
}

/** Found terms. Buttons name a term by its number, its index in `listPlaces`. */
export interface SkillsState {
  readonly kind: 'skills';
  readonly from: 'words' | 'text';
  /** The words, or the beginning of the text. */
  readonly asked: string;
  readonly groups: readonly TermGroup[];
  /** A correction of the words; null if there is none. */
  readonly didYouMean: string | null;
  /** Related terms that are not shown at first; if nothing was found, further corrections. */
  readonly related: readonly string[];
  /** Language of the text, where it was detected: a two-letter code. */
  readonly lang: string | null;
  /** Milliseconds; when the service gave this answer, where it gives none now. */
  readonly staleSinceMs: number | null;
  readonly shareTo: ShareTarget | null;
  /** Token of the list that this one replaced; null if it replaced none. */
  readonly back: string | null;
}

interface TermGroup {
  /** Null for tags of a text: the service does not name their taxonomy. */
  readonly taxonomy: string | null;
  /** Best first. */
  readonly labels: readonly string[];
  /** Addresses of the concepts, one for each label; absent if no concept has one. */
  readonly uris?: readonly (string | null)[];
}

export interface ChosenTerm {
  readonly state: SkillsState;
  readonly token: string;
  readonly label: string;
  readonly taxonomy: string | null;
}

export interface SkillsPage {
  readonly state: SkillsState;
  readonly token: string;
  /** Index of the only group that is shown, with all of its terms; null shows the best of each. */
  readonly only: number | null;
  readonly canShare: boolean;
  /** Gives the address of a concept's page; null if it has none. */
  pageOf(uri: string | null | undefined): string | null;
}

/** How many terms are shown at first: more would fill the window. */
const MAX_FIRST = 5;

/** Lists the terms that are shown at first: the best of each taxonomy, then the second of each. */
export function listFirstSkills(groups: readonly TermGroup[]) {
  const first = [];
  for (let rank = 0; rank < MAX_FIRST; rank++)
    for (const [index, { labels, taxonomy, uris }] of groups.entries()) {
      const label = labels[rank];
      if (label === undefined) continue;
      first.push({ label, taxonomy, uri: uris?.[rank], number: countSkillsBefore(groups, index) + rank });
    }
  return first.slice(0, MAX_FIRST);
}

/** Lists all that a button may name, in the order of the numbers. */
function listPlaces({ groups, didYouMean, related, asked }: SkillsState): Pick<ChosenTerm, 'label' | 'taxonomy'>[] {
  const terms = groups.flatMap(({ taxonomy, labels }) => labels.map((label) => ({ label, taxonomy })));
  const words = [...(didYouMean === null ? [] : [didYouMean]), ...related, asked];
  return [...terms, ...words.map((label) => ({ label, taxonomy: null }))];
}

const countSkillsBefore = (groups: readonly TermGroup[], index: number): number =>
  groups.slice(0, index).reduce((sum, { labels }) => sum + labels.length, 0);

/** Numbers the correction, the first related term and the asked words, in `listPlaces`. */
function numberSkillPlaces(state: SkillsState) {
  const correction = countSkillsBefore(state.groups, state.groups.length);
  const related = correction + (state.didYouMean === null ? 0 : 1);
  return { correction, related, asked: related + state.related.length };
}

export const getSkillsState = (context: SlackContext, token: string): Promise<SkillsState> =>
  getSavedState<SkillsState>(context, { token, kind: 'skills' });

/** Gets the term that a button names. Errors: SLACK_STATE_OVER, PARAMETERS_INVALID. */
export async function getChosenSkill(context: SlackContext, value: string): Promise<ChosenTerm> {
  const { token, number } = parseButtonValue(value);
  const state = await getSkillsState(context, token);
  const place = listPlaces(state)[number];
  if (place === undefined)
    throw new AppError('PARAMETERS_INVALID', 'This button names no term of its list. Search again.');
  return { state, token, ...place };
}
