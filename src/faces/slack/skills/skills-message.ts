import type { ObjectWords } from '../../object-view/facts.ts';
import { actions, button, context, header, type KnownBlock, type Message } from '../blocks/block-kit.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import { foundBlocks, writeHeading } from './found-blocks.ts';
import { nothingBlocks, nothingTitle } from './nothing-blocks.ts';
import type { ShownSkills, SkillsState } from './skills-state.ts';

/** Named in the text that stands for the blocks. */
const MAX_NAMED = 5;

/** What was found, or that nothing was and what to do then. */
export function skillsMessage(shown: ShownSkills, words: ObjectWords): Message {
  const { state } = shown;
  const isFound = state.groups.length > 0;
  const title = isFound ? writeHeading(state, words) : nothingTitle(state, words);
  return {
    text: escapeMrkdwn(isFound ? namesOf(state, title, words) : title),
    blocks: [
      header(title),
      ...staleBlocks(state, words),
      ...(isFound ? foundBlocks(shown, words) : nothingBlocks(shown, words)),
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
  return [context(t('slackSkills.stale', { at: `${time} UTC` }))];
}

/** From one group to all of them, or from similar terms to those they are similar to. */
function backBlocks({ state, token, only }: ShownSkills, { t }: ObjectWords): KnownBlock[] {
  const value = only === null ? state.back : token;
  if (value === null) return [];
  return [actions([button({ actionId: 'skills_back', text: t('slackSkills.back'), value })])];
}
