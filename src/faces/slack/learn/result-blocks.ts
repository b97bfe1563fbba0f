import type { ObjectWords } from '../../object-view/facts.ts';
import type { KnownBlock } from '../blocks/block-kit.ts';
import { actions, button, linkButton } from '../blocks/elements.ts';
import { option, overflow } from '../blocks/menus.ts';
import { nameOf, type ObjectSectionOptions, objectSection } from '../blocks/object-section.ts';
import { linkable, linkTo } from '../blocks/text.ts';
import type { LearnState, ListedObject } from './state.ts';

/** What is chosen in an object's menu, in front of its place: `similar:<token>:<number>`. */
export const menuChoices = ['similar', 'feedback', 'broken'] as const;

export interface ResultParts {
  readonly state: LearnState;
  readonly token: string;
  /** Addresses of the objects that are saved. */
  readonly saved: ReadonlySet<string>;
  readonly canShare: boolean;
}

/** Characters that an object may take. */
export type Detail = Required<Pick<ObjectSectionOptions, 'maxTitle' | 'maxFacts' | 'maxDescription'>>;

export function resultBlocks(
  { state, token, saved, canShare }: ResultParts,
  detail: Detail,
  words: ObjectWords,
): KnownBlock[] {
  return state.items.flatMap((item, number) => {
    const { object, skill } = item;
    const remark = skill === undefined ? undefined : words.t('slackLearn.forSkill', { skill });
    const value = `${token}:${number}`;
    return [
      objectSection(object, { ...detail, remark }, words),
      itemActions(item, { value, isSaved: saved.has(object.url), canShare }, words),
    ];
  });
}

interface ItemParts {
  readonly value: string;
  readonly isSaved: boolean;
  readonly canShare: boolean;
}

function itemActions(
  { object }: ListedObject,
  { value, isSaved, canShare }: ItemParts,
  { t }: ObjectWords,
): KnownBlock {
  const title = nameOf(object);
  const act = (actionId: string, name: string) =>
    button({
      actionId,
      text: t(`slackLearn.item.${name}`),
      value,
      label: t(`slackLearn.item.${name}Label`, { title }),
    });
  const url = isLinked(object) ? null : linkable(object.url);
  const open = t('slackLearn.item.open');
  return actions([
    ...(url === null
      ? []
      : [
          linkButton({
            actionId: 'learn_open',
            text: open,
            url,
            label: t('slackLearn.item.openLabel', { title }),
          }),
        ]),
    isSaved ? act('learn_unsave', 'saved') : act('learn_save', 'save'),
    ...(canShare ? [act('learn_share', 'share')] : []),
    overflow(
      'learn_menu',
      menuChoices.map((choice) => option(`${choice}:${value}`, t(`slackLearn.menu.${choice}`))),
    ),
  ]);
}

/** An address may be too long for a link within a text. */
const isLinked = ({ url }: ListedObject['object']): boolean => linkTo(url, '').startsWith('<');
