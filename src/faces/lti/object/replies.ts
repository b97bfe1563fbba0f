import type { LinkCheck } from '#ports/store/store';
import type { OpenedLink } from '#services/courses/placements/links';
import type { LtiFaceDeps } from '../deps.ts';
import { type LaunchContext, type LtiReply, makeLtiPage } from '../route.ts';

/** Messages about a change, on the page after it: keys of `lesson.said` and `course.said`. */
const changeMessages = [
  'thanks',
  'kept',
  'lost',
  'unheard',
  'enough',
  'withdrawn',
  'changed',
  'replaced',
  'undone',
  'again',
  'dismissed',
] as const;
export type ChangeMessage = (typeof changeMessages)[number];

interface PagePart {
  readonly view: string;
  readonly title: string;
  readonly model: Readonly<Record<string, unknown>>;
}

export const isReplyToScript = ({ request }: LaunchContext): boolean => request.get('authorization') !== undefined;

export function replyWithPart(context: LaunchContext, { view, title, model }: PagePart): LtiReply {
  if (isReplyToScript(context)) return { kind: 'fragment', view: `partials/${view}`, model };
  return makeLtiPage('object-part', { ...model, view, title: context.t(title) });
}

/** Redirects to the object, so that reloading the page does not send a form again.
 *  @param more further parameters, such as the filter of its list of people */
export function redirectToObject(
  { token }: LaunchContext,
  message?: ChangeMessage,
  more = new URLSearchParams(),
): LtiReply {
  const query = new URLSearchParams({ launch: token, ...(message && { said: message }), ...Object.fromEntries(more) });
  return { kind: 'redirect', to: `/lti/object?${query}` };
}

export const readReplyMessage = ({ query }: LaunchContext): ChangeMessage | null =>
  changeMessages.find((message) => message === query.get('said')) ?? null;

/** For forms about the object of the link, which an instructor may have replaced meanwhile. */
export const onOpened =
  (handle: (deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink) => Promise<LtiReply>) =>
  async (deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> => {
    const opened = await deps.placements.openLink(context.launch);
    const isSame = opened !== null && context.form.get('placement') === opened.placement.id;
    return isSame ? handle(deps, context, opened) : redirectToObject(context, 'changed');
  };

/** Formats dates in the reader's language, without a time: only a script knows the time zone. */
export function createDayFormat(locale: string): (date: Date) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (date) => format.format(date);
}

export function describeDeadLink(title: string, { reason, since }: LinkCheck, { t, locale }: LaunchContext): string {
  const day = createDayFormat(locale)(since);
  return t('course.dead.told', { title, day, reason: t(`brokenLinks.reasons.${reason}`) });
}
