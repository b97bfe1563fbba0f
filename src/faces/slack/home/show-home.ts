import type { Preferences } from '#domain/person';
import type { ObjectWords } from '#faces/object-view/facts';
import type { KnownBlock } from '../blocks/block-kit.ts';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import { sendWithPictures } from '../slack-api/slack-calls.ts';
import { drawHomeView, type HomeModel, SAVED_PER_PAGE } from './home-view.ts';

interface HomeChange {
  readonly page?: number;
  /** The outcome of the last action, mrkdwn. */
  readonly notice?: (words: ObjectWords) => string;
  /** As this request has just changed them. */
  readonly preferences?: Preferences;
}

export async function showHome(
  context: SlackContext,
  { page = readHomePage(context), notice, preferences }: HomeChange = {},
): Promise<void> {
  const [model, words] = await Promise.all([readHome(context, page), context.words(preferences)]);
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

/** Home may be open behind a changed modal; else it is drawn anew when somebody opens it. */
export function refreshHome(context: SlackContext): void {
  if (context.view?.type === 'modal') showHome(context).catch(context.onProblem);
}

/** Zero where the request did not come from Home. */
const readHomePage = ({ view }: SlackContext): number =>
  view?.type === 'home' ? readPageNumber(view.privateMetadata) : 0;

/** An unreadable number is the first page. */
export const readPageNumber = (text: string): number => (/^\d{1,3}$/.test(text) ? Number(text) : 0);

/** Their addresses are long, and a block takes 3,000 characters. */
const PLANS_LISTED = 5;

/** @param page from 0; one after the last gives the last */
async function readHome(
  { shelf, people, plans: planService, personSessions, publicUrl, owner, discovery }: SlackContext,
  page: number,
): Promise<Omit<HomeModel, 'notice'>> {
  const [preferences, searches, savedSearches, linked, saved, { items: plans }] = await Promise.all([
    people.getPreferences(owner),
    people.listSearches(owner),
    people.listSavedSearches(owner),
    people.countLinked(owner),
    readSaved(page),
    planService.list(owner, { page: 0, pageSize: PLANS_LISTED }),
  ]);
  const providers = await nameProviders(discovery, preferences.providers);
  const ticket = new URLSearchParams({ ticket: personSessions.makeTicket(owner) });
  const linkPlan = (id: string) => `${publicUrl}/plans/${id}?${ticket}`;
  return { ...saved, searches, savedSearches, plans, linkPlan, preferences, providers, isLinked: linked > 0 };

  async function readSaved(page: number): Promise<Pick<HomeModel, 'saved' | 'page'>> {
    const saved = await shelf.list(owner, { page, pageSize: SAVED_PER_PAGE });
    const last = Math.max(0, Math.ceil(saved.total / SAVED_PER_PAGE) - 1);
    return page > last ? readSaved(last) : { saved, page };
  }
}

async function nameProviders(discovery: SlackContext['discovery'], ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { providers } = await discovery.lists({ timeoutMs: LISTS_MS });
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? id);
}
