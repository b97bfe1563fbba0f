import type { ObjectWords } from '../../object-view/facts.ts';
import type { KnownBlock } from '../blocks/block-kit.ts';
import { actions, button, context } from '../blocks/elements.ts';
import type { SearchedPage } from './state.ts';

/** The number of the page, and the ways to those around it. */
export function pageBlocks(
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
    context(t(isTotalExact ? 'slackLearn.pages.of' : 'slackLearn.pages.number', { page: shown, pages })),
    actions([
      ...(page > 0 ? [turn('previous', page - 1)] : []),
      ...(hasMore ? [turn('next', page + 1)] : []),
    ]),
  ];
}
