import { ASSISTANT_PATH } from '#domain/assistants';
import { hasErrorCode } from '#errors';
import { openHandle } from '#faces/object-view/handle';
import type { LtiFaceDeps } from '../deps.ts';
import { createDayFormat, isReplyToScript } from '../object/replies.ts';
import {
  type LaunchContext,
  type LtiReply,
  makeLtiFragment,
  makeLtiPage,
  toShelfOwner,
  toTeacherActor,
} from '../route.ts';
import { noteLookedIntoCard, readPickerCards } from './cards.ts';

const tabs = ['saved', 'recent', 'colleagues'] as const;
type Tab = (typeof tabs)[number];
const PAGE_SIZE = 20;
const linkErrorCodes = ['LINK_CODE_INVALID', 'LINK_CODE_THROTTLED', 'SHELF_FULL', 'CHANGED_MEANWHILE'] as const;

export async function showShelfTab(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const tab = tabs.find((name) => name === context.query.get('tab')) ?? 'saved';
  // An invalid number stands for the first page.
  const page = Number(/^\d{1,3}$/.exec(context.query.get('page') ?? '')?.[0] ?? 0);
  const { sources, next } = await readShelfTab(deps, context, { tab, page });
  const cards = await readPickerCards(sources, deps, context);
  const isFirst = page === 0;
  const link = tab === 'saved' && isFirst ? await findShelfLink(deps, context) : null;
  return makeLtiFragment('shelf-list', { tab, cards, next, isFirst, link });
}

async function readShelfTab(deps: LtiFaceDeps, { launch }: LaunchContext, { tab, page }: { tab: Tab; page: number }) {
  const { shelf, placements } = deps;
  if (tab === 'recent') return { sources: await placements.listRecent(launch), next: null };
  if (tab === 'colleagues') return { sources: await placements.listOfColleagues(launch), next: null };
  const { items, total } = await shelf.list(toShelfOwner(launch), { page, pageSize: PAGE_SIZE });
  return { sources: items, next: (page + 1) * PAGE_SIZE < total ? page + 1 : null };
}

export async function changeShelf(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { shelf, keyring } = deps;
  const { launch, form, t } = context;
  const owner = toShelfOwner(launch);
  const opened = openHandle(form.get('handle') ?? '', { keyring, tenantId: launch.tenantId });
  if (form.get('action') === 'remove') {
    await shelf.remove(owner, opened.object.url);
    return { kind: 'json', body: { isSaved: false } };
  }
  noteLookedIntoCard(deps, context, opened);
  try {
    await shelf.save(owner, opened);
    return { kind: 'json', body: { isSaved: true } };
  } catch (error) {
    if (!hasErrorCode(error, 'SHELF_FULL')) throw error;
    return { kind: 'json', body: { isSaved: false, problem: t('shelf.full', error.data) } };
  }
}

type ConnectedAssistant = Readonly<Record<'id' | 'name' | 'since', string>>;

interface ShelfLink {
  readonly token: string;
  readonly isShared: boolean;
  readonly code: string | null;
  readonly typed: string;
  readonly problem: string | null;
  /** The address for assistants, and the teacher's assistants; null if the tenant has none. */
  readonly assistant: { readonly address: string; readonly connected: readonly ConnectedAssistant[] } | null;
  readonly assistantCode: string | null;
  readonly done: 'linked' | 'unlinked' | 'disconnected' | null;
}

export const submitShelfLink = async (deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> =>
  showShelfLink(deps, context, await changeShelfLink(deps, context));

/** Shows the form that links shelves: as a fragment for a script, else as a page. */
export async function showShelfLink(
  deps: LtiFaceDeps,
  context: LaunchContext,
  change: Partial<ShelfLink> = {},
): Promise<LtiReply> {
  const link = { ...(await readShelfLink(deps, context)), ...change };
  return isReplyToScript(context) ? makeLtiFragment('shelf-link', { link }) : makeLtiPage('shelf-link', { link });
}

async function changeShelfLink(deps: LtiFaceDeps, context: LaunchContext): Promise<Partial<ShelfLink>> {
  const { people, assistants } = deps;
  const { launch, form, t } = context;
  const owner = toShelfOwner(launch);
  const action = form.get('action');
  if (action === 'get') return { code: (await people.createLinkCode(owner)).code };
  if (action === 'assistant') {
    const { registrationId } = launch;
    const teacher = { ...owner, registrationId, personName: toTeacherActor(context).name };
    return { assistantCode: await assistants.authorizations.createTeacherCode(teacher) };
  }
  if (action === 'disconnect') {
    const grant = (await assistants.grants.listOf(owner)).find(({ id }) => id === form.get('grant'));
    if (grant !== undefined) await assistants.grants.end(toTeacherActor(context), grant.id);
    return { done: 'disconnected' };
  }
  if (action === 'unlink') {
    await people.unlink(owner);
    return { done: 'unlinked' };
  }
  const typed = (form.get('code') ?? '').trim();
  if (typed === '') return { problem: t('shelf.link.problems.empty') };
  try {
    await people.link(owner, typed);
    return { done: 'linked' };
  } catch (error) {
    if (!hasErrorCode(error, ...linkErrorCodes)) throw error;
    return { typed, problem: t(`shelf.link.problems.${error.code}`, error.data) };
  }
}

async function readShelfLink(deps: LtiFaceDeps, { launch, token, locale }: LaunchContext): Promise<ShelfLink> {
  const { people, tenants, assistants, publicUrl } = deps;
  const owner = toShelfOwner(launch);
  const [linkedCount, tenant, grants] = await Promise.all([
    people.countLinked(owner),
    tenants.findTenant(launch.tenantId),
    assistants.grants.listOf(owner),
  ]);
  const formatDay = createDayFormat(locale);
  const connected = grants.map(({ id, clientName: name, createdAt }) => ({ id, name, since: formatDay(createdAt) }));
  const assistant = tenant?.hasAssistants ? { address: publicUrl + ASSISTANT_PATH, connected } : null;
  const empty = { code: null, assistantCode: null, typed: '', problem: null, done: null };
  return { ...empty, token, isShared: linkedCount > 0, assistant };
}

/** Finds the form's model; null if the shelf is not shared and people cannot have another one. */
async function findShelfLink(deps: LtiFaceDeps, context: LaunchContext): Promise<ShelfLink | null> {
  const link = await readShelfLink(deps, context);
  return link.isShared || (await deps.hasOtherShelves(context.launch.tenantId)) ? link : null;
}
