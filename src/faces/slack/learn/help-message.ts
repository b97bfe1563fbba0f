import type { ObjectWords } from '../../object-view/facts.ts';
import type { Message } from '../blocks/block-kit.ts';
import { actions, button, context, header, section } from '../blocks/elements.ts';
import { escapeMrkdwn } from '../blocks/text.ts';

export interface HelpParts {
  /** What was searched before, newest first. */
  readonly recent: readonly string[];
  /** Of what they are kept under. */
  readonly token: string;
  /** Of what the form begins with; null where that is what every search begins with. */
  readonly formToken: string | null;
  /** Plain text, not escaped. */
  readonly notes: readonly string[];
}

/** What `/learn help` says, and `/learn` alone. */
export function helpMessage({ recent, token, formToken, notes }: HelpParts, { t }: ObjectWords): Message {
  const title = t('slackLearn.help.title');
  const searches = recent.map((text, number) =>
    button({
      actionId: `learn_recent_${number}`,
      text,
      value: `${token}:${number}`,
      label: t('slackLearn.help.again', { words: text }),
    }),
  );
  const search = button({
    actionId: 'search_open',
    text: t('slackLearn.help.search'),
    value: formToken ?? '-',
    style: 'primary',
  });
  return {
    text: escapeMrkdwn(notes[0] ?? title),
    blocks: [
      header(title),
      ...(notes.length > 0 ? [context(...notes.map(escapeMrkdwn))] : []),
      section([t('slackLearn.help.examples'), ...examples(t)].join('\n')),
      section(t('slackLearn.help.keys')),
      ...(searches.length > 0 ? [section(t('slackLearn.help.recent')), actions(searches)] : []),
      actions([search]),
      context(t('slackLearn.help.private')),
    ],
  };
}

const examples = (t: ObjectWords['t']): string[] =>
  ['words', 'filters', 'length', 'phrase'].map((name) => `• ${t(`slackLearn.help.${name}`)}`);
