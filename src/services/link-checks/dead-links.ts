import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/admin.ts';
import { type LearningObject, normalizeObjectAddress } from '../../domain/learning-object.ts';
import { MAX_TITLE_LENGTH, type Placement } from '../../domain/lti/placement.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LinkCheck, LinkMend, PlacedLink } from '../../ports/store/store.ts';
import type { Audit } from '../audit.ts';
import { createFailingLinks, type FailingLinks, type FailingLinksDeps } from './failing-links.ts';

/** All that a tenant knows of one address. */
export interface PlacedAddress {
  /** Null where it was never checked. */
  readonly check: LinkCheck | null;
  /** At most 1,000. */
  readonly links: readonly PlacedLink[];
  /** What was done about it, newest first. */
  readonly mends: readonly LinkMend[];
}

export interface Replacement {
  readonly object: LearningObject;
  /** Of the search that found it. */
  readonly requestId: string | null;
}

/** What becomes of dead links in courses. Everything done is in the audit trail, and can be undone.
 *  Errors: DEAD_LINK_UNKNOWN where no link of the tenant shows the address; CHANGED_MEANWHILE. */
export interface DeadLinks extends FailingLinks {
  /** Empty where nothing is known. */
  find(tenantId: string, url: string): Promise<PlacedAddress>;
  /** Puts another object behind the links that show the address: behind those of `linkIds`, or all where that is null. */
  replace(
    actor: Actor,
    what: { readonly tenantId: string; readonly url: string; readonly linkIds: readonly string[] | null },
    replacement: Replacement,
  ): Promise<LinkMend>;
  /** It stays dead for learners, and nobody is asked about it any more. */
  leave(actor: Actor, tenantId: string, url: string): Promise<LinkMend>;
  /** Takes somebody's word that it works: learners get it again, and the host looks anew. */
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
    return { check: check ?? null, links, mends };
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

  /** Dead again, as it was, unless the host has seen it alive since. */
  async function undoLookAgain({ url, reason, since }: LinkMend): Promise<void> {
    const [check] = await linkChecks.findLinkChecks([url]);
    if (check?.state === 'unsure' && reason !== null)
      await linkChecks.saveLinkChecks([{ ...check, state: 'dead', reason, since, failures: PROVEN }]);
  }

  return {
    ...createFailingLinks(deps),
    find,
    async replace(actor, { tenantId, url, linkIds }, { object, requestId }) {
      const { check, links } = await find(tenantId, url);
      const chosen = links.filter(({ link }) => linkIds === null || linkIds.includes(link.id));
      const changes: LinkMend['changes'][number][] = [];
      for (const each of chosen) {
        const { id: from, ...before } = each.placement;
        const title = object.title.trim().slice(0, MAX_TITLE_LENGTH);
        const shown = { object, requestId, title, address: normalizeObjectAddress(object.url) };
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
      // Due at once, and as if it had failed for the first time.
      const fresh = {
        ...check,
        state: 'unsure',
        failures: 0,
        since: clock.now(),
        checkedAt: new Date(0),
      } as const;
      await linkChecks.saveLinkChecks([fresh]);
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
      if (mend.kind === 'look-again') await undoLookAgain(mend);
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

/** Failures of one that was proven dead. */
const PROVEN = 3;

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
