import { AppError } from '#errors';
import { openHandle } from '#faces/object-view/handle';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply, LtiRoute } from '../route.ts';
import { type CardSource, findShelfOwner, readCards } from './cards.ts';
import { noteLookedInto } from './looked-into.ts';
import { findShelfLink } from './shelf-link.ts';

/** Lists of a person's shelf: what they saved, what was used in this course, and what colleagues
 *  use. */
const tabs = ['saved', 'recent', 'colleagues'] as const;
type Tab = (typeof tabs)[number];

const PAGE_SIZE = 20;

interface ShelfPage {
  readonly sources: readonly CardSource[];
  /** Number of the page after it; null where there is none. */
  readonly next: number | null;
}

export function shelfRoutes(deps: LtiFaceDeps): LtiRoute[] {
  return [
    { method: 'get', path: '/picker/shelf', access: 'picker', handle: (context) => showTab(deps, context) },
    {
      method: 'post',
      path: '/picker/shelf',
      access: 'picker',
      handle: (context) => changeShelf(deps, context),
    },
  ];
}

async function showTab(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const tab = tabs.find((name) => name === context.query.get('tab')) ?? 'saved';
  const page = readPageNumber(context.query);
  const { sources, next } = await readTab(deps, context, { tab, page });
  const cards = await readCards(sources, deps, context);
  const isFirst = page === 0;
  const link = tab === 'saved' && isFirst ? await findShelfLink(deps, context) : null;
  return { kind: 'fragment', view: 'partials/shelf-list', model: { tab, cards, next, isFirst, link } };
}

/** A number that cannot be read is the first page. */
function readPageNumber(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^\d{1,3}$/.test(text) ? Number(text) : 0;
}

async function readTab(
  { shelf, placements }: LtiFaceDeps,
  { launch }: LaunchContext,
  { tab, page }: { tab: Tab; page: number },
): Promise<ShelfPage> {
  if (tab === 'recent') return { sources: await placements.listRecent(launch), next: null };
  if (tab === 'colleagues') return { sources: await placements.listOfColleagues(launch), next: null };
  const { items, total } = await shelf.list(findShelfOwner(launch), { page, pageSize: PAGE_SIZE });
  return { sources: items, next: (page + 1) * PAGE_SIZE < total ? page + 1 : null };
}

/** Saves or removes an object. A full shelf is no failure but something to say. */
async function changeShelf(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { shelf, keyring } = deps;
  const { launch, form, t } = context;
  const handle = form.get('handle') ?? '';
  const found = openHandle(handle, { keyring, tenantId: launch.tenantId });
  if (form.get('action') === 'remove') {
    await shelf.remove(findShelfOwner(launch), found.object.url);
    return { kind: 'json', body: { isSaved: false } };
  }
  noteLookedInto(deps, context, found);
  try {
    await shelf.save(findShelfOwner(launch), found);
    return { kind: 'json', body: { isSaved: true } };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SHELF_FULL') throw error;
    return { kind: 'json', body: { isSaved: false, problem: t('shelf.full', error.data) } };
  }
}
