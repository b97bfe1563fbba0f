import { randomUUID } from 'node:crypto';
import type { Actor } from '#domain/admin';
import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import { type CompletionRule, MAX_TITLE_LENGTH, type Placement } from '#domain/lti/placement';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LinkCheck, LinkMend, PlacedLink } from '#ports/store/store';
import type { Audit } from '#services/tenants/audit';
import {
  createFailingLinks,
  type FailingLinks,
  type FailingLinksDeps,
  findLinkDecision,
  type LinkDecision,
} from './failing-links.ts';

/** All that a tenant knows of one address. */
export interface PlacedAddress {
  /** Null where it was never checked. */
  readonly check: LinkCheck | null;
  /** What the tenant decided since it died; null where it has not. */
  readonly decision: LinkDecision | null;
  /** At most 1,000. */
  readonly links: readonly PlacedLink[];
  /** What was done about it, newest first. */
  readonly mends: readonly LinkMend[];
}

export interface Replacement {
  readonly object: LearningObject;
  /** Of the search that found it. */
  readonly requestId: string | null;
  /** The object's own when absent. */
  readonly title?: string;
  /** That of the object before when absent. */
  readonly completion?: CompletionRule;
}

/** What becomes of dead links in courses. Everything done is in the audit trail, and can be undone.
 *  Errors: DEAD_LINK_UNKNOWN where no link of the tenant shows the address; CHANGED_MEANWHILE. */
export interface DeadLinks extends FailingLinks {
  /** Empty where nothing is known. */
  find(tenantId: string, url: string): Promise<PlacedAddress>;
  /** What counts of an address in a tenant: a dead one that somebody there said to work is `unsure`. Null where it was never
   *  checked. */
  findCheck(tenantId: string, url: string): Promise<LinkCheck | null>;
  /** Puts another object behind the links that show the address: behind those of `linkIds`, or all where that is null. */
  replace(
    actor: Actor,
    what: { readonly tenantId: string; readonly url: string; readonly linkIds: readonly string[] | null },
    replacement: Replacement,
  ): Promise<LinkMend>;
  /** It stays dead for learners, and nobody is asked about it any more. */
  leave(actor: Actor, tenantId: string, url: string): Promise<LinkMend>;
  /** Takes somebody's word that it works: learners of the tenant get it again, and the host looks anew. That word is the tenant's
   *  own, until the address was seen alive: other tenants have only what the host itself sees, or one mistaken person would
   *  send all of their learners to a page that is gone. */
  lookAgain(actor: Actor, tenantId: string, url: string): Promise<LinkMend>;
  /** @returns how many links show again what they showed before; those that were changed since stay as they are */
  undo(actor: Actor, tenantId: string, mendId: string): Promise<number>;
  /** Of a link: what was put into the place of a dead object there, and is still there; null where that is not so. */
  findReplaced(link: PlacedLink): Promise<LinkMend | null>;
}

export interface DeadLinksDeps extends FailingLinksDeps {
  readonly audit: Audit;
  readonly clock: Clock;
}

const MOST_LINKS = 1_000;
const MOST_MENDS = 1_000;

