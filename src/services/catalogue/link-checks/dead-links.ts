import { randomUUID } from 'node:crypto';
import type { Actor } from '#domain/admin';
import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { type CompletionRule, MAX_TITLE_LENGTH, type Placement } from '#domain/lti/placement';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LinkCheck, LinkMend, PlacedLink } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { Audit } from '#services/tenants/audit';
import { createFailingLinks, type FailingLinksDeps, findLinkDecision, type LinkDecision } from './failing-links.ts';

interface PlacedAddress {
  /** Null if the address was never checked. */
  readonly check: LinkCheck | null;
  /** Decision of the tenant since the address died; null if there is none. */
  readonly decision: LinkDecision | null;
  /** At most 1,000 links. */
  readonly links: readonly PlacedLink[];
  readonly mends: readonly LinkMend[];
}

export interface Replacement {
  readonly object: LearningObject;
  /** Request ID of the search that returned the object; null without a search. */
  readonly requestId: string | null;
  /** Title of the link; that of the object when absent. */
  readonly title?: string;
  /** Rule of completion; that of the replaced placement when absent. */
  readonly completion?: CompletionRule;
}

type DeadLinksDeps = FailingLinksDeps & { readonly audit: Audit; readonly clock: Clock };
const MAX_LINKS = 1_000;
const MAX_MENDS = 1_000;

/** Dead links in courses. Each action is audited and can be undone. Errors: DEAD_LINK_UNKNOWN if no
 *  link of the tenant shows the address; CHANGED_MEANWHILE. */
export function createDeadLinks(deps: DeadLinksDeps) {
  return {
    ...createFailingLinks(deps),
    ...bindState(deps, {
      find: findDeadAddress,
      findCheck: findCheckOfTenant,
      replace: replaceDeadLinks,
      leave: leaveDead,
      lookAgain,
      undo: undoMend,
      findReplaced: findShownReplacement,
    }),
  };
}

/** Finds what a tenant has of an address. There are no links if no course has it. */
async function findDeadAddress(deps: DeadLinksDeps, tenantId: string, url: string): Promise<PlacedAddress> {
  const { linkChecks, placements, linkMends } = deps;
  const [[check], links, mends] = await Promise.all([
    linkChecks.findLinkChecks([url]),
    placements.listPlacedLinks(tenantId, url, MAX_LINKS),
    linkMends.listLinkMends([tenantId], [url], MAX_MENDS),
  ]);
  const decision = check === undefined ? null : findLinkDecision(check, mends);
  return { check: check ?? null, decision, links, mends };
}

/** Returns the check of an address; null if it was never checked. A dead address is `unsure` if
 *  somebody of the tenant reported that it works. */
async function findCheckOfTenant(deps: DeadLinksDeps, tenantId: string, url: string): Promise<LinkCheck | null> {
  const { linkChecks, linkMends } = deps;
  const [check] = await linkChecks.findLinkChecks([url]);
  if (check?.state !== 'dead') return check ?? null;
  const mends = await linkMends.listLinkMends([tenantId], [url], MAX_MENDS);
  return findLinkDecision(check, mends) === 'look-again' ? { ...check, state: 'unsure' } : check;
}

interface LinksToReplace {
  readonly tenantId: string;
  readonly url: string;
  readonly linkIds: readonly string[] | null;
}

/** Puts another object behind the links with `linkIds`, or all that show the address (null). */
async function replaceDeadLinks(
  deps: DeadLinksDeps,
  actor: Actor,
  { tenantId, url, linkIds }: LinksToReplace,
  { object, requestId, completion, title: givenTitle = object.title }: Replacement,
): Promise<LinkMend> {
  const { check, links } = await findDeadAddress(deps, tenantId, url);
  const chosen = linkIds === null ? links : await findLinksById(deps, tenantId, url, linkIds);
  const title = givenTitle.trim().slice(0, MAX_TITLE_LENGTH);
  const address = normalizeObjectAddress(object.url);
  const changes: LinkMend['changes'][number][] = [];
  for (const placed of chosen) {
    const { id: from, ...before } = placed.placement;
    const { id: linkId, registrationId, contextId } = placed.link;
    const to = await putPlacement(deps, placed, {
      ...before,
      object,
      requestId,
      title,
      address,
      completion: completion ?? before.completion,
      registrationId,
      contextId: contextId ?? before.contextId,
      person: toMender(actor),
    });
    if (to !== null) changes.push({ linkId, from, to });
  }
  const [first] = chosen;
  if (first === undefined || changes.length === 0) throw createDeadLinkUnknownError();
  const mend = { kind: 'replace', object: { title: object.title, url: object.url }, changes } as const;
  return addMend(deps, actor, { tenantId, url, check, title: first.placement.object.title }, mend);
}

async function leaveDead(deps: DeadLinksDeps, actor: Actor, tenantId: string, url: string): Promise<LinkMend> {
  const { check, links } = await findDeadAddress(deps, tenantId, url);
  const title = getTitle(links);
  return addMend(deps, actor, { tenantId, url, check, title }, { kind: 'leave' });
}

/** Shows the address to this tenant's learners until the next check: the report may be mistaken. */
async function lookAgain(deps: DeadLinksDeps, actor: Actor, tenantId: string, url: string): Promise<LinkMend> {
  const { check, links } = await findDeadAddress(deps, tenantId, url);
  const title = getTitle(links);
  if (check?.state !== 'dead') throw createDeadLinkUnknownError();
  // With this date, the address is due at once.
  await deps.linkChecks.saveLinkChecks([{ ...check, checkedAt: new Date(0) }]);
  return addMend(deps, actor, { tenantId, url, check, title }, { kind: 'look-again' });
}

