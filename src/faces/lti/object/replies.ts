import type { LinkCheck } from '#ports/store/store';
import type { OpenedLink } from '#services/courses/placements/links';
import type { LtiFaceDeps } from '../deps.ts';
import { type LaunchContext, type LtiReply, makeLtiFragment, makeLtiPage } from '../route.ts';

/** Messages that the page shows after a change: keys of `lesson.said` and `course.said`. */
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

/** Replies with a part of the page of the object: as a fragment for a script, else as a page. */
export function replyWithPart(context: LaunchContext, { view, title, model }: PagePart): LtiReply {
  if (isReplyToScript(context)) return makeLtiFragment(view, model);
  return makeLtiPage('object-part', { ...model, view, title: context.t(title) });
}

/** Redirects to the object, so that reloading the page does not send a form again.
 *  @param parameters of the page, such as the filter of its list of people */
export function redirectToObject(
  { token }: LaunchContext,
  message?: ChangeMessage,
  parameters = new URLSearchParams(),
): LtiReply {
  const query = new URLSearchParams({
    launch: token,
    ...(message && { said: message }),
    ...Object.fromEntries(parameters),
  });
  return { kind: 'redirect', to: `/lti/object?${query}` };
}

export const readReplyMessage = ({ query }: LaunchContext): ChangeMessage | null =>
  changeMessages.find((message) => message === query.get('said')) ?? null;

type ObjectHandler = (deps: LtiFaceDeps, context: LaunchContext, opened: OpenedLink) => Promise<LtiReply>;
type LaunchHandler = (deps: LtiFaceDeps, context: LaunchContext) => Promise<LtiReply>;

/** Gives the link's object to a handler; without an object, redirects to the page of the link. */
export function onObject(handle: ObjectHandler): LaunchHandler {
  return async (deps, context) => {
    const opened = await deps.placements.openLink(context.launch);
    return opened === null ? redirectToObject(context) : handle(deps, context, opened);
  };
}

/** Like `onObject`, for forms about an object, which an instructor may have replaced meanwhile. */
export function onFormObject(handle: ObjectHandler): LaunchHandler {
  return async (deps, context) => {
    const opened = await deps.placements.openLink(context.launch);
    const isSame = opened !== null && context.form.get('placement') === opened.placement.id;
    return isSame ? handle(deps, context, opened) : redirectToObject(context, 'changed');
  };
}

/** Formats dates without a time, as the host does not know the reader's time zone. */
export function createDayFormat(locale: string): (date: Date) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (date) => format.format(date);
}

export function describeDeadLink(title: string, { reason, since }: LinkCheck, { t, locale }: LaunchContext): string {
  const day = createDayFormat(locale)(since);
  return t('course.dead.told', { title, day, reason: t(`brokenLinks.reasons.${reason}`) });
}
