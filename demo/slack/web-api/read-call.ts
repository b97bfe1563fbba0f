import type { Request } from 'express';

/** A call as it came. */
export interface Call {
  readonly token: string | null;
  readonly args: Readonly<Record<string, unknown>>;
}

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

/** Arguments that are no strings. */
const written = ['view', 'blocks', 'include_locale', 'unfurl_links', 'unfurl_media'];

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
