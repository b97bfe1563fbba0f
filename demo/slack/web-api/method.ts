import type { Request } from 'express';
import type { z } from 'zod';
import { getPresent } from '../../get-present.ts';
import type { Grant } from '../grants.ts';

/** A call as it came. */
export interface Call {
  readonly token: string | null;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Arguments that are no strings. */
const written = ['view', 'blocks', 'include_locale', 'unfurl_links', 'unfurl_media', 'unfurls'];

/** One method of the Web API. */
export interface Method<Args = unknown> {
  /** Absent where no token is needed. */
  readonly scope?: string | null;
  /** Of what is sent beside the token; anything else is a problem. */
  readonly args: z.ZodType<Args>;
  /** @returns what is answered beside `ok`; throws refusals */
  run(call: { readonly args: Args; readonly grant: Grant | null }): object;
}

/** One that works in the name of the app in a workspace; null needs no scope. */
export const method = <Args>(
  scope: string | null,
  args: z.ZodType<Args>,
  run: (args: Args, grant: Grant) => object,
): Method => ({
  scope,
  args,
  run: ({ args: given, grant }) => run(given as Args, getPresent(grant, 'a token')),
});

/** One that needs no token. */
export const openMethod = <Args>(args: z.ZodType<Args>, run: (args: Args) => object): Method => ({
  args,
  run: ({ args: given }) => run(given as Args),
});

export type Methods = Readonly<Record<string, Method>>;

/** Source: https://docs.slack.dev/apis/web-api. A token comes as bearer or among the arguments; the arguments as JSON, or as a form
 *  in which all that is not a string is written in JSON. Null where the body is neither. */
export function readCall(request: Request): Call | null {
  const body = request.is('application/json') ? readJson(request) : readForm(request);
  if (body === null) return null;
  const { token, ...args } = body;
  const [, bearer] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  return { token: bearer ?? (typeof token === 'string' ? token : null), args };
}

/** `request.body` is text: a parser of Express would take more than Slack does. */
function readJson({ body }: Request): Record<string, unknown> | null {
  const parsed = parse(String(body));
  return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
}

function readForm(request: Request): Record<string, unknown> | null {
  if (typeof request.body !== 'string') return {};
  if (!request.is('application/x-www-form-urlencoded')) return request.body === '' ? {} : null;
  const fields = [...new URLSearchParams(request.body)];
  return Object.fromEntries(
    fields.map(([name, text]) => [name, written.includes(name) ? (parse(text) ?? text) : text]),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