export function createDeadLinks(deps: DeadLinksDeps): DeadLinks {
  const { linkChecks, linkMends, placements, audit, clock } = deps;

  async function find(tenantId: string, url: string): Promise<PlacedAddress> {
    const [[check], links, mends] = await Promise.all([
      linkChecks.findLinkChecks([url]),
      placements.listPlacedLinks(tenantId, url, MOST_LINKS),
      linkMends.listLinkMends([tenantId], [url], MOST_MENDS),
    ]);
    const decision = check === undefined ? null : findLinkDecision(check, mends);
    return { check: check ?? null, decision, links, mends };
  }

  async function findCheck(tenantId: string, url: string): Promise<LinkCheck | null> {
    const [check] = await linkChecks.findLinkChecks([url]);
    if (check?.state !== 'dead') return check ?? null;
    const mends = await linkMends.listLinkMends([tenantId], [url], MOST_MENDS);
    return findLinkDecision(check, mends) === 'look-again' ? { ...check, state: 'unsure' } : check;
  }

  /** Those of these links that show the address. */
  async function findPlaced(tenantId: string, url: string, ids: readonly string[]): Promise<PlacedLink[]> {
    const found = ids.map(async (id) => {
      const link = await placements.findLink(tenantId, id);
      const placement = link && (await placements.findPlacement(tenantId, link.placementId));
      return link && placement?.object.url === url ? [{ link, placement }] : [];
    });
    return (await Promise.all(found)).flat();
  }

  async function note(actor: Actor, mend: LinkMend, title: string): Promise<LinkMend> {
    const { tenantId, kind, url, object, changes } = mend;
    await linkMends.addLinkMend(mend);
    const details = {
      address: url,
      ...(object !== null && { by: object.title, byAddress: object.url, links: `${changes.length}` }),
    };
    await audit.record(actor, { action: actions[kind], tenantId, target: title, details });
    return mend;
  }

  function makeMend(
    actor: Actor,
    { tenantId, url, check }: { tenantId: string; url: string; check: LinkCheck | null },
    changes: Pick<LinkMend, 'kind'> & Partial<LinkMend>,
  ): LinkMend {
    const madeAt = clock.now();
    return {
      ...{ id: randomUUID(), tenantId, url, madeBy: actor.name, madeAt, undoneAt: null },
      ...{ reason: check?.reason ?? null, since: check?.since ?? madeAt, object: null, changes: [] },
      ...changes,
    };
  }

  /** A new placement with what `content` says, in the place of one that is older. False where the link shows another one by now. */
  async function put(
    { link, placement }: PlacedLink,
    content: Omit<Placement, 'id' | 'placedAt'>,
  ): Promise<string | null> {
    const now = await placements.findLink(link.tenantId, link.id);
    if (now?.placementId !== placement.id) return null;
    const placedAt = new Date(Math.max(clock.now().getTime(), placement.placedAt.getTime() + 1));
    const next = { ...content, id: randomUUID(), placedAt };
    await placements.addPlacements([next]);
    await placements.replaceLinkPlacement(link.tenantId, link.id, next.id);
    return next.id;
  }

  async function undoReplacement(tenantId: string, { changes }: LinkMend): Promise<number> {
    let undone = 0;
    for (const { linkId, from, to } of changes) {
      const link = await placements.findLink(tenantId, linkId);
      const [before, now] = await Promise.all([from, to].map((id) => placements.findPlacement(tenantId, id)));
      if (!link || !before || !now || link.placementId !== to) continue;
      if ((await put({ link, placement: now }, before)) !== null) undone++;
    }
    return undone;
  }

  return {
    ...createFailingLinks(deps),
    find,
    findCheck,
    async replace(actor, { tenantId, url, linkIds }, { object, requestId, completion, ...given }) {
      const { check, links } = await find(tenantId, url);
      const chosen = linkIds === null ? links : await findPlaced(tenantId, url, linkIds);
      const changes: LinkMend['changes'][number][] = [];
      for (const each of chosen) {
        const { id: from, ...before } = each.placement;
        const title = (given.title ?? object.title).trim().slice(0, MAX_TITLE_LENGTH);
        const address = normalizeObjectAddress(object.url);
        const shown = { object, requestId, title, address, completion: completion ?? before.completion };
        const { registrationId, contextId } = each.link;
        const course = { registrationId, contextId: contextId ?? before.contextId };
        const to = await put(each, { ...before, ...shown, ...course, person: toPerson(actor) });
        if (to !== null) changes.push({ linkId: each.link.id, from, to });
      }
      const [first] = chosen;
      if (first === undefined || changes.length === 0) throw createUnknownError();
      const done = { kind: 'replace', object: { title: object.title, url: object.url }, changes } as const;
      return note(actor, makeMend(actor, { tenantId, url, check }, done), first.placement.object.title);
    },
    async leave(actor, tenantId, url) {
      const { check, links } = await find(tenantId, url);
      const title = getTitle(links);
      return note(actor, makeMend(actor, { tenantId, url, check }, { kind: 'leave' }), title);
    },
    async lookAgain(actor, tenantId, url) {
      const { check, links } = await find(tenantId, url);
      const title = getTitle(links);
      if (check?.state !== 'dead') throw createUnknownError();
      const mend = makeMend(actor, { tenantId, url, check }, { kind: 'look-again' });
      // Due at once.
      await linkChecks.saveLinkChecks([{ ...check, checkedAt: new Date(0) }]);
      return note(actor, mend, title);
    },
    async undo(actor, tenantId, mendId) {
      const mend = await linkMends.findLinkMend(tenantId, mendId);
      if (mend === null) throw createUnknownError();
      if (!(await linkMends.markMendUndone(tenantId, mendId, clock.now())))
        throw new AppError(
          'CHANGED_MEANWHILE',
          'This was undone before. Reload the page to see what is there now.',
        );
      const undone = mend.kind === 'replace' ? await undoReplacement(tenantId, mend) : 0;
      const details = { address: mend.url, what: mend.kind, links: `${undone}` };
      const target = mend.object?.title ?? mend.url;
      await audit.record(actor, { action: 'dead-link.undone', tenantId, target, details });
      return undone;
    },
    async findReplaced({ link: { tenantId, id }, placement }) {
      const mends = await linkMends.listReplacements(tenantId, placement.object.url);
      const put = (mend: LinkMend) =>
        mend.undoneAt === null && mend.changes.some(({ linkId, to }) => linkId === id && to === placement.id);
      return mends.find(put) ?? null;
    },
  };
}

const actions = {
  replace: 'dead-link.replaced',
  leave: 'dead-link.left',
  'look-again': 'dead-link.looked-again',
} as const;

/** As placements name who chose them. */
function toPerson({ kind, id }: Actor): string {
  return kind === 'teacher' && id !== null ? id : `${kind}:${id ?? ''}`;
}

/** Of the object. Errors: DEAD_LINK_UNKNOWN where there are no links. */
function getTitle([first]: readonly PlacedLink[]): string {
  if (first === undefined) throw createUnknownError();
  return first.placement.object.title;
}

function createUnknownError(): AppError {
  return new AppError(
    'DEAD_LINK_UNKNOWN',
    'No link in the courses of this tenant shows this address any more. Go back to the list to see what is there now.',
  );
}
