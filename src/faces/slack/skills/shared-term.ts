import type { ObjectWords } from '../../object-view/facts.ts';
import { context, type Message, section } from '../blocks/block-kit.ts';
import { escapeMrkdwn, toBold } from '../blocks/text.ts';
import type { ChosenTerm } from './skills-state.ts';

/** What everyone in the conversation sees: who shares which term of which taxonomy. Nobody else has the state that buttons
 *  would need, so the command is named instead. */
export function sharedTerm(
  { label, taxonomy }: Pick<ChosenTerm, 'label' | 'taxonomy'>,
  userId: string,
  { t }: ObjectWords,
): Message {
  const term = escapeMrkdwn(label);
  const said = { person: `<@${userId}>`, term: toBold(term) };
  const text =
    taxonomy === null
      ? t('slackSkills.shared.term', said)
      : t('slackSkills.shared.termOf', { ...said, taxonomy: escapeMrkdwn(taxonomy) });
  const command = `\`/learn ${term.replaceAll('`', "'")}\``;
  return { text, blocks: [section(text), context(t('slackSkills.shared.how', { command }))] };
}