/** Undoes a mend. @returns how many links show their former object again; changed ones do not */
async function undoMend(deps: DeadLinksDeps, actor: Actor, tenantId: string, mendId: string): Promise<number> {
  const { linkMends, audit, clock } = deps;
  const mend = await linkMends.findLinkMend(tenantId, mendId);
  if (mend === null) throw createDeadLinkUnknownError();
  if (!(await linkMends.markMendUndone(tenantId, mendId, clock.now())))
    throw new AppError('CHANGED_MEANWHILE', 'This was undone before. Reload the page to see what is there now.');
  const undone = mend.kind === 'replace' ? await undoReplacement(deps, tenantId, mend) : 0;
  const details = { address: mend.url, what: mend.kind, links: `${undone}` };
  const target = mend.object?.title ?? mend.url;
  await audit.record(actor, {
    action: isAboutDeadLink(mend) ? 'dead-link.undone' : 'placed-object.undone',
    tenantId,
    target,
    details,
  });
  return undone;
}

async function undoReplacement(deps: DeadLinksDeps, tenantId: string, { changes }: LinkMend): Promise<number> {
  const { placements } = deps;
  let undone = 0;
  for (const { linkId, from, to } of changes) {
    const link = await placements.findLink(tenantId, linkId);
    const [before, now] = await Promise.all([from, to].map((id) => placements.findPlacement(tenantId, id)));
    if (!link || !before || !now || link.placementId !== to) continue;
    if ((await putPlacement(deps, { link, placement: now }, before)) !== null) undone++;
  }
  return undone;
}

/** Returns the replacement that a link shows; null if its object replaced none. */
async function findShownReplacement({ linkMends }: DeadLinksDeps, { link: { tenantId, id }, placement }: PlacedLink) {
  const mends = await linkMends.listReplacements(tenantId, placement.object.url);
  const isShown = ({ undoneAt, changes }: LinkMend) =>
    undoneAt === null && changes.some(({ linkId, to }) => linkId === id && to === placement.id);
  return mends.find(isShown) ?? null;
}

async function findLinksById({ placements }: DeadLinksDeps, tenantId: string, url: string, ids: readonly string[]) {
  const placed = ids.map(async (id) => {
    const link = await placements.findLink(tenantId, id);
    const placement = link && (await placements.findPlacement(tenantId, link.placementId));
    return link && placement?.object.url === url ? [{ link, placement }] : [];
  });
  return (await Promise.all(placed)).flat();
}

/** Puts a placement behind a link. @returns its id; null if the link no longer shows `placement` */
async function putPlacement(
  { placements, clock }: DeadLinksDeps,
  { link, placement }: PlacedLink,
  content: Omit<Placement, 'id' | 'placedAt'>,
): Promise<string | null> {
  const current = await placements.findLink(link.tenantId, link.id);
  if (current?.placementId !== placement.id) return null;
  const placedAt = new Date(Math.max(clock.now().getTime(), placement.placedAt.getTime() + 1));
  const next = { ...content, id: randomUUID(), placedAt };
  await placements.addPlacements([next]);
  await placements.replaceLinkPlacement(link.tenantId, link.id, next.id);
  return next.id;
}

interface MendedAddress {
  readonly tenantId: string;
  readonly url: string;
  readonly check: LinkCheck | null;
  /** Title of the object at the address. */
  readonly title: string;
}

async function addMend(
  { linkMends, audit, clock }: DeadLinksDeps,
  actor: Actor,
  { tenantId, url, check, title }: MendedAddress,
  { kind, object = null, changes = [] }: Pick<LinkMend, 'kind'> & Partial<LinkMend>,
): Promise<LinkMend> {
  const madeAt = clock.now();
  const mend: LinkMend = {
    id: randomUUID(),
    tenantId,
    url,
    kind,
    madeBy: actor.name,
    madeAt,
    undoneAt: null,
    reason: check?.reason ?? null,
    since: check?.since ?? madeAt,
    object,
    changes,
  };
  await linkMends.addLinkMend(mend);
  const replacement = object && { by: object.title, byAddress: object.url, links: `${changes.length}` };
  const action = isAboutDeadLink(mend) ? actions[kind] : 'placed-object.replaced';
  await audit.record(actor, { action, tenantId, target: title, details: { address: url, ...replacement } });
  return mend;
}

const actions = {
  replace: 'dead-link.replaced',
  leave: 'dead-link.left',
  'look-again': 'dead-link.looked-again',
} as const;

/** Tells whether a mend is about an address that did not answer: working ones are replaced, too. */
const isAboutDeadLink = ({ kind, reason }: LinkMend): boolean => kind !== 'replace' || reason !== null;

/** Writes an actor like the person of a placement. */
const toMender = ({ kind, id }: Actor): string => (kind === 'teacher' && id !== null ? id : `${kind}:${id ?? ''}`);

/** Errors: DEAD_LINK_UNKNOWN without links. */
function getTitle([first]: readonly PlacedLink[]): string {
  if (first === undefined) throw createDeadLinkUnknownError();
  return first.placement.object.title;
}

function createDeadLinkUnknownError(): AppError {
  return new AppError(
    'DEAD_LINK_UNKNOWN',
    'No link in the courses of this tenant shows this address any more. Go back to the list to see what is there now.',
  );
}
