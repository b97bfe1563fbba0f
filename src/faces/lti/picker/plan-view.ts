import type { Launch } from '../../../domain/lti/launch.ts';

/** Characters of a text that a plan is made from. */
export const MAX_TEXT_LENGTH = 20_000;

/** What `views/lti/partials/plan.eta` shows. */
export interface PlanView {
  readonly maxTextLength: number;
  /** What the platform says of the course and of the place in it; empty where it says nothing. */
  readonly courseText: string;
}

export function planView({ context, deepLinking, resourceLink }: Launch): PlanView {
  const { title, text } = deepLinking ?? { title: resourceLink?.title, text: resourceLink?.description };
  const said = [context?.title, title, text].filter((part): part is string => Boolean(part?.trim()));
  return {
    maxTextLength: MAX_TEXT_LENGTH,
    courseText: [...new Set(said)].join('\n').slice(0, MAX_TEXT_LENGTH),
  };
}
