import { describe, expect, test } from 'vitest';
import { readLtiRoles } from '../../../src/domain/lti/roles.ts';

const LIS = 'http://purl.imsglobal.org/vocab/lis/v2';
const inCourse = { isInCourse: true };
const roleOf = (...roles: string[]) => readLtiRoles(roles, inCourse).role;

describe('instructors are', () => {
  test.each([
    [`${LIS}/membership#Instructor`],
    [`${LIS}/membership#ContentDeveloper`],
    [`${LIS}/membership#Administrator`],
    [`${LIS}/membership/Instructor#TeachingAssistant`],
    [`${LIS}/institution/person#Administrator`],
    [`${LIS}/system/person#Administrator`],
    [`${LIS}/system/person#SysAdmin`],
    ['Instructor'],
    ['TeachingAssistant'],
    [`${LIS}/membership#Manager`],
    [`${LIS}/membership/Manager#CourseCoordinator`],
    [`${LIS}/membership/Instructor#Grader`],
  ])('%s', (role) => expect(roleOf(role)).toBe('instructor'));

  test('also beside other roles', () => {
    expect(roleOf(`${LIS}/membership#Learner`, `${LIS}/membership#Instructor`)).toBe('instructor');
  });
});

describe('learners are', () => {
  test.each([
    [`${LIS}/membership#Learner`],
    [`${LIS}/membership/Learner#GuestLearner`],
    ['Learner'],
    ['Student'],
    [`${LIS}/membership/Learner#Instructor`],
  ])('%s', (role) => expect(roleOf(role)).toBe('learner'));

  test('those who learn here, also when they teach elsewhere or run the platform', () => {
    expect(roleOf(`${LIS}/institution/person#Instructor`, `${LIS}/membership#Learner`)).toBe('learner');
    expect(roleOf(`${LIS}/system/person#Administrator`, `${LIS}/membership#Learner`)).toBe('learner');
  });
});

describe('where no role of the course is named, as Open edX does', () => {
  const SYSTEM = `${LIS}/system/person#None`;
  const meant = (...roles: string[]) => readLtiRoles(roles, { isInCourse: true, institutionRolesCount: true }).role;

  test('those who learn elsewhere are learners', () => {
    expect(roleOf(`${LIS}/institution/person#Student`)).toBe('learner');
    expect(roleOf(SYSTEM, `${LIS}/institution/person#Learner`)).toBe('learner');
  });

  test('those who teach elsewhere teach here where that is meant, and are nobody otherwise', () => {
    expect(meant(`${LIS}/institution/person#Instructor`)).toBe('instructor');
    expect(roleOf(`${LIS}/institution/person#Instructor`, `${LIS}/institution/person#Student`)).toBe('other');
    expect(meant(`${LIS}/institution/person#Student`)).toBe('learner');
  });

  test('but not where one is named that is neither', () => {
    expect(roleOf(`${LIS}/institution/person#Student`, `${LIS}/membership#Mentor`)).toBe('other');
    expect(roleOf(`${LIS}/institution/person#Student`, `${LIS}/membership/Manager#Observer`)).toBe('other');
    expect(meant(`${LIS}/institution/person#Instructor`, `${LIS}/membership#Mentor`)).toBe('other');
    expect(meant(`${LIS}/institution/person#Instructor`, `${LIS}/membership#Learner`)).toBe('learner');
  });
});

describe('others are', () => {
  test.each([
    [`${LIS}/membership#Mentor`],
    [`${LIS}/membership/Mentor#Instructor`],
    [`${LIS}/membership/Manager#Observer`],
    [`${LIS}/membership/Manager#ExternalObserver`],
    [`${LIS}/institution/person#Instructor`],
    [`${LIS}/institution/person#Guest`],
    ['https://other.example/roles#Instructor'],
    [`${LIS}/membership#InstructorOfNothing`],
    ['urn:lti:role:ims/lis/Instructor'],
  ])('%s in a course', (role) => expect(roleOf(role)).toBe('other'));

  test('those without any', () => expect(roleOf()).toBe('other'));
});

test('who teaches anywhere is an instructor where there is no course', () => {
  expect(readLtiRoles([`${LIS}/institution/person#Instructor`], { isInCourse: false }).role).toBe('instructor');
});

test('only who runs the platform is its administrator', () => {
  const isAdministrator = (role: string) => readLtiRoles([role], inCourse).isAdministrator;
  expect(isAdministrator(`${LIS}/institution/person#Administrator`)).toBe(true);
  expect(isAdministrator(`${LIS}/system/person#SysAdmin`)).toBe(true);
  expect(isAdministrator(`${LIS}/membership#Administrator`)).toBe(false);
  expect(isAdministrator('Administrator')).toBe(false);
});

test('graders and guests see a course, and change nothing in it', () => {
  const mayChange = (...roles: string[]) => readLtiRoles(roles, inCourse).mayChange;
  const grader = [`${LIS}/membership#Instructor`, `${LIS}/membership/Instructor#Grader`];
  expect(readLtiRoles(grader, inCourse).role).toBe('instructor');
  expect(mayChange(...grader)).toBe(false);
  expect(mayChange(`${LIS}/membership/Instructor#GuestInstructor`)).toBe(false);
  expect(mayChange(...grader, `${LIS}/membership#ContentDeveloper`)).toBe(true);
  expect(mayChange(...grader, `${LIS}/system/person#Administrator`)).toBe(true);
  expect(mayChange(`${LIS}/membership#Instructor`)).toBe(true);
  expect(mayChange(`${LIS}/membership#Learner`)).toBe(false);
});
