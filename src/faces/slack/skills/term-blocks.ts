import type { ObjectWords } from '../../object-view/facts.ts';
import { actions, button, type KnownBlock, limits, section } from '../blocks/block-kit.ts';
import { option, overflowMenu } from '../blocks/menus.ts';
import { cutText, escapeMrkdwn, toBold } from '../blocks/text.ts';

export interface TermParts {
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
export function termBlocks({ label, value, canShare }: TermParts, { t }: ObjectWords): KnownBlock[] {
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
