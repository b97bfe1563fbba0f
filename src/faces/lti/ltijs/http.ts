import { AsyncLocalStorage } from 'node:async_hooks';
import type { OutboundAnswer, OutboundRequest } from '#ports/outbound';

/** Makes a call of ltijs; rejects for every answer but a success, as `got` does. */
export type HttpCall = (url: string, request: OutboundRequest) => Promise<OutboundAnswer>;

/** What ltijs reads of an answer. */
export interface GotResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface GotOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly searchParams?: URLSearchParams;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

type GotPromise = Promise<GotResponse> & { json(): Promise<unknown> };

const calls = new AsyncLocalStorage<HttpCall>();

/** Does work with ltijs whose HTTP goes through `call`. ltijs has one HTTP client in a process,
 *  which may run several hosts. */
export function withHttp<T>(call: HttpCall, work: () => Promise<T>): Promise<T> {
  return calls.run(call, work);
}

/** Takes the place of `got` in ltijs, with the few calls that it makes. */
export const got = {
  get: (url: string, options?: GotOptions) => begin('GET', url, options),
  post: (url: string, options?: GotOptions) => begin('POST', url, options),
};

function begin(method: 'GET' | 'POST', url: string, options: GotOptions = {}): GotPromise {
  const answered = send(method, url, options);
  // The text decides, not the media type: Moodle gives its tokens as `text/html`.
  return Object.assign(answered, { json: async () => JSON.parse((await answered).body) as unknown });
}

async function send(method: 'GET' | 'POST', address: string, options: GotOptions): Promise<GotResponse> {
  const call = calls.getStore();
  if (call === undefined) throw new Error('ltijs may call nobody outside of withHttp.');
  const { status, headers, text } = await call(toAddress(address, options), {
    method,
    ...toBody(options),
  });
  return { statusCode: status, headers, body: text };
}

/** As with `got`, a query that is given replaces that of the address. */
function toAddress(address: string, { searchParams }: GotOptions): string {
  if (searchParams === undefined) return address;
  const url = new URL(address);
  url.search = searchParams.toString();
  return url.href;
}

function toBody({ headers = {}, form, json }: GotOptions): OutboundRequest {
  const all = new Headers({ ...headers });
  const body = form !== undefined ? new URLSearchParams(form).toString() : toJson(json);
  const type = form !== undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  if (body === undefined) return { headers: Object.fromEntries(all) };
  if (!all.has('content-type')) all.set('content-type', type);
  return { headers: Object.fromEntries(all), body };
}

const toJson = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);
