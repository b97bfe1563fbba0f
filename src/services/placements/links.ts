import { createHash } from 'node:crypto';
import type { Launch } from '../../domain/lti/launch.ts';
import {
  CONTEXT_HISTORY_PARAMETER,
  LINK_HISTORY_PARAMETER,
  PLACEMENT_PARAMETER,
  type Placement,
} from '../../domain/lti/placement.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LtiLinkRecord, PlacementRepository } from '../../ports/store/store.ts';

/** A resource link with the placement behind it now. */
export interface OpenedLink {
  readonly link: LtiLinkRecord;
  readonly placement: Placement;
}

/** A course that was copied, as its platform tells. */
export interface CourseCopy extends Pick<LtiLinkRecord, 'tenantId' | 'registrationId' | 'deploymentId'> {
  readonly contextId: string;
  /** Ids of those it was copied from. */
  readonly originIds: readonly string[];
  readonly noticeId: string;
}

export interface LinksDeps {
  readonly placements: PlacementRepository;
  readonly clock: Clock;
}

/** Resource links, and what stands behind them: what was put there here, else what stands behind the link it was copied from,
 *  else what its item names. */
export interface Links {
  openLink(launch: Launch): Promise<OpenedLink | null>;
  findChosen(launch: Launch): Promise<Placement | null>;
  /** Puts a placement behind the link of a launch. Errors: PARAMETERS_INVALID where it is about none. */
  putBehind(launch: Launch, placement: Placement): Promise<OpenedLink>;
  copyCourse(copy: CourseCopy): Promise<void>;
}

