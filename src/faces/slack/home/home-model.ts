import { createHash } from 'node:crypto';
import type { Preferences, RecentSearch } from '#domain/person';
import type { Page, ShelfRecord } from '#ports/store/store';
import type { SlackFaceDeps } from '../deps.ts';
import { LISTS_MS, type SlackContext } from '../listener.ts';

/** What Home is drawn from. */
export type HomeDeps = Pick<SlackFaceDeps, 'shelf' | 'people' | 'onProblem'>;

/** What else is needed for what is done there. */
export type HomeActionDeps = HomeDeps & Pick<SlackFaceDeps, 'tenants' | 'keptStates'>;

export interface HomeModel {
  readonly saved: Page<ShelfRecord>;
  /** From 0. */
  readonly page: number;
  /** Newest first. */
  readonly searches: readonly RecentSearch[];
  /** Newest first. */
  readonly savedSearches: readonly string[];
  readonly preferences: Preferences;
  /** Of the preferred providers, in their order; their ids where the names cannot be had. */
  readonly providers: readonly string[];
  readonly isLinked: boolean;
  /** What has just been done, mrkdwn; null where there is nothing to say. */
  readonly notice: string | null;
}

export const SAVED_PER_PAGE = 5;

/** @param page from 0; one after the last gives the last */
export async function readHome(
  { shelf, people }: Pick<HomeDeps, 'shelf' | 'people'>,
  { owner, discovery }: Pick<SlackContext, 'owner' | 'discovery'>,
  page: number,
): Promise<Omit<HomeModel, 'notice'>> {
  const [preferences, searches, savedSearches, linked, saved] = await Promise.all([
    people.getPreferences(owner),
    people.listSearches(owner),
    people.listSavedSearches(owner),
    people.countLinked(owner),
    readSaved(page),
  ]);
  const providers = await providerNames(discovery, preferences.providers);
  return { ...saved, searches, savedSearches, preferences, providers, isLinked: linked > 0 };

  async function readSaved(wanted: number): Promise<Pick<HomeModel, 'saved' | 'page'>> {
    const saved = await shelf.list(owner, { page: wanted, pageSize: SAVED_PER_PAGE });
    const last = Math.max(0, Math.ceil(saved.total / SAVED_PER_PAGE) - 1);
    return wanted > last ? readSaved(last) : { saved, page: wanted };
  }
}

async function providerNames(
  discovery: SlackContext['discovery'],
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { providers } = await discovery.lists({ timeoutMs: LISTS_MS });
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? id);
}

const DIGEST_LENGTH = 16;

/** What a button on Home carries for a text: the same however often Home is drawn, and never expiring; not a secret. Home stays
 *  open for days, so a place in a list, or a kept state, would stand for something else by then. */
export const digestText = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH);
