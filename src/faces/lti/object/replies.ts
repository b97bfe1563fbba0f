import type { LinkCheck } from '#ports/store/store';
import type { OpenedLink } from '#services/courses/placements/links';
import { type LaunchContext, type LtiReply, makePage } from '../route.ts';

/** What a page says about the change that led to it: keys of `lesson.said` and `course.said`. */
export const sayings = [
  'thanks',
  'kept',
  'lost',
  'unheard',
  'enough',
  'changed',
  'replaced',
  'undone',
] as const;
export type Saying = (typeof sayings)[number];

export interface Part {
  /** Template below `views/lti/partials/`. */
  readonly view: string;
  /** Key of its title, where it is a page of its own. */
  readonly title: string;
  readonly model: Readonly<Record<string, unknown>>;
}

/** Our own scripts send the token as a header; a browser that follows a link or sends a form
 *  cannot. */
export function isAskedByScript({ request }: LaunchContext): boolean {
  return request.get('authorization') !== undefined;
}

/** A part of the page for a script, else a page of its own. */
export function replyWithPart(context: LaunchContext, { view, title, model }: Part): LtiReply {
  if (isAskedByScript(context)) return { kind: 'fragment', view: `partials/${view}`, model };
  return makePage('object-part', { ...model, view, title: context.t(title) });
}

/** Back to the object, so that a form is not sent again with the page. */
export function redirectToObject({ token }: LaunchContext, said?: Saying): LtiReply {
  const query = new URLSearchParams({ launch: token, ...(said && { said }) });
  return { kind: 'redirect', to: `/lti/object?${query}` };
}

/** Whether a form is about the object that is there now: an instructor may have put another one
 *  there meanwhile. */
export function isAboutPlacement({ form }: LaunchContext, { placement }: OpenedLink): boolean {
  return form.get('placement') === placement.id;
}

/** Dates in the reader's language, without a time: the host does not know the reader's time zone;
 *  the page's script does. */
export function createDayFormat(locale: string): (date: Date) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (date) => format.format(date);
}

/** What is wrong with a dead link, as teachers are told. */
export function describeDeadLink(
  title: string,
  { reason, since }: LinkCheck,
  { t, locale }: LaunchContext,
): string {
  const day = createDayFormat(locale)(since);
  return t('course.dead.told', { title, day, reason: t(`brokenLinks.reasons.${reason}`) });
}
