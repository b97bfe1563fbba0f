import { createHash } from 'node:crypto';
import type { Preferences, RecentSearch } from '#domain/person';
import { summarizePlan } from '#domain/plan';
import { toOneLine } from '#domain/text';
import type { ObjectWords } from '#faces/object-view/facts';
import type { Page, PlanRecord, ShelfRecord } from '#ports/store/store';
import type { ButtonParts, HomeView, KnownBlock } from '../blocks/block-kit.ts';
import { actions, button, confirmation, divider, header, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { objectSection, shortenObjectTitle } from '../blocks/messages.ts';
import { cutSlackText, escapeMrkdwn, linkTitle } from '../blocks/text.ts';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import { callWithPictures } from '../slack-api/slack-calls.ts';
import { writePreferences } from './preferences.ts';

interface HomeModel {
  readonly saved: Page<ShelfRecord>;
  /** From 0. */
  readonly page: number;
  /** Newest first. */
  readonly searches: readonly RecentSearch[];
  /** Newest first. */
  readonly savedSearches: readonly string[];
  /** The last changed first. */
  readonly plans: Page<PlanRecord>;
  /** Address that opens a plan of the person in any browser; without an id, all of them. */
  linkPlan(id?: string): string;
  readonly preferences: Preferences;
  /** Of the preferred providers, in their order; their ids where the names cannot be had. */
  readonly providers: readonly string[];
  readonly isLinked: boolean;
  /** Of the page with the person's data, for an hour. */
  readonly dataUrl: string;
  /** The outcome of the last action, mrkdwn; null for none. */
  readonly notice: string | null;
}

const SAVED_PER_PAGE = 5;
const MAX_SEARCH = 200;
/** Tickets make addresses of this host long. Six of them fit in one text, with names of plans. */
const hostLink = { max: 100, maxAddress: 370 };

function drawHomeView(model: HomeModel, words: ObjectWords): HomeView {
  const { t } = words;
  return {
    type: 'home',
    callback_id: 'home',
    private_metadata: String(model.page),
    blocks: [
      ...(model.notice === null ? [] : [sectionBlock(model.notice), divider]),
      ...welcomeHomeBlocks(words),
      ...savedHomeBlocks(model, words),
      divider,
      ...plansHomeBlocks(model, words),
      ...savedSearchesHomeBlocks(model, words),
      ...searchesHomeBlocks(model, words),
      divider,
      ...preferencesHomeBlocks(model, words),
      divider,
      ...linkHomeBlocks(model, words),
      divider,
      header(t('slackHome.data.title')),
      sectionBlock(t('slackHome.data.text')),
      sectionBlock(linkTitle(model.dataUrl, t('myData.link'), hostLink)),
    ],
  };
}

function welcomeHomeBlocks({ t }: ObjectWords): KnownBlock[] {
  return [
    header(t('slackHome.welcome.title')),
    sectionBlock(t('slackHome.welcome.text')),
    smallText(t('slackHome.welcome.how')),
    actions([button({ actionId: 'search_open', text: t('slackHome.welcome.search'), style: 'primary' })]),
    divider,
  ];
}

function plansHomeBlocks({ plans, linkPlan }: HomeModel, { t }: ObjectWords): KnownBlock[] {
  if (plans.total === 0) return [];
  const lines = plans.items.map(({ id, name, sections }) => {
    const count = t('plans.count', { count: summarizePlan({ sections }).items });
    return `• ${linkTitle(linkPlan(id), name, hostLink)} · ${count}`;
  });
  if (plans.total > lines.length) lines.push(linkTitle(linkPlan(), `${t('plans.back')} (${plans.total})`, hostLink));
  return [header(t('plans.title')), sectionBlock(lines.join('\n')), divider];
}

/** A row for each saved search: even with the most that a person may save, Home has room. */
function savedSearchesHomeBlocks({ savedSearches }: HomeModel, { t }: ObjectWords): KnownBlock[] {
  if (savedSearches.length === 0) return [];
  const rows = savedSearches.map((text) => {
    const value = digestHomeText(text);
    const [search, remove] = [t('slackHome.savedSearches.search'), t('slackHome.savedSearches.remove')];
    return actions([
      labelledHomeButton({ actionId: 'home_search', text, value }, search, { what: text, t }),
      labelledHomeButton({ actionId: 'home_search_remove', text: remove, value }, remove, { what: text, t }),
    ]);
  });
  const title = header(t('slackHome.savedSearches.title'));
  return [title, smallText(t('slackHome.savedSearches.how')), ...rows, divider];
}

function searchesHomeBlocks({ searches }: HomeModel, { t }: ObjectWords): KnownBlock[] {
  const title = header(t('slackHome.searches.title'));
  if (searches.length === 0) return [title, sectionBlock(t('slackHome.searches.none'))];
  const again = t('slackHome.searches.again');
  const rows = searches.map(({ text }) => {
    const line = toOneLine(text);
    const parts = { actionId: 'home_search', text: again, value: digestHomeText(text) };
    return sectionBlock(
      cutSlackText(escapeMrkdwn(line), MAX_SEARCH),
      labelledHomeButton(parts, again, { what: line, t }),
    );
  });
  return [title, ...rows];
}

function preferencesHomeBlocks(model: HomeModel, words: ObjectWords): KnownBlock[] {
  const { t } = words;
  const lines = writePreferences(model, words);
  const text = lines.length === 0 ? t('slackHome.preferences.none') : lines.join('\n');
  const change = button({ actionId: 'home_preferences', text: t('slackHome.preferences.change') });
  return [header(t('slackHome.preferences.title')), sectionBlock(text, change)];
}

/** People who are linked already can link one more place. */
function linkHomeBlocks({ isLinked }: HomeModel, { t }: ObjectWords): KnownBlock[] {
  const link = button({ actionId: 'home_link', text: t('slackHome.link.do') });
  const unlink = button({
    actionId: 'home_unlink',
    text: t('slackHome.link.unlink'),
    confirm: createConfirmation('link', t('slackHome.link.confirm.text'), t),
  });
  return [
    header(t('slackHome.link.title')),
    sectionBlock(t(isLinked ? 'slackHome.link.linked' : 'slackHome.link.none')),
    actions(isLinked ? [link, unlink] : [link]),
  ];
}

type SavedModel = Pick<HomeModel, 'saved' | 'page' | 'isLinked'>;

/** Two blocks for each object: its text, and its buttons below it. */
function savedHomeBlocks(model: SavedModel, words: ObjectWords): KnownBlock[] {
  const { t, locale } = words;
  const { items, total } = model.saved;
  if (items.length === 0) return [header(t('slackHome.saved.title')), sectionBlock(t('slackHome.saved.none'))];
  return [
    header(t('slackHome.saved.count', { count: total.toLocaleString(locale) })),
    ...items.flatMap((record) => [
      objectSection(record.object, { maxDescription: 0 }, words),
      homeObjectActions(record, words, model.isLinked),
    ]),
    ...pagerHomeBlocks(model, words),
  ];
}

function homeObjectActions({ address, object }: ShelfRecord, { t }: ObjectWords, isLinked: boolean): KnownBlock {
  const value = digestHomeText(address);
  const title = shortenObjectTitle(object);
  const [similar, remove] = [t('slackHome.saved.similar'), t('slackHome.saved.remove')];
  const question = t(`slackHome.saved.confirm.${isLinked ? 'textShared' : 'text'}`, { title });
  const removing = { actionId: 'home_remove', text: remove, value, confirm: createConfirmation('saved', question, t) };
  return actions([
    labelledHomeButton({ actionId: 'home_similar', text: similar, value }, similar, { what: title, t }),
    labelledHomeButton(removing, remove, { what: title, t }),
  ]);
}

function pagerHomeBlocks({ saved, page }: SavedModel, { t, locale }: ObjectWords): KnownBlock[] {
  const { items, total } = saved;
  if (total <= SAVED_PER_PAGE) return [];
  const first = page * SAVED_PER_PAGE + 1;
  const numbers = { first, last: first + items.length - 1, total };
  const texts = Object.entries(numbers).map(([name, number]) => [name, number.toLocaleString(locale)]);
  const buttons = [
    ...(page > 0 ? [pageButton('previous', page - 1)] : []),
    ...(first - 1 + items.length < total ? [pageButton('next', page + 1)] : []),
  ];
  return [smallText(t('slackHome.saved.shown', Object.fromEntries(texts))), actions(buttons)];

  function pageButton(direction: 'previous' | 'next', to: number) {
    const text = t(`slackHome.saved.${direction}`);
    return button({ actionId: `home_page_${direction}`, text, value: String(to) });
  }
}

/** A button that is read out with its action and what that is for. */
const labelledHomeButton = (parts: ButtonParts, action: string, { what, t }: { what: string; t: Translate }) =>
  button({ ...parts, label: t('slackHome.label', { action, what }) });

type Translate = ObjectWords['t'];

const createConfirmation = (part: 'saved' | 'link', text: string, t: Translate) =>
  confirmation({
    title: t(`slackHome.${part}.confirm.title`),
    text,
    confirm: t(`slackHome.${part}.confirm.do`),
    deny: t(`slackHome.${part}.confirm.keep`),
  });

const DIGEST_LENGTH = 16;

/** The value of a button. It depends on the text alone: Home stays open for days, while positions
 *  change and stored states expire. */
export const digestHomeText = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH);

