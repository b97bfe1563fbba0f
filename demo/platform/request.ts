import { AppError } from '#errors';

/** A request as an endpoint sees it, whichever server it came through. */
export interface PlatformRequest {
  readonly method: string;
  /** Below the platform's address, without a slash at the end. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty where there was none. */
  readonly body: string;
}

/** The answer of an endpoint. The server of the platform makes pages of it. */
export type PlatformReply =
  | {
      readonly kind: 'data';
      readonly status: number;
      readonly mediaType: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Sent as JSON; nothing where it is undefined. */
      readonly body?: unknown;
    }
  /** A page that posts a form by itself. */
  | { readonly kind: 'form'; readonly action: string; readonly fields: Readonly<Record<string, string>> }
  /** The end of a choice of objects: a page that tells the window around it. */
  | { readonly kind: 'chosen'; readonly outcome: ChoiceOutcome }
  /** What somebody sees where a page was asked for that cannot be given. */
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string };

export interface ChoiceOutcome {
  /** Ids of the links that were made. */
  readonly linkIds: readonly string[];
  /** Items that were not taken, and why. */
  readonly dropped: readonly { readonly title: string; readonly reason: string }[];
  /** Good items that the course had no room for. */
  readonly withoutRoomCount: number;
  /** The tool's message to people. */
  readonly message: string | null;
  readonly errorMessage: string | null;
}

export type Endpoint =
  | 'authorization'
  | 'deep-linking'
  | 'keys'
  | 'token'
  | 'line-items'
  | 'scores'
  | 'memberships'
  | 'notice-handlers';

/** A request that was not done. */
export interface Refusal {
  readonly endpoint: Endpoint;
  readonly status: number;
  /** Code of OAuth 2 where there is one (`invalid_client`). */
  readonly error: string;
  readonly reason: string;
}

interface RefusalOptions {
  /** 400 when absent. */
  readonly status?: number;
  /** `invalid_request` when absent. */
  readonly error?: string;
}

/** Ends a request that breaks a rule; the caller of the endpoint is told the reason. */
export function refuse(reason: string, { status = 400, error = 'invalid_request' }: RefusalOptions = {}): never {
  throw new AppError('PARAMETERS_INVALID', reason, { data: { status, error } });
}

/** Some repeat what was sent. */
const MAX_REASON_LENGTH = 1000;

export function toRefusal(endpoint: Endpoint, thrown: unknown): Refusal {
  if (!(thrown instanceof AppError) || thrown.data.status === undefined) throw thrown;
  const { status, error } = thrown.data as { status: number; error: string };
  return { endpoint, status, error, reason: thrown.message.slice(0, MAX_REASON_LENGTH) };
}

export const data = (body: unknown, mediaType = 'application/json'): PlatformReply => ({
  kind: 'data',
  status: 200,
  mediaType,
  body,
});

/** A field that may be given once only. */
export function single(fields: URLSearchParams, name: string): string {
  const values = fields.getAll(name);
  if (values.length > 1) refuse(`${name} is given ${values.length} times`);
  return values[0] ?? refuse(`${name} is missing`);
}

export function onlyMethod(request: PlatformRequest, ...methods: readonly string[]): void {
  if (!methods.includes(request.method)) refuse(`${request.method} is not allowed here`, { status: 405 });
}

/** The fields of a form. */
export function readForm({ headers, body }: PlatformRequest): URLSearchParams {
  const type = mediaTypeOf(headers['content-type']);
  if (type !== 'application/x-www-form-urlencoded') refuse(`a form is expected, not ${type || 'nothing'}`);
  return new URLSearchParams(body);
}

export const mediaTypeOf = (header = ''): string => header.replace(/;.*/s, '').trim().toLowerCase();
