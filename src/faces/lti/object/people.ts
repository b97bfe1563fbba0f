import { getProductTraits } from '#domain/lti/products';
import { hasErrorCode } from '#errors';
import type { CourseGroup, PlatformMember } from '#ports/lti-platforms';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { OpenedLink } from '#services/courses/placements/links';
import { listEveryItem } from '#services/host/every-item';
import { type CsvColumn, makeCsvDownload } from '../../downloads.ts';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply } from '../route.ts';
import type { PeopleFilter, Person } from './people-list.ts';
import { listPeople, listPersonGroups, pagePeople, readPeopleFilter, writePeopleFilter } from './people-list.ts';
import { createDayFormat, replyWithPart } from './replies.ts';

const PLATFORM_TIMEOUT_MS = 5_000;

/** The number of members that platforms are asked for. */
const MAX_PEOPLE = 5_000;

export async function showPeople(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink): Promise<LtiReply> {
  const { launch, token, locale, query } = context;
  const [{ people, groups, reason, activity, isCut }, mayChange] = await Promise.all([
    readPeople(deps, context, opened),
    mayChangePeople(deps, context),
  ]);
  const filter = readPeopleFilter(query);
  const group = groups.some(({ id }) => id === filter.group) ? filter.group : '';
  const peoplePage = pagePeople(people, { ...filter, group });
  const toAddress = (change: Partial<PeopleFilter>) =>
    `/lti/object/people?${withToken(token, writePeopleFilter({ ...peoplePage, ...change }))}`;
  const model = {
    ...peoplePage,
    groups,
    hasPeople: people.length > 0,
    previous: peoplePage.page > 1 ? toAddress({ page: peoplePage.page - 1 }) : null,
    next: peoplePage.page < peoplePage.lastPage ? toAddress({ page: peoplePage.page + 1 }) : null,
    all: toAddress({ name: '', group: '', page: 1 }),
    csv: `/lti/object/people.csv?${withToken(token)}`,
    token,
    // The placement that can begin again; null if nobody has completed it, or the reader may not.
    again: mayChange && activity.some(({ completedAt }) => completedAt !== null) ? opened.placement.id : null,
    why: reason === null || reason === 'not-now' ? reason : `${reason}.${getProductTraits(launch.product).namesWords}`,
    isCut,
    day: createDayFormat(locale),
  };
  return replyWithPart(context, { view: 'object-people', title: 'course.people.title', model });
}

const withToken = (token: string, fields = new URLSearchParams()) =>
  new URLSearchParams([['launch', token], ...fields]);

export async function downloadPeople(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink): Promise<LtiReply> {
  const { t } = context;
  const { people, groups } = await readPeople(deps, context, opened);
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const nameGroups = ({ groupIds }: Person) => groupIds.flatMap((id) => names.get(id) ?? []).join(', ');
  const columns: CsvColumn<Person>[] = [
    { heading: t('course.people.name'), value: ({ name }) => name },
    ...(groups.length > 0 ? [{ heading: t('course.people.group'), value: nameGroups }] : []),
    { heading: t('course.people.opened'), value: ({ lastOpenedAt }) => lastOpenedAt },
    { heading: t('course.people.completed'), value: ({ completedAt }) => completedAt },
    { heading: t('course.people.unsent'), value: ({ isUnsent }) => (isUnsent ? t('course.people.yes') : null) },
    { heading: t('course.people.id'), value: ({ userId }) => userId },
  ];
  return makeCsvDownload(`learners-${deps.clock.now().toISOString().slice(0, 10)}.csv`, columns, people);
}

/** Reads the people for the page and the CSV; none if the platform does not share names. */
async function readPeople(deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink) {
  const { completions } = deps;
  const { launch, locale } = context;
  const [members, courseGroups, records, teachers, unsentIds] = await Promise.all([
    listMembers(deps, context),
    listPeopleGroups(deps, context),
    listEveryItem((request) => deps.completions.list(opened, request), MAX_PEOPLE),
    completions.listTeachers(launch),
    completions.listUnsentLearners(opened),
  ]);
  const activity = records.filter(({ userId }) => !teachers.includes(userId));
  const isCut = records.length === MAX_PEOPLE;
  const reason = findReasonWithoutNames(members);
  if (typeof members === 'string' || reason !== null) return { people: [], groups: [], reason, activity, isCut };
  const course = {
    // People who launched as instructors are no learners, even if the list of members says so.
    members: members.map((member) => (teachers.includes(member.userId) ? { ...member, isLearner: false } : member)),
    activity,
    isCut,
    unsentIds,
    placedAt: opened.placement.placedAt,
  };
  const people = listPeople(course, locale);
  return { people, groups: listPersonGroups(people, courseGroups, locale), reason, activity, isCut };
}

/** Tells whether the person may change the course: some platforms launch others as instructors. */
export async function mayChangePeople(deps: LtiFaceDeps, context: LaunchContext): Promise<boolean> {
  const { user, role, mayChange, product } = context.launch;
  if (role !== 'instructor' || !mayChange) return false;
  if (!getProductTraits(product).showsEditorsInMembers) return true;
  const members = await listMembers(deps, context);
  const self = typeof members === 'string' ? undefined : members.find(({ userId }) => userId === user.id);
  return self === undefined || !self.isLearner;
}

/** Why there is no list of members: the platform does not offer one, or did not answer. */
type NoMembers = 'not-offered' | 'not-now';

function findReasonWithoutNames(members: readonly PlatformMember[] | NoMembers): NoMembers | 'not-shared' | null {
  if (typeof members === 'string') return members;
  return members.length > 0 && members.every(({ name }) => name === null) ? 'not-shared' : null;
}

async function listMembers(deps: LtiFaceDeps, context: LaunchContext): Promise<readonly PlatformMember[] | NoMembers> {
  const { membershipsUrl, groupsUrl } = context.launch;
  if (membershipsUrl === null) return 'not-offered';
  const withGroups = Boolean(groupsUrl);
  try {
    return await askPlatformForPeople(deps, context, (registration, signal) =>
      deps.platforms.listMembers(registration, membershipsUrl, { signal, withGroups }),
    );
  } catch (error) {
    return isPeopleListDisabled(error) ? 'not-offered' : 'not-now';
  }
}

async function listPeopleGroups(deps: LtiFaceDeps, context: LaunchContext): Promise<readonly CourseGroup[]> {
  const { groupsUrl } = context.launch;
  if (!groupsUrl) return [];
  const list = askPlatformForPeople(deps, context, (registration, signal) =>
    deps.platforms.listGroups(registration, groupsUrl, { signal }),
  );
  return list.catch(() => []);
}

/** Asks the platform of a launch for at most five seconds. Reports an error, and rethrows it. */
async function askPlatformForPeople<T>(
  { registrations, onProblem }: LtiFaceDeps,
  context: LaunchContext,
  ask: (registration: LtiRegistrationRecord, signal: AbortSignal) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PLATFORM_TIMEOUT_MS)]);
  try {
    return await ask(await registrations.getRegistration(context.launch.registrationId), signal);
  } catch (error) {
    if (!signal.aborted) onProblem(error);
    throw error;
  }
}

/** Tells whether the platform turned the list off; false for a wrong address or rejected key. */
function isPeopleListDisabled(error: unknown): boolean {
  if (!hasErrorCode(error, 'PLATFORM_REFUSED')) return false;
  const { part, status, detail } = error.data;
  if (part === 'token') return String(detail).startsWith('invalid_scope');
  return status === 401 || status === 403;
}
