import type { Course, CourseLink } from './model.ts';

export interface CustomValuesOf {
  readonly course: Course;
  readonly link: CourseLink;
  /** In a choice of objects there is no resource link yet. */
  readonly isLaunch: boolean;
}

/** Custom parameters as a tool gets them: variables are replaced, and unknown ones stay as they are.
 *  Source: LTI 1.3 Core, §3.5.1 and appendix B. */
export function fillIn(
  custom: Readonly<Record<string, string>>,
  { course, link, isLaunch }: CustomValuesOf,
): Record<string, string> {
  const values: Readonly<Record<string, string>> = {
    '$Context.id': course.id,
    '$Context.title': course.title,
    '$Context.id.history': course.history.join(','),
    ...(isLaunch && {
      '$ResourceLink.id': link.id,
      '$ResourceLink.title': link.title,
      '$ResourceLink.id.history': link.history.join(','),
    }),
  };
  return Object.fromEntries(Object.entries(custom).map(([name, value]) => [name, values[value] ?? value]));
}
