import type { ObjectWords } from '#faces/object-view/facts';
import { findLanguageName } from '#faces/words/language-names';
import { actions, button, type KnownBlock, limits, section, smallText } from '../blocks/block-kit.ts';
import { option, overflowMenu } from '../blocks/menus.ts';
import { cutText, escapeMrkdwn, toBold } from '../blocks/text.ts';
import {
  countBeforeOthers,
  countSkillsBeforeGroup,
  countSkillsBeforeRelated,
  MAX_GROUPS,
  MAX_TERMS_OF_EACH,
  type ShownSkills,
  type SkillsState,
  type TermGroup,
} from './skills-state.ts';

const MAX_TERMS_OF_ONE = 20;
const MAX_QUOTED_LENGTH = 100;
/** Of a taxonomy in a button. */
const MAX_TAXONOMY_LENGTH = 60;

export function drawFoundBlocks(shown: ShownSkills, words: ObjectWords): KnownBlock[] {
  const { state, only } = shown;
  const all = [...state.groups.keys()];
  const indexes = only === null ? all.slice(0, MAX_GROUPS) : [only];
  return [
    ...textBlocks(state, words),
    ...meantBlocks(shown, words),
    ...indexes.flatMap((index) => groupBlocks(shown, index, words)),
    ...(only === null ? moreGroups(shown, all.slice(MAX_GROUPS), words) : []),
    ...(only === null ? relatedBlocks(shown, words) : []),
  ];
}

/** What it is that was found: plain text. */
export function writeFoundHeading(state: SkillsState, { t }: ObjectWords): string {
  if (state.from === 'words') return t('slackSkills.heading', { asked: quoteAskedSkills(state) });
  return t('slackSkills.headingOfText', { count: state.groups[0]?.labels.length ?? 0 });
}

/** What was asked: plain text. */
export const quoteAskedSkills = ({ asked }: Pick<SkillsState, 'asked'>): string =>
  cutText(asked, MAX_QUOTED_LENGTH);

function textBlocks(state: SkillsState, { t, locale }: ObjectWords): KnownBlock[] {
  if (state.from === 'words') return [];
  const said = { asked: escapeMrkdwn(quoteAskedSkills(state)) };
  if (state.lang === null) return [smallText(t('slackSkills.ofText', said))];
  return [smallText(t('slackSkills.ofTextIn', { ...said, language: findLanguageName(state.lang, locale) }))];
}

function meantBlocks({ state, token }: ShownSkills, { t }: ObjectWords): KnownBlock[] {
  if (state.didYouMean === null) return [];
  const said = t('slackSkills.didYouMean', { term: toBold(escapeMrkdwn(state.didYouMean)) });
  const value = `${token}:${countBeforeOthers(state)}`;
  return [section(said, button({ actionId: 'skills_try', text: t('slackSkills.searchForIt'), value }))];
}

/** The taxonomy and as many of its terms as fit. */
function groupBlocks(shown: ShownSkills, index: number, words: ObjectWords): KnownBlock[] {
  const { state, token, only, canShare } = shown;
  const group = state.groups[index];
  if (group === undefined) return [];
  const room = only === null && group.taxonomy !== null ? MAX_TERMS_OF_EACH : MAX_TERMS_OF_ONE;
  const first = countSkillsBeforeGroup(state, index);
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
  const said = t('slackSkills.source', { taxonomy: escapeMrkdwn(taxonomy ?? '') });
  const more = labels.length - room;
  if (more <= 0) return section(said);
  if (room === MAX_TERMS_OF_ONE) return section(`${said} · ${t('slackSkills.more', { count: more })}`);
  const text = t('slackSkills.showMore', { count: more });
  return section(said, button({ actionId: 'skills_group', text, value }));
}

interface TermParts {
  readonly label: string;
  /** `<token>:<number>`. */
  readonly value: string;
  readonly canShare: boolean;
}

/** What is chosen in a term's menu, in front of its place: `similar:<token>:<number>`. */
export const termChoices = ['similar', 'save', 'share'] as const;

/** Characters beside the label in what is read out of a button. */
const READ_OUT_LABEL = 45;

/** A term with what can be done with it. */
function termBlocks({ label, value, canShare }: TermParts, { t }: ObjectWords): KnownBlock[] {
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
function moreGroups(
  { state, token }: ShownSkills,
  indexes: readonly number[],
  { t }: ObjectWords,
): KnownBlock[] {
  if (indexes.length === 0) return [];
  const buttons = indexes.flatMap((index) => {
    const group = state.groups[index];
    if (group === undefined) return [];
    const text = `${cutText(group.taxonomy ?? '', MAX_TAXONOMY_LENGTH)} (${group.labels.length})`;
    return [button({ actionId: `skills_group_${index}`, text, value: `${token}:${index}` })];
  });
  return [smallText(t('slackSkills.moreTaxonomies')), actions(buttons)];
}

function relatedBlocks(shown: ShownSkills, { t }: ObjectWords): KnownBlock[] {
  const buttons = relatedSkillButtons(shown);
  return buttons.length === 0 ? [] : [smallText(t('slackSkills.related')), actions(buttons)];
}

/** A search for each related term. */
export function relatedSkillButtons({ state, token }: ShownSkills) {
  const first = countSkillsBeforeRelated(state);
  return state.related.map((text, place) =>
    button({ actionId: `skills_try_${place}`, text, value: `${token}:${first + place}` }),
  );
}
