import type { LaunchRole } from '#domain/lti/launch';

/** The vocabulary of roles. Roles of a course may be written without it.
 *  https://www.imsglobal.org/spec/lti/v1p3/#role-vocabularies */
const VOCABULARY = 'http://purl.imsglobal.org/vocab/lis/v2/';
const COURSE = /^membership(?:#|\/(\w+)#)(\w+)$/;
/** A role of a course without the vocabulary. */
const WORD = /^\w+$/;
const ELSEWHERE = /^(?:institution|system)\/person#(\w+)$/;

const LOOKING_ON = /Observer$/;

const teaching: readonly string[] = [
  'Instructor',
  'TeachingAssistant',
  'ContentDeveloper',
  'Administrator',
  'Manager',
];
const administrating: readonly string[] = ['Administrator', 'SysAdmin', 'AccountAdmin'];
const teachingElsewhere: readonly string[] = ['Instructor', 'Faculty'];
const learning: readonly string[] = ['Learner', 'Student'];

const EDITING = /(?:ContentDeveloper|Administrator|Manager|PrimaryInstructor|Lecturer)$/;

/** Instructors who only help with what is there. */
const HELPING = /\/Instructor#(?:Grader|GuestInstructor)$/;

export interface ReadRoles {
  readonly role: LaunchRole;
  /** Whether an instructor may change the course. */
  readonly mayChange: boolean;
  readonly isAdministrator: boolean;
}

/** What somebody may do here. Administrators of the platform may do what the teachers of a course
 *  may, unless they are learners in it. Who has no role in the course, but learns elsewhere, learns
 *  here. People who only teach elsewhere may not teach here, unless there is no course, or the
 *  platform means it.
 *  @param isInCourse whether the platform named a course
 *  @param isMeantHere whether roles elsewhere hold here, where none of the course is named; false
 *  when absent */
export function readRoles(
  roles: readonly string[],
  { isInCourse, isMeantHere = false }: { readonly isInCourse: boolean; readonly isMeantHere?: boolean },
): ReadRoles {
  const inCourse = roles.flatMap(listRolesInCourse);
  const elsewhere = roles.flatMap((role) => ELSEWHERE.exec(shorten(role))?.[1] ?? []);
  const isAdministrator = elsewhere.some((role) => administrating.includes(role));
  const hasNoneInCourse = !roles.some((role) => WORD.test(role) || COURSE.test(shorten(role)));
  const teachesElsewhere = elsewhere.some((role) => teachingElsewhere.includes(role));
  const learnsElsewhere = !teachesElsewhere && elsewhere.some((role) => learning.includes(role));
  const mayTeachHere = !isInCourse || (isMeantHere && hasNoneInCourse);
  const role = chooseRole(inCourse, {
    mayTeach: isAdministrator || (teachesElsewhere && mayTeachHere),
    mayLearn: learnsElsewhere && hasNoneInCourse,
  });
  // Platforms write the principal role beside those below it.
  const isHelper = roles.some((each) => HELPING.test(each)) && !roles.some((each) => EDITING.test(each));
  return { role, mayChange: role === 'instructor' && (isAdministrator || !isHelper), isAdministrator };
}

function chooseRole(
  inCourse: readonly string[],
  { mayTeach, mayLearn }: { readonly mayTeach: boolean; readonly mayLearn: boolean },
): LaunchRole {
  if (inCourse.some((role) => teaching.includes(role))) return 'instructor';
  if (inCourse.some((role) => learning.includes(role))) return 'learner';
  if (mayTeach) return 'instructor';
  return mayLearn ? 'learner' : 'other';
}

const shorten = (role: string): string =>
  role.startsWith(VOCABULARY) ? role.slice(VOCABULARY.length) : role;

/** The first part of `membership/Instructor#Grader`: there are instructors below `Learner` and
 *  learners below `Mentor`. Observers have no role of their own. */
function listRolesInCourse(role: string): string[] {
  if (WORD.test(role)) return [role];
  const [, principal, name = ''] = COURSE.exec(shorten(role)) ?? [];
  if (principal !== undefined && LOOKING_ON.test(name)) return [];
  return [principal ?? name];
}
