import { getProductTraits } from '#domain/lti/products';
import { AppError } from '#errors';
import type { PlatformMember } from '#ports/lti-platforms';
import type { ActivityRecord } from '#ports/store/store';
import type { OpenedLink } from '#services/courses/placements/links';
import { readEveryItem } from '#services/host/every-item';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply } from '../route.ts';
import { createDayFormat, redirectToObject, replyWithPart } from './replies.ts';

const MEMBERS_TIMEOUT_MS = 5_000;

const MAX_PEOPLE = 1_000;

/** A learner of the course. */
interface Person {
  readonly userId: string;
  /** Null for people who left the course, or whose name the platform does not share. */
  readonly name: string | null;
  /** Null for people who have not opened the object. */
  readonly lastOpenedAt: Date | null;
  readonly completedAt: Date | null;
  /** Whether the person completed the former object of this link. */
  readonly isOfBefore: boolean;
}

/** Shows who opened and completed the object, with names where the platform shares them. */
export async function showPeople(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, locale } = context;
  const opened = await deps.placements.openLink(launch);
  if (opened === null) return redirectToObject(context);
  const [members, records, teachers, mayChange] = await Promise.all([
    listMembers(deps, context),
    readActivity(deps, opened),
    deps.completions.listTeachers(launch),
    mayChangeCourse(deps, context),
  ]);
  const activity = records.filter(({ userId }) => !teachers.includes(userId));
  const why = findReasonWithoutNames(members);
  const people =
    typeof members === 'string' || why !== null
      ? []
      : joinMembersAndActivity(withoutTeachers(members, teachers), activity, {
          locale,
          placedAt: opened.placement.placedAt,
        });
  const model = {
    people,
    // Null where nobody can begin again.
    again:
      mayChange && activity.some(({ completedAt }) => completedAt !== null)
        ? { token: context.token, placementId: opened.placement.id }
        : null,
    why: why === null || why === 'not-now' ? why : `${why}.${getProductTraits(launch.product).namesWords}`,
    isCut: records.length === MAX_PEOPLE,
    day: createDayFormat(locale),
  };
  return replyWithPart(context, { view: 'object-people', title: 'course.people.title', model });
}

/** Whether a person may change the course. Some platforms launch instructors who may not, which
 *  only the list of members shows; who cannot be looked up may. */
export async function mayChangeCourse(deps: LtiFaceDeps, context: LaunchContext): Promise<boolean> {
  const { user, role, mayChange, product } = context.launch;
  if (role !== 'instructor' || !mayChange) return false;
  if (!getProductTraits(product).showsEditorsInMembers) return true;
  const members = await listMembers(deps, context);
  const self = typeof members === 'string' ? undefined : members.find(({ userId }) => userId === user.id);
  return self === undefined || !self.isLearner;
}

/** Why there is no list of members: the platform does not offer it, or did not answer. */
type NoMembers = 'not-offered' | 'not-now';

/** Why there are no names: a platform may also list members without them. */
function findReasonWithoutNames(members: readonly PlatformMember[] | NoMembers): NoMembers | 'not-shared' | null {
  if (typeof members === 'string') return members;
  return members.length > 0 && members.every(({ name }) => name === null) ? 'not-shared' : null;
}

async function listMembers(
  { registrations, platforms, onProblem }: LtiFaceDeps,
  context: LaunchContext,
): Promise<readonly PlatformMember[] | NoMembers> {
  const { membershipsUrl, registrationId } = context.launch;
  if (membershipsUrl === null) return 'not-offered';
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(MEMBERS_TIMEOUT_MS)]);
  try {
    const registration = await registrations.getRegistration(registrationId);
    return await platforms.listMembers(registration, membershipsUrl, { signal });
  } catch (error) {
    if (!signal.aborted) onProblem(error);
    return isDisabled(error) ? 'not-offered' : 'not-now';
  }
}

/** Whether the platform says that the tool may not have the list. Other refusals, such as a wrong
 *  address or a rejected key, are no matter of that setting. */
function isDisabled(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'PLATFORM_REFUSED') return false;
  const { part, status, detail } = error.data;
  if (part === 'token') return String(detail).startsWith('invalid_scope');
  return status === 401 || status === 403;
}

async function readActivity({ completions }: LtiFaceDeps, opened: OpenedLink): Promise<readonly ActivityRecord[]> {
  const records: ActivityRecord[] = [];
  const pages = readEveryItem((request) => completions.list(opened, request), MAX_PEOPLE);
  for await (const record of pages) records.push(record);
  return records;
}

/** A person who opened an object as a teacher is not a learner, whatever role the list of members
 *  has. */
function withoutTeachers(members: readonly PlatformMember[], teachers: readonly string[]) {
  return members.map((member) => (teachers.includes(member.userId) ? { ...member, isLearner: false } : member));
}

/** All learners of the course, and former ones who opened the object, by name. */
function joinMembersAndActivity(
  members: readonly PlatformMember[],
  activity: readonly ActivityRecord[],
  { locale, placedAt }: { readonly locale: string; readonly placedAt: Date },
): readonly Person[] {
  const names = new Map(members.map(({ userId, name }) => [userId, name]));
  const active = new Set(activity.map(({ userId }) => userId));
  const toPerson = ({ userId, lastOpenedAt, completedAt }: ActivityRecord): Person => ({
    userId,
    name: names.get(userId) ?? null,
    lastOpenedAt,
    completedAt,
    isOfBefore: completedAt !== null && completedAt < placedAt,
  });
  const isCut = activity.length === MAX_PEOPLE;
  const waiting = members
    // If the activity is cut, it is unknown who has not opened the object.
    .filter(({ userId, isLearner, isActive }) => !isCut && isLearner && isActive && !active.has(userId))
    .map(
      ({ userId, name }): Person => ({
        userId,
        name,
        lastOpenedAt: null,
        completedAt: null,
        isOfBefore: false,
      }),
    );
  const { compare } = new Intl.Collator(locale);
  // Without a name: last.
  return [...activity.map(toPerson), ...waiting].sort(
    (a, b) => Number(a.name === null) - Number(b.name === null) || compare(a.name ?? '', b.name ?? ''),
  );
}
