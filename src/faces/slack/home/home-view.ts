import type { ObjectWords } from '#faces/object-view/facts';
import {
  actions,
  button,
  confirmation,
  divider,
  type HomeView,
  header,
  type KnownBlock,
  section,
  smallText,
} from '../blocks/block-kit.ts';
import { cutText, escapeMrkdwn, toOneLine } from '../blocks/text.ts';
import { digestText, type HomeModel } from './home-model.ts';
import { writePreferences } from './preference-words.ts';
import { savedBlocks } from './saved-blocks.ts';

const MAX_SEARCH = 200;

/** Home of one person. Which page of the saved objects is shown stands in its `private_metadata`. */
export function drawHomeView(model: HomeModel, words: ObjectWords): HomeView {
  const { t } = words;
  return {
    type: 'home',
    callback_id: 'home',
    private_metadata: String(model.page),
    blocks: [
      ...(model.notice === null ? [] : [section(model.notice), divider]),
      ...welcomeBlocks(words),
      ...savedBlocks(model, words),
      divider,
      ...savedSearchesBlocks(model, words),
      ...searchesBlocks(model, words),
      divider,
      ...preferencesBlocks(model, words),
      divider,
      ...linkBlocks(model, words),
      divider,
      header(t('slackHome.data.title')),
      section(t('slackHome.data.text'), clearButton(model, words)),
    ],
  };
}

function welcomeBlocks({ t }: ObjectWords): KnownBlock[] {
  return [
    header(t('slackHome.welcome.title')),
    section(t('slackHome.welcome.text')),
    smallText(t('slackHome.welcome.how')),
    actions([
      button({
        actionId: 'search_open',
        text: t('slackHome.welcome.search'),
        value: '-',
        style: 'primary',
      }),
    ]),
    divider,
  ];
}

/** A row for each, which leaves room for as many as there can be. */
function savedSearchesBlocks({ savedSearches }: HomeModel, { t }: ObjectWords): KnownBlock[] {
  if (savedSearches.length === 0) return [];
  const rows = savedSearches.map((text) => {
    const value = digestText(text);
    const act = (actionId: string, name: 'search' | 'remove', shown?: string) => {
      const action = t(`slackHome.savedSearches.${name}`);
      const label = t('slackHome.label', { action, what: text });
      return button({ actionId, text: shown ?? action, value, label });
    };
    return actions([act('home_search', 'search', text), act('home_search_remove', 'remove')]);
  });
  return [
    header(t('slackHome.savedSearches.title')),
    smallText(t('slackHome.savedSearches.how')),
    ...rows,
    divider,
  ];
}

function searchesBlocks({ searches }: HomeModel, { t }: ObjectWords): KnownBlock[] {
  const title = header(t('slackHome.searches.title'));
  if (searches.length === 0) return [title, section(t('slackHome.searches.none'))];
  const again = t('slackHome.searches.again');
  return [
    title,
    ...searches.map(({ text }) => {
      const line = toOneLine(text);
      const label = t('slackHome.label', { action: again, what: line });
      return section(
        cutText(escapeMrkdwn(line), MAX_SEARCH),
        button({ actionId: 'home_search', text: again, value: digestText(text), label }),
      );
    }),
  ];
}

function preferencesBlocks(model: HomeModel, words: ObjectWords): KnownBlock[] {
  const { t } = words;
  const lines = writePreferences(model, words);
  const text = lines.length === 0 ? t('slackHome.preferences.none') : lines.join('\n');
  const change = button({
    actionId: 'home_preferences',
    text: t('slackHome.preferences.change'),
    value: '-',
  });
  return [header(t('slackHome.preferences.title')), section(text, change)];
}

/** People who are linked already can link one more place. */
function linkBlocks({ isLinked }: HomeModel, { t }: ObjectWords): KnownBlock[] {
  const link = button({ actionId: 'home_link', text: t('slackHome.link.do'), value: '-' });
  const unlink = button({
    actionId: 'home_unlink',
    text: t('slackHome.link.unlink'),
    value: '-',
    confirm: confirmation({
      title: t('slackHome.link.confirm.title'),
      text: t('slackHome.link.confirm.text'),
      confirm: t('slackHome.link.confirm.do'),
      deny: t('slackHome.link.confirm.keep'),
    }),
  });
  return [
    header(t('slackHome.link.title')),
    section(t(isLinked ? 'slackHome.link.linked' : 'slackHome.link.none')),
    actions(isLinked ? [link, unlink] : [link]),
  ];
}

function clearButton({ isLinked }: HomeModel, { t }: ObjectWords) {
  return button({
    actionId: 'home_forget',
    text: t('slackHome.data.clear'),
    value: '-',
    style: 'danger',
    confirm: confirmation({
      title: t('slackHome.data.confirm.title'),
      text: t(isLinked ? 'slackHome.data.confirm.textShared' : 'slackHome.data.confirm.text'),
      confirm: t('slackHome.data.confirm.do'),
      deny: t('slackHome.data.confirm.keep'),
    }),
  });
}
