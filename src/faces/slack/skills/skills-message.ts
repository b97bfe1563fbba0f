import type { ObjectWords } from '#faces/object-view/facts';
import { findLanguageName } from '#faces/words/language-names';
import {
  actions,
  button,
  header,
  type KnownBlock,
  limits,
  type Message,
  section,
  smallText,
} from '../blocks/block-kit.ts';
import { option, overflowMenu } from '../blocks/menus.ts';
import { cutText, escapeMrkdwn, toBold } from '../blocks/text.ts';
import {
  MAX_GROUPS,
  MAX_TERMS_OF_EACH,
  numberGroup,
  numberPlaces,
  type SkillsPage,
  type SkillsState,
  type TermGroup,
} from './skills-state.ts';

/** Named in the text that stands for the blocks. */
const MAX_NAMED = 5;

export function drawSkillsMessage(shown: SkillsPage, words: ObjectWords): Message {
  const { state } = shown;
  const isFound = state.groups.length > 0;
  const title = writeTitle(state, words);
  return {
    text: escapeMrkdwn(isFound ? namesOf(state, title, words) : title),
    blocks: [
      header(title),
      ...staleBlocks(state, words),
      ...(isFound ? drawSkillBlocks(shown, words) : nothingBlocks(shown, words)),
      ...backBlocks(shown, words),
    ],
  };
}

function writeTitle(state: SkillsState, { t }: ObjectWords): string {
  const { from, groups } = state;
  const [group] = groups;
  if (from === 'words') {
    const key = group === undefined ? 'slackSkills.nothing.title' : 'slackSkills.heading';
    return t(key, { asked: quoteAskedSkills(state) });
  }
  if (group === undefined) return t('slackSkills.nothing.inText');
  return t('slackSkills.headingOfText', { count: group.labels.length });
}

function namesOf({ groups }: SkillsState, title: string, { t, locale }: ObjectWords): string {
  const labels = groups.flatMap((group) => group.labels).slice(0, MAX_NAMED);
  const names = new Intl.ListFormat(locale, { type: 'unit' }).format(labels);
  return t('slackSkills.named', { title, names });
}

