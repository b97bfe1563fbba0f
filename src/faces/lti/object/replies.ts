import type { LaunchContext, LtiReply } from '../route.ts';
import { page } from '../route.ts';

/** What a page says of the change that led to it: keys of `lesson.said` and `course.said`. */
export const sayings = ['thanks', 'kept', 'lost', 'unheard', 'enough', 'changed', 'replaced'] as const;
export type Saying = (typeof sayings)[number];

export interface Part {
  /** Template below `views/lti/partials/`. */
  readonly view: string;
  /** Key of its title, where it is a page of its own. */
  readonly title: string;
  readonly model: Readonly<Record<string, unknown>>;
}

/** Our own scripts send the token as a header; a browser that follows a link or sends a form cannot. */
export function isAskedByScript({ request }: LaunchContext): boolean {
  return request.get('authorization') !== undefined;
}

/** A part of the page for a script, else a page of its own. */
export function part(context: LaunchContext, { view, title, model }: Part): LtiReply {
  if (isAskedByScript(context)) return { kind: 'fragment', view: `partials/${view}`, model };
  return page('object-part', { ...model, view, title: context.t(title) });
}

/** Back to the object, so that a form is not sent again with the page. */
export function backToObject({ token }: LaunchContext, said?: Saying): LtiReply {
  const query = new URLSearchParams({ launch: token, ...(said && { said }) });
  return { kind: 'redirect', to: `/lti/object?${query}` };
}