export function createLinks({ placements, clock }: LinksDeps): Links {
  /** The link's own record: of this item, or, where that may be an older one of the same, of the resource link id alone. */
  async function findOwn(launch: Launch, given: Placement | null): Promise<OpenedLink | null> {
    const named = await findBehind(launch, linkId(launch, readChosenId(launch)));
    if (named !== null) return named;
    const unnamed = await findBehind(launch, linkId(launch, null));
    return unnamed !== null && isOfSameLink(unnamed.placement, given) ? unnamed : null;
  }

  async function findBehind({ tenantId }: Launch, id: string): Promise<OpenedLink | null> {
    const link = await placements.findLink(tenantId, id);
    const placement = link && (await placements.findPlacement(tenantId, link.placementId));
    return placement && { link, placement };
  }

  /** The link of this item that a notice told of, and that may be this one. */
  async function findTold(launch: Launch): Promise<LtiLinkRecord | null> {
    const { tenantId, registrationId, context, resourceLink } = launch;
    const chosenId = readChosenId(launch);
    if (context === null || chosenId === null) return null;
    const wanted = { tenantId, registrationId, contextIds: [context.id], chosenId };
    const found = await placements.listLinksOfCourses({ ...wanted, after: null, limit: MOST_COPIES });
    const told = found.filter(({ copiedFrom }) => copiedFrom !== null);
    const history = readLinkHistory(launch, LINK_HISTORY_PARAMETER);
    const named = history.flatMap((id) => told.filter(({ copiedFrom }) => copiedFrom === id));
    const alike = told.filter(({ title }) => title === resourceLink?.title);
    const [likely = []] = [named.slice(0, 1), alike, told].filter(({ length }) => length > 0);
    const behind = await findNewestBehind(likely);
    return likely.find(({ placementId }) => placementId === behind?.id) ?? null;
  }

  /** What stands behind the link that this one was copied from. A platform that tells of links tells of courses in vain. */
  async function findCopied(launch: Launch, given: Placement | null): Promise<Placement | null> {
    const behind = await findByLinkHistory(launch, given);
    return (
      behind ?? (launch.custom[LINK_HISTORY_PARAMETER] === undefined ? findByCourses(launch, given) : null)
    );
  }

  async function findByLinkHistory(launch: Launch, given: Placement | null): Promise<Placement | null> {
    const { tenantId, registrationId, resourceLink } = launch;
    const chosenId = readChosenId(launch);
    const history = readLinkHistory(launch, LINK_HISTORY_PARAMETER);
    // Where the platform names no item, the link itself may be known with one.
    const ids = chosenId === null && resourceLink !== null ? [resourceLink.id, ...history] : history;
    if (ids.length === 0) return null;
    const known = await placements.listLinksOfResources({ tenantId, registrationId, resourceLinkIds: ids });
    // The same id may be another link under another deployment.
    const found = known.filter(({ deploymentId }) => deploymentId === launch.deploymentId);
    const isOfItem = (link: LtiLinkRecord) => chosenId === null || link.chosenId === chosenId;
    for (const id of ids) {
      const links = found.filter(({ resourceLinkId }) => resourceLinkId === id);
      const behind = await findNewestBehind(links.filter(isOfItem));
      if (behind !== null) return behind;
      const unnamed = await findNewestBehind(links.filter((link) => link.chosenId === null));
      if (unnamed !== null && isOfSameLink(unnamed, given)) return unnamed;
    }
    return null;
  }

  /** The same item in this course, in those it was copied from, the nearest first, or in the one it was chosen for. A course may
   *  have it several times: one of the same title is most likely to be the one, then the one whose title has become longer here, as
   *  those of duplicates do; none whose own is longer. */
  async function findByCourses(launch: Launch, given: Placement | null): Promise<Placement | null> {
    const { tenantId, registrationId, context, resourceLink } = launch;
    const chosenId = readChosenId(launch);
    const history = readLinkHistory(launch, CONTEXT_HISTORY_PARAMETER);
    const contextIds = [context?.id, ...history, given?.contextId].filter((id) => id != null);
    if (chosenId === null || contextIds.length === 0) return null;
    const wanted = { tenantId, registrationId, contextIds, chosenId, after: null, limit: MOST_COPIES };
    const found = await placements.listLinksOfCourses(wanted);
    const name = resourceLink?.title ?? null;
    const alike = found.filter(({ title }) => title === name);
    const others = found.filter(({ title }) => !isLonger(title, name));
    for (const links of [alike, others])
      for (const id of contextIds) {
        const inCourse = links.filter(({ contextId }) => contextId === id);
        const behind = await findNewestBehind(preferBeginnings(inCourse, name));
        if (behind !== null) return behind;
      }
    return null;
  }

  /** Of several copies that cannot be told apart, the one that was replaced last. */
  async function findNewestBehind(links: readonly LtiLinkRecord[]): Promise<Placement | null> {
    const behind = links.map(({ tenantId, placementId }) => placements.findPlacement(tenantId, placementId));
    const found = (await Promise.all(behind)).filter((each) => each !== null);
    return found.toSorted((a, b) => b.placedAt.getTime() - a.placedAt.getTime())[0] ?? null;
  }

  async function findGiven(launch: Launch): Promise<Placement | null> {
    const said = readChosenId(launch);
    return said === null ? null : placements.findPlacement(launch.tenantId, said);
  }

  /** As it is when it is opened for the first time. Errors: PARAMETERS_INVALID where the launch is about none. */
  function makeLink(launch: Launch, placement: Placement): LtiLinkRecord {
    const { tenantId, registrationId, deploymentId, context, resourceLink } = launch;
    if (resourceLink === null) throw createNoLinkError();
    const chosenId = readChosenId(launch);
    return {
      id: linkId(launch, chosenId),
      tenantId,
      registrationId,
      deploymentId,
      contextId: context?.id ?? null,
      resourceLinkId: resourceLink.id,
      copiedFrom: null,
      chosenId,
      title: resourceLink.title,
      placementId: placement.id,
      firstOpenedAt: clock.now(),
    };
  }

  return {
    async openLink(launch) {
      if (launch.resourceLink === null) return null;
      const given = await findGiven(launch);
      const own = await findOwn(launch, given);
      if (own !== null) return own;
      const told = await findTold(launch);
      const copied = told ? await findNewestBehind([told]) : await findCopied(launch, given);
      const placement = copied ?? given;
      if (placement === null) return null;
      const link = await placements.openLink(makeLink(launch, placement));
      if (told !== null) await placements.takeToldLink(told.tenantId, told.id);
      if (link.placementId === placement.id) return { link, placement };
      // Another object was put behind it meanwhile.
      return findBehind(launch, link.id);
    },
    async findChosen(launch) {
      const given = await findGiven(launch);
      const own = launch.resourceLink && (await findOwn(launch, given));
      if (own) return own.placement;
      const told = await findTold(launch);
      return (told ? await findNewestBehind([told]) : await findCopied(launch, given)) ?? given;
    },
    async putBehind(launch, placement) {
      const own = await findOwn(launch, await findGiven(launch));
      // A link that had nothing is opened with what it has now.
      const link = own?.link ?? (await placements.openLink(makeLink(launch, placement)));
      if (link.placementId !== placement.id)
        await placements.replaceLinkPlacement(link.tenantId, link.id, placement.id);
      return { link: { ...link, placementId: placement.id }, placement };
    },
    async copyCourse({ originIds, noticeId, ...copy }) {
      const { tenantId, registrationId, contextId } = copy;
      const contextIds = originIds.filter((id) => id !== contextId);
      const all = { tenantId, registrationId, contextIds, chosenId: null, after: null, limit: MOST_COPIED };
      const links = await placements.listLinksOfCourses(all);
      // What was chosen and not launched yet has no link.
      const listChosen = (id: string) =>
        placements.listPlacementsOfContext({ tenantId, registrationId, contextId: id }, MOST_COPIED);
      const chosen = (await Promise.all(contextIds.map(listChosen))).flat();
      const launched = new Set(links.flatMap(({ chosenId, placementId }) => [chosenId, placementId]));
      const told = [
        ...links.map((link) => ({ ...link, copiedFrom: link.resourceLinkId || (link.copiedFrom ?? '') })),
        ...chosen
          .filter(({ id }) => !launched.has(id))
          .map(({ id, title }) => ({ id, chosenId: id, title, placementId: id, copiedFrom: '' })),
      ];
      const firstOpenedAt = clock.now();
      for (const link of told) {
        const id = hash([noticeId, link.id]);
        await placements.openLink({ ...link, ...copy, id, resourceLinkId: '', firstOpenedAt });
      }
    },
  };
}

