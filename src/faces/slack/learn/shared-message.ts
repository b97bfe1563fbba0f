import type { LearningObject } from '../../../domain/learning-object.ts';
import type { ObjectWords } from '../../object-view/facts.ts';
import type { Message } from '../blocks/block-kit.ts';
import { context } from '../blocks/elements.ts';
import { objectSection } from '../blocks/object-section.ts';
import { cut, escapeMrkdwn, oneLine } from '../blocks/text.ts';

const MAX_TITLE = 150;
const MAX_DESCRIPTION = 300;

/** What everyone in the conversation sees: who shares what, with no trace of what was searched for. */
export function sharedMessage(object: LearningObject, userId: string, words: ObjectWords): Message {
  const person = `<@${escapeMrkdwn(userId)}>`;
  const title = cut(escapeMrkdwn(oneLine(object.title)), MAX_TITLE);
  return {
    text: words.t('slackLearn.shared.text', { person, title }),
    blocks: [
      context(words.t('slackLearn.shared.by', { person })),
      objectSection(object, { maxDescription: MAX_DESCRIPTION }, words),
    ],
  };
}