interface HomeChange {
  readonly page?: number;
  /** The outcome of the last action, mrkdwn. */
  readonly notice?: (words: ObjectWords) => string;
  /** As this request has just changed them. */
  readonly preferences?: Preferences;
}

export async function showHome(context: SlackContext, { page, notice, preferences }: HomeChange = {}): Promise<void> {
  const { view: current } = context;
  // The first page where the request did not come from Home.
  const here = current?.type === 'home' ? readHomePageNumber(current.privateMetadata) : 0;
  const [model, words] = await Promise.all([readHome(context, page ?? here), context.words(preferences)]);
  const view = drawHomeView({ ...model, notice: notice?.(words) ?? null }, words);
  const message = { text: '', blocks: view.blocks as KnownBlock[] };
  await callWithPictures(message, context, ({ blocks }) =>
    context.slack.publishHome(context.userId, { ...view, blocks }),
  );
}

export async function replyWithHome(context: SlackContext, change: HomeChange = {}) {
  await showHome(context, change);
  return { kind: 'done' } as const;
}

/** Home may be open behind a changed modal; else it is drawn anew when somebody opens it. */
export function refreshHome(context: SlackContext): void {
  if (context.view?.type === 'modal') showHome(context).catch(context.onProblem);
}

/** An unreadable number is the first page. */
export const readHomePageNumber = (text: string): number => (/^\d{1,3}$/.test(text) ? Number(text) : 0);

