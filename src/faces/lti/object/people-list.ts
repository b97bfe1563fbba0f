import { foldText } from '#domain/text';
import type { CourseGroup, PlatformMember } from '#ports/lti-platforms';
import type { ActivityRecord } from '#ports/store/store';

export interface Person {
  readonly userId: string;
  /** Null for people who left the course, or whose name the platform does not share. */
  readonly name: string | null;
  readonly groupIds: readonly string[];
  readonly lastOpenedAt: Date | null;
  readonly completedAt: Date | null;
  /** Whether the completion is that of the former object of this link. */
  readonly isOfEarlierObject: boolean;
  readonly isUnsent: boolean;
}

interface CourseActivity {
  readonly members: readonly PlatformMember[];
  readonly activity: readonly ActivityRecord[];
  /** Whether `activity` is incomplete, so that it is unknown who has not opened the object. */
  readonly isCut: boolean;
  readonly unsentIds: readonly string[];
  readonly placedAt: Date;
}

export interface PeopleFilter {
  readonly name: string;
  readonly group: string;
  /** Counted from 1. */
  readonly page: number;
}

const PAGE_SIZE = 25;
const MAX_NAME_LENGTH = 100;
const MAX_GROUP_LENGTH = 200;
const MAX_PAGE = 10_000;

export function readPeopleFilter(fields: URLSearchParams): PeopleFilter {
  const readText = (name: string, maxLength: number) => (fields.get(name) ?? '').trim().slice(0, maxLength);
  const page = Math.trunc(Number(fields.get('page')));
  return {
    name: readText('name', MAX_NAME_LENGTH),
    group: readText('group', MAX_GROUP_LENGTH),
    page: page >= 1 ? Math.min(page, MAX_PAGE) : 1,
  };
}

/** Writes a filter without defaults: `{ name: 'Ada', group: '', page: 2 }` is `name=Ada&page=2`. */
export function writePeopleFilter({ name, group, page }: PeopleFilter): URLSearchParams {
  return new URLSearchParams({
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    ...(page > 1 && { page: `${page}` }),
  });
}

/** Lists all learners of the course, and former ones who opened the object. Those who have not
 *  completed it come first, then those with an unsent score, then the rest, each sorted by name. */
export function listPeople(course: CourseActivity, locale: string): readonly Person[] {
  const { members, activity, isCut, unsentIds, placedAt } = course;
  const memberOf = new Map(members.map((member) => [member.userId, member]));
  const activeIds = new Set(activity.map(({ userId }) => userId));
  const unsent = new Set(unsentIds);
  const toPerson = ({ userId, lastOpenedAt, completedAt }: Activity): Person => ({
    userId,
    name: memberOf.get(userId)?.name ?? null,
    groupIds: memberOf.get(userId)?.groupIds ?? [],
    lastOpenedAt,
    completedAt,
    isOfEarlierObject: completedAt !== null && completedAt < placedAt,
    isUnsent: completedAt !== null && unsent.has(userId),
  });
  const waiting = members
    .filter(({ userId, isLearner, isActive }) => !isCut && isLearner && isActive && !activeIds.has(userId))
    .map(({ userId }) => toPerson({ userId, lastOpenedAt: null, completedAt: null }));
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return [...activity.map(toPerson), ...waiting].sort(
    (a, b) =>
      rankPerson(a) - rankPerson(b) ||
      Number(a.name === null) - Number(b.name === null) ||
      compare(a.name ?? '', b.name ?? ''),
  );
}

type Activity = Pick<Person, 'userId' | 'lastOpenedAt' | 'completedAt'>;

function rankPerson({ completedAt, isUnsent }: Person): number {
  if (completedAt === null) return 0;
  return isUnsent ? 1 : 2;
}

export function listPersonGroups(
  people: readonly Person[],
  groups: readonly CourseGroup[],
  locale: string,
): readonly CourseGroup[] {
  const used = new Set(people.flatMap(({ groupIds }) => groupIds));
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return groups.filter(({ id }) => used.has(id)).sort((a, b) => compare(a.name, b.name));
}

/** Returns a page of the people whom a filter leaves, or the last one if there is no such page. */
export function pagePeople(people: readonly Person[], filter: PeopleFilter) {
  const { name, group } = filter;
  const inGroup = group === '' ? people : people.filter(({ groupIds }) => groupIds.includes(group));
  const folded = foldText(name);
  const matching = name === '' ? inGroup : inGroup.filter((person) => foldText(person.name ?? '').includes(folded));
  const lastPage = Math.max(1, Math.ceil(matching.length / PAGE_SIZE));
  const page = Math.min(filter.page, lastPage);
  return {
    name,
    group,
    page,
    people: matching.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    total: inGroup.length,
    completed: inGroup.filter(({ completedAt }) => completedAt !== null).length,
    matching: matching.length,
    lastPage,
  };
}
