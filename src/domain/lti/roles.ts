import type { LaunchRole } from './launch.ts';

/** The beginning of roles, which roles in a course may omit.
 *  https://www.imsglobal.org/spec/lti/v1p3/#role-vocabularies */
const VOCABULARY = 'http://purl.imsglobal.org/vocab/lis/v2/';
/** @example 'membership#Learner', 'membership/Instructor#Grader' */
const COURSE_ROLE = /^membership(?:#|\/(\w+)#)(\w+)$/;
/** A role in the course without the vocabulary. */
const BARE_ROLE = /^\w+$/;
const INSTITUTION_ROLE = /^(?:institution|system)\/person#(\w+)$/;

const teachingInCourse: readonly string[] = [
  'Instructor',
  'TeachingAssistant',
  'ContentDeveloper',
  'Administrator',
  'Manager',
];
const learning: readonly string[] = ['Learner', 'Student'];
const teachingInInstitution: readonly string[] = ['Instructor', 'Faculty'];
const administrating: readonly string[] = ['Administrator', 'SysAdmin', 'AccountAdmin'];

/** Roles that may edit a course. */
const EDITOR = /(?:ContentDeveloper|Administrator|Manager|PrimaryInstructor|Lecturer)$/;
/** Instructors who may not edit a course. */
const HELPER = /\/Instructor#(?:Grader|GuestInstructor)$/;

/** Roles in the course have precedence. Administrators of the platform teach in every course in
 *  which they do not learn. A person without a role in the course who learns at the institution is
 *  a learner; one who only teaches there is an instructor if there is no course, or with
 *  `institutionRolesCount`.
 *  @param isInCourse whether the platform named a course
 *  @param institutionRolesCount whether roles there replace missing ones in the course */
export function readLtiRoles(
  roles: readonly string[],
  options: { readonly isInCourse: boolean; readonly institutionRolesCount?: boolean },
) {
  const { isInCourse, institutionRolesCount = false } = options;
  const courseRoles = roles.flatMap(listCourseRoles);
  const institutionRoles = roles.flatMap((role) => INSTITUTION_ROLE.exec(shortenLtiRole(role))?.[1] ?? []);
  const hasOneOf = (names: readonly string[]) => institutionRoles.some((role) => names.includes(role));
  const isAdministrator = hasOneOf(administrating);
  const teachesElsewhere = hasOneOf(teachingInInstitution);
  const learnsElsewhere = hasOneOf(learning) && !teachesElsewhere;
  const namesNoCourseRole = !roles.some((role) => BARE_ROLE.test(role) || COURSE_ROLE.test(shortenLtiRole(role)));
  const role = chooseLtiRole(courseRoles, {
    mayTeach: isAdministrator || (teachesElsewhere && (!isInCourse || (institutionRolesCount && namesNoCourseRole))),
    mayLearn: learnsElsewhere && namesNoCourseRole,
  });
  // Platforms send the principal role together with its sub-roles.
  const isHelper = roles.some((name) => HELPER.test(name)) && !roles.some((name) => EDITOR.test(name));
  return { role, mayChange: role === 'instructor' && (isAdministrator || !isHelper), isAdministrator };
}

function chooseLtiRole(
  courseRoles: readonly string[],
  { mayTeach, mayLearn }: { readonly mayTeach: boolean; readonly mayLearn: boolean },
): LaunchRole {
  if (courseRoles.some((role) => teachingInCourse.includes(role))) return 'instructor';
  if (courseRoles.some((role) => learning.includes(role))) return 'learner';
  if (mayTeach) return 'instructor';
  return mayLearn ? 'learner' : 'other';
}

const shortenLtiRole = (role: string): string => (role.startsWith(VOCABULARY) ? role.slice(VOCABULARY.length) : role);

/** Returns the principal role, `Instructor` of `membership/Instructor#Grader`: sub-roles of
 *  `Learner` include an `Instructor`, those of `Mentor` a `Learner`. Observers have no role. */
function listCourseRoles(role: string): string[] {
  if (BARE_ROLE.test(role)) return [role];
  const [, principal, name = ''] = COURSE_ROLE.exec(shortenLtiRole(role)) ?? [];
  if (principal !== undefined && name.endsWith('Observer')) return [];
  return [principal ?? name];
}
