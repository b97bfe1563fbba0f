import type { ObjectWords } from '#faces/object-view/facts';
import {
  actions,
  button,
  header,
  type KnownBlock,
  type Message,
  section,
  smallText,
} from '../blocks/block-kit.ts';
import { escapeMrkdwn, toBold } from '../blocks/text.ts';
import { drawFoundBlocks, quoteAskedSkills, relatedSkillButtons, writeFoundHeading } from './found-blocks.ts';
import {
  countBeforeOthers,
  findAskedSkillsPlace,
  type ShownSkills,
  type SkillsState,
} from './skills-state.ts';

/** Named in the text that stands for the blocks. */
const MAX_NAMED = 5;

/** What was found, or that nothing was and what to do then. */
export function drawSkillsMessage(shown: ShownSkills, words: ObjectWords): Message {
  const { state } = shown;
  const isFound = state.groups.length > 0;
  const title = isFound ? writeFoundHeading(state, words) : nothingTitle(state, words);
  return {
    text: escapeMrkdwn(isFound ? namesOf(state, title, words) : title),
    blocks: [
      header(title),
      ...staleBlocks(state, words),
      ...(isFound ? drawFoundBlocks(shown, words) : nothingBlocks(shown, words)),
      ...backBlocks(shown, words),
    ],
  };
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
function backBlocks({ state, token, only }: ShownSkills, { t }: ObjectWords): KnownBlock[] {
  const value = only === null ? state.back : token;
  if (value === null) return [];
  return [actions([button({ actionId: 'skills_back', text: t('slackSkills.back'), value })])];
}

/** That nothing was found: plain text. */
function nothingTitle(state: SkillsState, { t }: ObjectWords): string {
  if (state.from === 'text') return t('slackSkills.nothing.inText');
  return t('slackSkills.nothing.title', { asked: quoteAskedSkills(state) });
}

/** Other words where there are any, how else to ask, and learning objects for the words as they are. */
function nothingBlocks(shown: ShownSkills, words: ObjectWords): KnownBlock[] {
  const { state } = shown;
  const { t } = words;
  return [
    ...otherWords(shown, words),
    section(t(state.from === 'text' ? 'slackSkills.nothing.textHint' : 'slackSkills.nothing.hint')),
    actions(waysOut(shown, words)),
  ];
}

function otherWords(shown: ShownSkills, { t }: ObjectWords): KnownBlock[] {
  const { state, token } = shown;
  const meant = state.didYouMean;
  const buttons = [
    ...(meant === null
      ? []
      : [button({ actionId: 'skills_try', text: meant, value: `${token}:${countBeforeOthers(state)}` })]),
    ...relatedSkillButtons(shown),
  ];
  if (buttons.length === 0) return [];
  const said =
    meant === null
      ? t('slackSkills.nothing.instead')
      : t('slackSkills.didYouMean', { term: toBold(escapeMrkdwn(meant)) });
  return [section(said), actions(buttons)];
}

/** Other words come first: a search for unknown words seldom finds learning objects. */
function waysOut({ state, token }: ShownSkills, { t }: ObjectWords) {
  const ask = button({
    actionId: 'skills_ask',
    text: t('slackSkills.nothing.ask'),
    value: token,
    style: 'primary',
  });
  if (state.from === 'text') return [ask];
  const value = `${token}:${findAskedSkillsPlace(state)}`;
  return [ask, button({ actionId: 'skills_learn', text: t('slackSkills.nothing.search'), value })];
}
