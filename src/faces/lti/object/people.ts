import { getProductTraits } from '#domain/lti/products';
import { AppError } from '#errors';
import type { PlatformMember } from '#ports/lti-platforms';
import type { ActivityRecord } from '#ports/store/store';
import type { OpenedLink } from '#services/courses/placements/links';
import { readEveryItem } from '#services/host/every-item';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply } from '../route.ts';
import { createDayFormat, redirectToObject, replyWithPart } from './replies.ts';

/** How long we wait for names. */
const NAMES_MS = 5_000;

const MAX_PEOPLE = 1_000;

/** A learner of the course. */
interface Person {
  /** Null for people who have left the course, or whose name the platform does not share. */
  readonly name: string | null;
  /** Null where it was not opened yet. */
  readonly lastOpenedAt: Date | null;
  readonly completedAt: Date | null;
  /** Whether they completed the object that stood here before. */
  readonly isOfBefore: boolean;
}

/** Who opened and completed the object, by name where the platform shares names. */
export async function showPeople(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, locale } = context;
  const opened = await deps.placements.openLink(launch);
  if (opened === null) return redirectToObject(context);
  const [members, activity, teachers] = await Promise.all([
    listMembers(deps, context),
    readActivity(deps, opened),
    deps.completions.listTeachers(launch),
  ]);
  const why = findWhyNameless(members);
  const people =
    typeof members === 'string' || why !== null
      ? []
      : joinMembersAndActivity(withoutTeachers(members, teachers), activity, {
          locale,
          placedAt: opened.placement.placedAt,
        });
  const model = {
    people,
    why: why === null || why === 'not-now' ? why : `${why}.${getProductTraits(launch.product).namesWords}`,
    isCut: activity.length === MAX_PEOPLE,
    day: createDayFormat(locale),
  };
  return replyWithPart(context, { view: 'object-people', title: 'course.people.title', model });
}

/** Whether an instructor may change what stands in the course. Some platforms launch those as
 *  instructors who may not; who they are shows among the members of the course only. Who cannot be
 *  looked up may. */
export async function mayChangeCourse(deps: LtiFaceDeps, context: LaunchContext): Promise<boolean> {
  const { user, role, mayChange, product } = context.launch;
  if (role !== 'instructor' || !mayChange) return false;
  if (!getProductTraits(product).showsEditorsInMembers) return true;
  const members = await listMembers(deps, context);
  const self = typeof members === 'string' ? undefined : members.find(({ userId }) => userId === user.id);
  return self === undefined || !self.isLearner;
}

/** Why there are no members: the platform does not offer them to us, or could not be asked now. */
type NoMembers = 'not-offered' | 'not-now';

/** Why there are no names. A platform may tell who is in a course without them. */
function findWhyNameless(members: readonly PlatformMember[] | NoMembers): NoMembers | 'not-shared' | null {
  if (typeof members === 'string') return members;
  return members.length > 0 && members.every(({ name }) => name === null) ? 'not-shared' : null;
}

async function listMembers(
  { registrations, platforms, onProblem }: LtiFaceDeps,
  context: LaunchContext,
): Promise<readonly PlatformMember[] | NoMembers> {
  const { membershipsUrl, registrationId } = context.launch;
  if (membershipsUrl === null) return 'not-offered';
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(NAMES_MS)]);
  try {
    const registration = await registrations.getRegistration(registrationId);
    return await platforms.listMembers(registration, membershipsUrl, { signal });
  } catch (error) {
    if (!signal.aborted) onProblem(error);
    return error instanceof AppError && error.code === 'PLATFORM_REFUSED' ? 'not-offered' : 'not-now';
  }
}

async function readActivity(
  { completions }: LtiFaceDeps,
  opened: OpenedLink,
): Promise<readonly ActivityRecord[]> {
  const records: ActivityRecord[] = [];
  const pages = readEveryItem((request) => completions.list(opened, request), MAX_PEOPLE);
  for await (const record of pages) records.push(record);
  return records;
}

/** Who opened something as a teacher is none of the learners, whatever the platform says of
 *  members. */
function withoutTeachers(members: readonly PlatformMember[], teachers: readonly string[]) {
  return members.map((member) =>
    teachers.includes(member.userId) ? { ...member, isLearner: false } : member,
  );
}

/** All learners of the course, and former ones who opened the object, sorted by name. */
function joinMembersAndActivity(
  members: readonly PlatformMember[],
  activity: readonly ActivityRecord[],
  { locale, placedAt }: { readonly locale: string; readonly placedAt: Date },
): readonly Person[] {
  const names = new Map(members.map(({ userId, name }) => [userId, name]));
  const active = new Set(activity.map(({ userId }) => userId));
  const toPerson = ({ userId, lastOpenedAt, completedAt }: ActivityRecord): Person => ({
    name: names.get(userId) ?? null,
    lastOpenedAt,
    completedAt,
    isOfBefore: completedAt !== null && completedAt < placedAt,
  });
  const isCut = activity.length === MAX_PEOPLE;
  const waiting = members
    // Where not all activity was read, it is unknown whether the others opened it.
    .filter(({ userId, isLearner, isActive }) => !isCut && isLearner && isActive && !active.has(userId))
    .map(({ name }): Person => ({ name, lastOpenedAt: null, completedAt: null, isOfBefore: false }));
  const { compare } = new Intl.Collator(locale);
  // People without a name come last.
  return [...activity.map(toPerson), ...waiting].sort(
    (a, b) => Number(a.name === null) - Number(b.name === null) || compare(a.name ?? '', b.name ?? ''),
  );
}