function staleBlocks({ staleSinceMs }: SkillsState, { t, locale }: ObjectWords): KnownBlock[] {
  if (staleSinceMs === null) return [];
  const time = new Date(staleSinceMs).toLocaleString(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return [smallText(t('slackSkills.stale', { at: `${time} UTC` }))];
}

/** From one group to all of them, or from similar terms to those they are similar to. */
function backBlocks({ state, token, only }: SkillsPage, { t }: ObjectWords): KnownBlock[] {
  const value = only === null ? state.back : token;
  if (value === null) return [];
  return [actions([button({ actionId: 'skills_back', text: t('slackSkills.back'), value })])];
}

/** Other words where there are any, how else to ask, and objects for the words as they are. */
function nothingBlocks(shown: SkillsPage, words: ObjectWords): KnownBlock[] {
  const { state } = shown;
  const { t } = words;
  return [
    ...otherWords(shown, words),
    section(t(state.from === 'text' ? 'slackSkills.nothing.textHint' : 'slackSkills.nothing.hint')),
    actions(waysOut(shown, words)),
  ];
}

function otherWords(shown: SkillsPage, { t }: ObjectWords): KnownBlock[] {
  const { state, token } = shown;
  const { didYouMean } = state;
  const related = relatedSkillButtons(shown);
  if (didYouMean === null)
    return related.length === 0 ? [] : [section(t('slackSkills.nothing.instead')), actions(related)];
  const value = `${token}:${numberPlaces(state).correction}`;
  const correction = button({ actionId: 'skills_try', text: didYouMean, value });
  const question = t('slackSkills.didYouMean', { term: toBold(escapeMrkdwn(didYouMean)) });
  return [section(question), actions([correction, ...related])];
}

/** Other words come first: a search for unknown words seldom finds learning objects. */
function waysOut({ state, token }: SkillsPage, { t }: ObjectWords) {
  const ask = button({
    actionId: 'skills_ask',
    text: t('slackSkills.nothing.ask'),
    value: token,
    style: 'primary',
  });
  if (state.from === 'text') return [ask];
  const value = `${token}:${numberPlaces(state).asked}`;
  return [ask, button({ actionId: 'skills_learn', text: t('slackSkills.nothing.search'), value })];
}

const MAX_TERMS_OF_ONE = 20;
const MAX_QUOTED_LENGTH = 100;
/** Of a taxonomy in a button. */
const MAX_TAXONOMY_LENGTH = 60;

function drawSkillBlocks(shown: SkillsPage, words: ObjectWords): KnownBlock[] {
  const { state, only } = shown;
  const all = [...state.groups.keys()];
  const indexes = only === null ? all.slice(0, MAX_GROUPS) : [only];
  const related = relatedSkillButtons(shown);
  return [
    ...textBlocks(state, words),
    ...correctionBlocks(shown, words),
    ...indexes.flatMap((index) => groupBlocks(shown, index, words)),
    ...(only === null ? moreGroups(shown, all.slice(MAX_GROUPS), words) : []),
    ...(only === null && related.length > 0 ? [smallText(words.t('slackSkills.related')), actions(related)] : []),
  ];
}

const quoteAskedSkills = ({ asked }: Pick<SkillsState, 'asked'>): string => cutText(asked, MAX_QUOTED_LENGTH);

function textBlocks(state: SkillsState, { t, locale }: ObjectWords): KnownBlock[] {
  if (state.from === 'words') return [];
  const asked = escapeMrkdwn(quoteAskedSkills(state));
  if (state.lang === null) return [smallText(t('slackSkills.ofText', { asked }))];
  const language = findLanguageName(state.lang, locale);
  return [smallText(t('slackSkills.ofTextIn', { asked, language }))];
}

function correctionBlocks({ state, token }: SkillsPage, { t }: ObjectWords): KnownBlock[] {
  if (state.didYouMean === null) return [];
  const text = t('slackSkills.didYouMean', { term: toBold(escapeMrkdwn(state.didYouMean)) });
  const value = `${token}:${numberPlaces(state).correction}`;
  return [section(text, button({ actionId: 'skills_try', text: t('slackSkills.searchForIt'), value }))];
}

/** The taxonomy and as many of its terms as fit. */
function groupBlocks(shown: SkillsPage, index: number, words: ObjectWords): KnownBlock[] {
  const { state, token, only, canShare } = shown;
  const group = state.groups[index];
  if (group === undefined) return [];
  const room = only === null && group.taxonomy !== null ? MAX_TERMS_OF_EACH : MAX_TERMS_OF_ONE;
  const first = numberGroup(state, index);
  return [
    ...(group.taxonomy === null ? [] : [taxonomyBlock(group, { value: `${token}:${index}`, room }, words)]),
    ...group.labels
      .slice(0, room)
      .flatMap((label, place) => termBlocks({ label, value: `${token}:${first + place}`, canShare }, words)),
  ];
}

function taxonomyBlock(
  { taxonomy, labels }: TermGroup,
  { value, room }: { readonly value: string; readonly room: number },
  { t }: ObjectWords,
): KnownBlock {
  const source = t('slackSkills.source', { taxonomy: escapeMrkdwn(taxonomy ?? '') });
  const more = labels.length - room;
  if (more <= 0) return section(source);
  if (room === MAX_TERMS_OF_ONE) return section(`${source} · ${t('slackSkills.more', { count: more })}`);
  const text = t('slackSkills.showMore', { count: more });
  return section(source, button({ actionId: 'skills_group', text, value }));
}

/** Choices in a term's menu, in front of its number: `similar:<token>:<number>`. */
export const termChoices = ['similar', 'save', 'share'] as const;

/** Characters beside the label in what is read out of a button. */
const READ_OUT_LABEL = 45;

function termBlocks(
  { label, value, canShare }: { readonly label: string; readonly value: string; readonly canShare: boolean },
  { t }: ObjectWords,
): KnownBlock[] {
  const choices = termChoices.filter((choice) => choice !== 'share' || canShare);
  const find = button({
    actionId: 'skills_learn',
    text: t('slackSkills.findLearning'),
    value,
    label: cutText(
      t('slackSkills.findLearningFor', { term: cutText(label, READ_OUT_LABEL) }),
      limits.accessibilityLabel,
    ),
  });
  const menu = overflowMenu(
    'skills_menu',
    choices.map((choice) => option(`${choice}:${value}`, t(`slackSkills.menu.${choice}`))),
  );
  return [section(toBold(escapeMrkdwn(label))), actions([find, menu])];
}

/** Taxonomies without room, each a button. */
function moreGroups({ state, token }: SkillsPage, indexes: readonly number[], { t }: ObjectWords): KnownBlock[] {
  if (indexes.length === 0) return [];
  const buttons = indexes.flatMap((index) => {
    const group = state.groups[index];
    if (group === undefined) return [];
    const text = `${cutText(group.taxonomy ?? '', MAX_TAXONOMY_LENGTH)} (${group.labels.length})`;
    return [button({ actionId: `skills_group_${index}`, text, value: `${token}:${index}` })];
  });
  return [smallText(t('slackSkills.moreTaxonomies')), actions(buttons)];
}

function relatedSkillButtons({ state, token }: SkillsPage) {
  const first = numberPlaces(state).related;
  return state.related.map((text, place) =>
    button({ actionId: `skills_try_${place}`, text, value: `${token}:${first + place}` }),
  );
}