/** Plans in the list: their addresses are long, and a block holds 3,000 characters. */
const PLANS_LISTED = 5;

/** @param page from 0; one after the last gives the last */
async function readHome(context: SlackContext, page: number): Promise<Omit<HomeModel, 'notice'>> {
  const { shelf, people, personData, plans: planService, personSessions, publicUrl, owner, discovery } = context;
  const [preferences, searches, savedSearches, linked, saved, plans] = await Promise.all([
    people.getPreferences(owner),
    people.listSearches(owner),
    people.listSavedSearches(owner),
    people.countLinked(owner),
    readSaved(page),
    planService.list(owner, { page: 0, pageSize: PLANS_LISTED }),
  ]);
  const hasProviders = preferences.providers.length > 0;
  const lists = hasProviders ? (await discovery.lists({ timeoutMs: LISTS_MS })).providers : [];
  const names = new Map(lists.map(({ id, name }) => [id, name]));
  const providers = preferences.providers.map((id) => names.get(id) ?? id);
  const ticket = new URLSearchParams({ ticket: personSessions.makeTicket(owner) });
  const linkPlan = (id?: string) => `${publicUrl}/plans${id ? `/${id}` : ''}?${ticket}`;
  const { tenantId, person } = owner;
  const dataUrl = publicUrl + personData.makeDataPath({ tenantId, accounts: [person], emails: [] });
  return { ...saved, searches, savedSearches, plans, linkPlan, preferences, providers, isLinked: linked > 0, dataUrl };

  async function readSaved(page: number): Promise<Pick<HomeModel, 'saved' | 'page'>> {
    const saved = await shelf.list(owner, { page, pageSize: SAVED_PER_PAGE });
    const last = Math.max(0, Math.ceil(saved.total / SAVED_PER_PAGE) - 1);
    return page > last ? readSaved(last) : { saved, page };
  }
}
