import { createHash } from 'node:crypto';
import type { Preferences, RecentSearch } from '#domain/person';
import { summarizePlan } from '#domain/plan';
import { toOneLine } from '#domain/text';
import type { ObjectWords } from '#faces/object-view/facts';
import type { Translate } from '#faces/words/i18n';
import type { Page, PlanRecord, ShelfRecord } from '#ports/store/store';
import type { ButtonParts, HomeView, KnownBlock } from '../blocks/block-kit.ts';
import { actions, button, confirmation, divider, header, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { objectSection, shortenObjectTitle } from '../blocks/messages.ts';
import { cutSlackText, escapeMrkdwn, linkTitle } from '../blocks/text.ts';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import { sendWithPictures } from '../slack-api/slack-calls.ts';
import { writePreferences } from './preferences.ts';

interface HomeModel {
  readonly saved: Page<ShelfRecord>;
  /** Index of the page of saved objects. */
  readonly page: number;
  /** Newest first. */
  readonly searches: readonly RecentSearch[];
  /** Newest first. */
  readonly savedSearches: readonly string[];
  /** The last changed first. */
  readonly plans: Page<PlanRecord>;
  /** Gives the address that opens a plan in any browser; without an id, that of all plans. */
  linkPlan(id?: string): string;
  readonly preferences: Preferences;
  /** Names of the preferred providers, in their order; ids for names that cannot be had. */
  readonly providers: readonly string[];
  readonly isLinked: boolean;
  /** Address of the page with the person's data, valid for an hour. */
  readonly dataUrl: string;
  /** The outcome of the last action, mrkdwn; null for none. */
  readonly notice: string | null;
}

const SAVED_PER_PAGE = 5;
const MAX_SEARCH = 200;
/** Limits of links, as their tickets are long: six of them fit in one text, with names of plans. */
const hostLink = { max: 100, maxAddress: 370 };

function drawHomeView(model: HomeModel, words: ObjectWords): HomeView {
  const { t } = words;
  return {
    type: 'home',
    callback_id: 'home',
    private_metadata: String(model.page),
    blocks: [
      ...(model.notice === null ? [] : [sectionBlock(model.notice), divider]),
      ...drawHomeWelcome(words),
      ...drawHomeObjects(model, words),
      divider,
      ...drawHomePlans(model, words),
      ...drawHomeSavedSearches(model, words),
      ...drawHomeRecentSearches(model, words),
      divider,
      ...drawHomePreferences(model, words),
      divider,
      ...drawHomeLink(model, words),
      divider,
      header(t('slackHome.data.title')),
      sectionBlock(t('slackHome.data.text')),
      sectionBlock(linkTitle(model.dataUrl, t('myData.link'), hostLink)),
    ],
  };
}

function drawHomeWelcome({ t }: ObjectWords): KnownBlock[] {
  return [
    header(t('slackHome.welcome.title')),
    sectionBlock(t('slackHome.welcome.text')),
    smallText(t('slackHome.welcome.how')),
    actions([button({ actionId: 'search_open', text: t('slackHome.welcome.search'), style: 'primary' })]),
    divider,
  ];
}

function drawHomePlans({ plans, linkPlan }: HomeModel, { t }: ObjectWords): KnownBlock[] {
  if (plans.total === 0) return [];
  const lines = plans.items.map(({ id, name, sections }) => {
    const count = t('plans.count', { count: summarizePlan({ sections }).items });
    return `• ${linkTitle(linkPlan(id), name, hostLink)} · ${count}`;
  });
  if (plans.total > lines.length) lines.push(linkTitle(linkPlan(), `${t('plans.back')} (${plans.total})`, hostLink));
  return [header(t('plans.title')), sectionBlock(lines.join('\n')), divider];
}

/** Draws a row for each saved search: Home has room even for the most that a person may save. */
function drawHomeSavedSearches({ savedSearches }: HomeModel, { t }: ObjectWords): KnownBlock[] {
  if (savedSearches.length === 0) return [];
  const rows = savedSearches.map((text) => {
    const value = toHomeButtonValue(text);
    const action = t('slackHome.savedSearches.search');
    const remove = t('slackHome.savedSearches.remove');
    return actions([
      drawHomeButton({ actionId: 'home_search', text, value }, { action, subject: text, t }),
      drawHomeButton({ actionId: 'home_search_remove', text: remove, value }, { action: remove, subject: text, t }),
    ]);
  });
  const title = header(t('slackHome.savedSearches.title'));
  return [title, smallText(t('slackHome.savedSearches.how')), ...rows, divider];
}

function drawHomeRecentSearches({ searches }: HomeModel, { t }: ObjectWords): KnownBlock[] {
  const title = header(t('slackHome.searches.title'));
  if (searches.length === 0) return [title, sectionBlock(t('slackHome.searches.none'))];
  const again = t('slackHome.searches.again');
  const rows = searches.map(({ text }) => {
    const line = toOneLine(text);
    const parts = { actionId: 'home_search', text: again, value: toHomeButtonValue(text) };
    const repeat = drawHomeButton(parts, { action: again, subject: line, t });
    return sectionBlock(cutSlackText(escapeMrkdwn(line), MAX_SEARCH), repeat);
  });
  return [title, ...rows];
}

function drawHomePreferences(model: HomeModel, words: ObjectWords): KnownBlock[] {
  const { t } = words;
  const lines = writePreferences(model, words);
  const text = lines.length === 0 ? t('slackHome.preferences.none') : lines.join('\n');
  const change = button({ actionId: 'home_preferences', text: t('slackHome.preferences.change') });
  return [header(t('slackHome.preferences.title')), sectionBlock(text, change)];
}

/** Draws the part about linked accounts: who has one can link one more. */
function drawHomeLink({ isLinked }: HomeModel, { t }: ObjectWords): KnownBlock[] {
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

/** Draws two blocks for each object: its text, and its buttons below it. */
function drawHomeObjects(model: SavedModel, words: ObjectWords): KnownBlock[] {
  const { t, locale } = words;
  const { items, total } = model.saved;
  if (items.length === 0) return [header(t('slackHome.saved.title')), sectionBlock(t('slackHome.saved.none'))];
  return [
    header(t('slackHome.saved.count', { count: total.toLocaleString(locale) })),
    ...items.flatMap((record) => [
      objectSection(record.object, { maxDescription: 0 }, words),
      drawHomeObjectActions(record, words, model.isLinked),
    ]),
    ...drawHomePager(model, words),
  ];
}

function drawHomeObjectActions({ address, object }: ShelfRecord, { t }: ObjectWords, isLinked: boolean): KnownBlock {
  const value = toHomeButtonValue(address);
  const title = shortenObjectTitle(object);
  const similar = t('slackHome.saved.similar');
  const remove = t('slackHome.saved.remove');
  const question = t(`slackHome.saved.confirm.${isLinked ? 'textShared' : 'text'}`, { title });
  const removing = { actionId: 'home_remove', text: remove, value, confirm: createConfirmation('saved', question, t) };
  return actions([
    drawHomeButton({ actionId: 'home_similar', text: similar, value }, { action: similar, subject: title, t }),
    drawHomeButton(removing, { action: remove, subject: title, t }),
  ]);
}

function drawHomePager({ saved, page }: SavedModel, { t, locale }: ObjectWords): KnownBlock[] {
  const { items, total } = saved;
  if (total <= SAVED_PER_PAGE) return [];
  const first = page * SAVED_PER_PAGE + 1;
  const last = page * SAVED_PER_PAGE + items.length;
  const pageButton = (direction: 'previous' | 'next', to: number) =>
    button({ actionId: `home_page_${direction}`, text: t(`slackHome.saved.${direction}`), value: String(to) });
  const buttons = [
    ...(page > 0 ? [pageButton('previous', page - 1)] : []),
    ...(last < total ? [pageButton('next', page + 1)] : []),
  ];
  const range = {
    first: first.toLocaleString(locale),
    last: last.toLocaleString(locale),
    total: total.toLocaleString(locale),
  };
  return [smallText(t('slackHome.saved.shown', range)), actions(buttons)];
}

/** Draws a button that is read out with its action and the subject of that. */
const drawHomeButton = (
  parts: ButtonParts,
  { action, subject, t }: { readonly action: string; readonly subject: string; readonly t: Translate },
) => button({ ...parts, label: t('slackHome.label', { action, what: subject }) });

const createConfirmation = (part: 'saved' | 'link', text: string, t: Translate) =>
  confirmation({
    title: t(`slackHome.${part}.confirm.title`),
    text,
    confirm: t(`slackHome.${part}.confirm.do`),
    deny: t(`slackHome.${part}.confirm.keep`),
  });

const DIGEST_LENGTH = 16;

/** Makes the value of a button from its text: Home stays open while positions change. */
export const toHomeButtonValue = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH);

interface HomeChange {
  readonly page?: number;
  /** The outcome of the last action, mrkdwn. */
  readonly notice?: (words: ObjectWords) => string;
  /** The preferences that this request has changed. */
  readonly preferences?: Preferences;
}

/** Publishes Home on the given page, else on the one that is open. */
export async function showHome(context: SlackContext, { page, notice, preferences }: HomeChange = {}): Promise<void> {
  const { view: current } = context;
  const openPage = current?.type === 'home' ? parseHomePage(current.privateMetadata) : 0;
  const [model, words] = await Promise.all([readHome(context, page ?? openPage), context.words(preferences)]);
  const view = drawHomeView({ ...model, notice: notice?.(words) ?? null }, words);
  const message = { text: '', blocks: view.blocks as KnownBlock[] };
  await sendWithPictures(message, context, ({ blocks }) =>
    context.slack.publishHome(context.userId, { ...view, blocks }),
  );
}

export async function replyWithHome(context: SlackContext, change: HomeChange = {}) {
  await showHome(context, change);
  return { kind: 'done' } as const;
}

/** Draws Home again if it may be open behind a modal; else it is drawn when somebody opens it. */
export function refreshHome(context: SlackContext): void {
  if (context.view?.type === 'modal') showHome(context).catch(context.onProblem);
}

/** Parses the number of a page, from 0, which also stands for an unreadable one. */
export const parseHomePage = (text: string): number => (/^\d{1,3}$/.test(text) ? Number(text) : 0);

/** How many plans are listed: their addresses are long, and a block holds 3,000 characters. */
const PLANS_LISTED = 5;

/** Reads all that Home shows. @param page from 0; a page after the last becomes the last */
async function readHome(context: SlackContext, page: number): Promise<Omit<HomeModel, 'notice'>> {
  const { people, personData, plans: planService, personSessions, publicUrl, owner, discovery } = context;
  const [preferences, searches, savedSearches, linked, saved, plans] = await Promise.all([
    people.getPreferences(owner),
    people.listSearches(owner),
    people.listSavedSearches(owner),
    people.countLinked(owner),
    readSavedPage(context, page),
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
}

async function readSavedPage(context: SlackContext, page: number): Promise<Pick<HomeModel, 'saved' | 'page'>> {
  const saved = await context.shelf.list(context.owner, { page, pageSize: SAVED_PER_PAGE });
  const last = Math.max(0, Math.ceil(saved.total / SAVED_PER_PAGE) - 1);
  return page > last ? readSavedPage(context, last) : { saved, page };
}
