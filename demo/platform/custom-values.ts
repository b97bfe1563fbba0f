import type { Course, CourseLink } from './model.ts';

export interface CustomValuesOf {
  readonly course: Course;
  readonly link: CourseLink;
  readonly historyVariables: readonly string[];
  /** In a choice of objects there is no resource link yet. */
  readonly isLaunch: boolean;
}

/** Custom parameters as a tool gets them: variables are replaced, and unknown ones stay as they are.
 *  Source: LTI 1.3 Core, §3.5.1 and appendix B. */
export function fillIn(
  custom: Readonly<Record<string, string>>,
  { course, link, historyVariables, isLaunch }: CustomValuesOf,
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
  const isKnown = (value: string) => !value.endsWith('.history') || historyVariables.includes(value);
  return Object.fromEntries(
    Object.entries(custom).map(([name, value]) => [name, (isKnown(value) ? values[value] : null) ?? value]),
  );
}
