import type { ObjectWords } from '../../object-view/facts.ts';
import { context, header, type Message, section } from '../blocks/block-kit.ts';

/** What `/skills help` says. */
export function helpMessage({ t }: ObjectWords): Message {
  const title = t('slackSkills.help.title');
  const uses = ['words', 'text', 'modal', 'shortcut', 'learn'].map(
    (use) => `• ${t(`slackSkills.help.${use}`)}`,
  );
  return {
    text: title,
    blocks: [header(title), section(uses.join('\n')), context(t('slackSkills.help.private'))],
  };
}
