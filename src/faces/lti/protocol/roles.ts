import type { LaunchRole } from '../../../domain/lti/launch.ts';

/** Vocabularies of roles; those of a course may be written without theirs.
 *  https://www.imsglobal.org/spec/lti/v1p3/#role-vocabularies */
const VOCABULARY = 'http://purl.imsglobal.org/vocab/lis/v2/';
const COURSE = /^membership(?:#|\/(\w+)#)(\w+)$/;
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

export interface ReadRoles {
  readonly role: LaunchRole;
  readonly isAdministrator: boolean;
}

/** What somebody may do here. Who runs the platform may do what who runs the course may, unless they are a learner in it;
 *  who teaches elsewhere may not, unless there is no course.
 *  @param isInCourse whether the platform named a course */
export function readRoles(
  roles: readonly string[],
  { isInCourse }: { readonly isInCourse: boolean },
): ReadRoles {
  const inCourse = roles.flatMap(listRolesInCourse);
  const elsewhere = roles.flatMap((role) => ELSEWHERE.exec(shorten(role))?.[1] ?? []);
  const isAdministrator = elsewhere.some((role) => administrating.includes(role));
  const mayTeach =
    isAdministrator || (!isInCourse && elsewhere.some((role) => teachingElsewhere.includes(role)));
  return { role: chooseRole(inCourse, mayTeach), isAdministrator };
}

function chooseRole(inCourse: readonly string[], mayTeach: boolean): LaunchRole {
  if (inCourse.some((role) => teaching.includes(role))) return 'instructor';
  if (inCourse.includes('Learner') || inCourse.includes('Student')) return 'learner';
  return mayTeach ? 'instructor' : 'other';
}

const shorten = (role: string): string =>
  role.startsWith(VOCABULARY) ? role.slice(VOCABULARY.length) : role;

/** Of `membership/Instructor#Grader` the first part: there are instructors below `Learner` and learners below `Mentor`. Who only
 *  looks on is nothing of it. */
function listRolesInCourse(role: string): string[] {
  if (/^\w+$/.test(role)) return [role];
  const [, principal, name = ''] = COURSE.exec(shorten(role)) ?? [];
  if (principal !== undefined && LOOKING_ON.test(name)) return [];
  return [principal ?? name];
}