export function createNoLinkError(): AppError {
  return new AppError(
    'PARAMETERS_INVALID',
    'This launch is not about a link in a course. Open the link in the course, and try again there.',
  );
}

/** Whether what stands behind a link of which it is not known what its item names, may be what was put into the place of `given`:
 *  an item that is chosen anew is a later one. */
function isOfSameLink(behind: Placement, given: Placement | null): boolean {
  return given === null || behind.id === given.id || behind.placedAt > given.placedAt;
}

/** Links, and objects that were chosen, of a course that is copied. */
const MOST_COPIED = 1_000;

/** Links of one item in one course and those it was copied from. */
const MOST_COPIES = 500;

/** Those whose title is the longest beginning of this name; all of them where none is. */
function preferBeginnings(links: readonly LtiLinkRecord[], name: string | null) {
  const lengthOf = ({ title }: LtiLinkRecord) =>
    title !== null && name?.startsWith(title) === true ? title.length : 0;
  const longest = Math.max(...links.map(lengthOf));
  return links.filter((link) => lengthOf(link) === longest);
}

function isLonger(title: string | null, name: string | null): boolean {
  return title !== null && name !== null && title !== name && title.startsWith(name);
}

/** Ids of placements are far shorter: anything longer is not ours. */
const MAX_ID = 100;

function readChosenId({ custom }: Pick<Launch, 'custom'>): string | null {
  const said = custom[PLACEMENT_PARAMETER];
  return said === undefined || said === '' || said.length > MAX_ID ? null : said;
}

/** Most ids that are read of those a platform sends; after many copies there may be any number. */
const MAX_HISTORY = 20;

/** What the store knows a resource link by: platforms number their links each for itself. */
function linkId({ registrationId, deploymentId, resourceLink }: Launch, chosenId: string | null): string {
  const parts = [registrationId, deploymentId, resourceLink?.id];
  return hash(chosenId === null ? parts : [...parts, chosenId]);
}

function hash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Ids that the platform put into a history parameter, URL-encoded and separated by commas.
 *  Source: https://www.imsglobal.org/spec/lti/v1p3/#customproperty
 *  @example readLinkHistory({ custom: { link_history: 'a%2C1, b' } }, 'link_history') // ['a,1', 'b'] */
export function readLinkHistory({ custom }: Pick<Launch, 'custom'>, parameter: string): readonly string[] {
  const ids = (custom[parameter] ?? '').split(',').map((id) => decoded(id.trim()));
  return [...new Set(ids.filter((id) => id !== ''))].slice(0, MAX_HISTORY);
}

/** Unchanged where it is not encoded after all. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
