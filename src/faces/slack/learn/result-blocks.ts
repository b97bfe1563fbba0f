import type { ObjectWords } from '#faces/object-view/facts';
import { actions, button, type KnownBlock, linkButton, smallText } from '../blocks/block-kit.ts';
import { option, overflowMenu } from '../blocks/menus.ts';
import { type ObjectSectionOptions, objectSection, shortenObjectTitle } from '../blocks/object-section.ts';
import { linkTitle, toBlockAddress } from '../blocks/text.ts';
import type { LearnState, ListedObject, SearchedPage } from './learn-state.ts';

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

export function drawResultBlocks(
  { state, token, saved, canShare }: ResultParts,
  detail: Detail,
  words: ObjectWords,
): KnownBlock[] {
  const isClose = state.of.kind === 'search' && state.of.quality === 'C00';
  return state.items.flatMap((item, number) => {
    const { object, skill, tier } = item;
    const isFirst = tier !== undefined && tier !== state.items[number - 1]?.tier && !isClose;
    const remark = skill === undefined ? undefined : words.t('slackLearn.forSkill', { skill });
    const value = `${token}:${number}`;
    return [
      ...(isFirst ? [smallText(words.t(`search.tiers.${tier}`))] : []),
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
  const title = shortenObjectTitle(object);
  const act = (actionId: string, name: string) =>
    button({
      actionId,
      text: t(`slackLearn.item.${name}`),
      value,
      label: t(`slackLearn.item.${name}Label`, { title }),
    });
  const url = isLinked(object) ? null : toBlockAddress(object.url);
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
    overflowMenu(
      'learn_menu',
      menuChoices.map((choice) => option(`${choice}:${value}`, t(`slackLearn.menu.${choice}`))),
    ),
  ]);
}

/** An address may be too long for a link within a text. */
const isLinked = ({ url }: ListedObject['object']): boolean => linkTitle(url, '').startsWith('<');

/** The number of the page, and the ways to those around it. */
export function drawPageBlocks(
  { page, hasMore, totalItems, isTotalExact, choices }: SearchedPage,
  token: string,
  { t, locale }: ObjectWords,
): KnownBlock[] {
  if (page === 0 && !hasMore) return [];
  const turn = (direction: 'previous' | 'next', to: number) =>
    button({
      actionId: `learn_page_${direction}`,
      text: t(`slackLearn.pages.${direction}`),
      value: `${token}:${to}`,
      label: t('slackLearn.pages.to', { page: (to + 1).toLocaleString(locale) }),
    });
  const shown = (page + 1).toLocaleString(locale);
  const pages = Math.ceil(totalItems / choices.itemsPerPage).toLocaleString(locale);
  return [
    smallText(t(isTotalExact ? 'slackLearn.pages.of' : 'slackLearn.pages.number', { page: shown, pages })),
    actions([
      ...(page > 0 ? [turn('previous', page - 1)] : []),
      ...(hasMore ? [turn('next', page + 1)] : []),
    ]),
  ];
}
