import type { z } from 'zod';
import type { Problem } from '#errors';
import { optionGroups, options } from './compositions.ts';
import { message, view } from './surfaces.ts';

interface MessageOptions {
  /** Also check the rules for messages that are sent to everybody: links and pictures must not be unfolded. */
  readonly sent?: boolean;
}

/** Problems that Slack, or a person with a screen reader, would have with a message: a strict copy of the rules of Block Kit that
 *  matter here. Unknown fields are problems. Empty where all is fine.
 *  Source: https://docs.slack.dev/reference/block-kit. */
export function checkMessage(payload: unknown, { sent = false }: MessageOptions = {}): Problem[] {
  return [...problemsOf(message, payload), ...(sent ? findUnfurls(payload) : [])];
}

/** The same for a modal or home. */
export const checkView = (payload: unknown): Problem[] => problemsOf(view, payload);

/** The same for what is offered while somebody types. */
export function checkOptions(payload: unknown): Problem[] {
  const { options: list, option_groups: groups } = Object(payload) as Record<string, unknown>;
  if (groups !== undefined) return problemsOf(optionGroups, groups);
  // There may be nothing to offer.
  return Array.isArray(list) && list.length === 0 ? [] : problemsOf(options, list);
}

function findUnfurls(payload: unknown): Problem[] {
  return ['unfurl_links', 'unfurl_media']
    .filter((name) => (Object(payload) as Record<string, unknown>)[name] !== false)
    .map((path) => ({ path, problem: 'is not false' }));
}

function problemsOf(schema: z.ZodType, value: unknown): Problem[] {
  const { error } = schema.safeParse(asSent(value));
  return (error?.issues ?? []).map(({ path, message: problem }) => ({ path: writePath(path), problem }));
}

/** Fields that are undefined do not travel. */
const asSent = (value: unknown): unknown => (value === undefined ? value : JSON.parse(JSON.stringify(value)));

const writePath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (written, part) =>
      typeof part === 'number' ? `${written}[${part}]` : `${written}${written && '.'}${String(part)}`,
    '',
  );
