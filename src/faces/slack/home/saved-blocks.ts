import type { ObjectWords } from '#faces/object-view/facts';
import type { ShelfRecord } from '#ports/store/store';
import {
  actions,
  button,
  confirmation,
  header,
  type KnownBlock,
  section,
  smallText,
} from '../blocks/block-kit.ts';
import { objectSection, shortenObjectTitle } from '../blocks/object-section.ts';
import { digestText, type HomeModel, SAVED_PER_PAGE } from './home-model.ts';

type SavedModel = Pick<HomeModel, 'saved' | 'page' | 'isLinked'>;

/** Two for each object, so that what is done with it stands below it. */
export function savedBlocks(model: SavedModel, words: ObjectWords): KnownBlock[] {
  const { t, locale } = words;
  const { items, total } = model.saved;
  if (items.length === 0) return [header(t('slackHome.saved.title')), section(t('slackHome.saved.none'))];
  return [
    header(t('slackHome.saved.count', { count: total.toLocaleString(locale) })),
    ...items.flatMap((record) => [
      objectSection(record.object, { maxDescription: 0 }, words),
      objectActions(record, words, model.isLinked),
    ]),
    ...pagerBlocks(model, words),
  ];
}

function objectActions({ address, object }: ShelfRecord, { t }: ObjectWords, isLinked: boolean): KnownBlock {
  const value = digestText(address);
  const title = shortenObjectTitle(object);
  const similar = t('slackHome.saved.similar');
  const remove = t('slackHome.saved.remove');
  return actions([
    button({
      actionId: 'home_similar',
      text: similar,
      value,
      label: t('slackHome.label', { action: similar, what: title }),
    }),
    button({
      actionId: 'home_remove',
      text: remove,
      value,
      label: t('slackHome.label', { action: remove, what: title }),
      confirm: confirmation({
        title: t('slackHome.saved.confirm.title'),
        text: t(isLinked ? 'slackHome.saved.confirm.textShared' : 'slackHome.saved.confirm.text', { title }),
        confirm: t('slackHome.saved.confirm.do'),
        deny: t('slackHome.saved.confirm.keep'),
      }),
    }),
  ]);
}

function pagerBlocks({ saved, page }: SavedModel, { t, locale }: ObjectWords): KnownBlock[] {
  const { items, total } = saved;
  if (total <= SAVED_PER_PAGE) return [];
  const first = page * SAVED_PER_PAGE + 1;
  const numbers = { first, last: first + items.length - 1, total };
  const shown = Object.entries(numbers).map(([name, number]) => [name, number.toLocaleString(locale)]);
  const buttons = [
    ...(page > 0 ? [pageButton('previous', page - 1)] : []),
    ...(first - 1 + items.length < total ? [pageButton('next', page + 1)] : []),
  ];
  return [smallText(t('slackHome.saved.shown', Object.fromEntries(shown))), actions(buttons)];

  function pageButton(direction: 'previous' | 'next', to: number) {
    const text = t(`slackHome.saved.${direction}`);
    return button({ actionId: `home_page_${direction}`, text, value: String(to) });
  }
}
