import type { ObjectWords } from '../../object-view/facts.ts';
import { actions, button, type KnownBlock, section } from '../blocks/block-kit.ts';
import { escapeMrkdwn, toBold } from '../blocks/text.ts';
import { quoteAsked, relatedButtons } from './found-blocks.ts';
import { firstOfOthers, placeOfAsked, type ShownSkills, type SkillsState } from './skills-state.ts';

/** That nothing was found: plain text. */
export function nothingTitle(state: SkillsState, { t }: ObjectWords): string {
  if (state.from === 'text') return t('slackSkills.nothing.inText');
  return t('slackSkills.nothing.title', { asked: quoteAsked(state) });
}

/** Other words where there are any, how else to ask, and learning objects for the words as they are. */
export function nothingBlocks(shown: ShownSkills, words: ObjectWords): KnownBlock[] {
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
      : [button({ actionId: 'skills_try', text: meant, value: `${token}:${firstOfOthers(state)}` })]),
    ...relatedButtons(shown),
  ];
  if (buttons.length === 0) return [];
  const said =
    meant === null
      ? t('slackSkills.nothing.instead')
      : t('slackSkills.didYouMean', { term: toBold(escapeMrkdwn(meant)) });
  return [section(said), actions(buttons)];
}

/** Other words first: learning objects for those that nobody knows are seldom found either. */
function waysOut({ state, token }: ShownSkills, { t }: ObjectWords) {
  const ask = button({
    actionId: 'skills_ask',
    text: t('slackSkills.nothing.ask'),
    value: token,
    style: 'primary',
  });
  if (state.from === 'text') return [ask];
  const value = `${token}:${placeOfAsked(state)}`;
  return [ask, button({ actionId: 'skills_learn', text: t('slackSkills.nothing.search'), value })];
}
