import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { UpstreamRequest } from './upstream.ts';
import { plainProvider } from './upstream-specification.ts';

/** What the fake does instead of answering well. */
export interface UpstreamReply {
  /** 200 by default. */
  readonly status?: number;
  /** An object is sent as JSON, a text as it is; the good answer by default. */
  readonly body?: object | string;
  /** What the good answer is turned into, where `body` does not say: a lie about a page or a
   *  total. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are of the wire, and tests change them at any depth.
  readonly change?: (body: any) => object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  /** Answers when this is over. */
  readonly until?: Promise<void>;
  /** Compressed, whether the body is JSON or not. */
  readonly isPacked?: boolean;
  /** Nothing at all, or half of the body and then nothing, or the end of the connection in the
   *  place of either; `truncated` is half of the body as if it were whole. */
  readonly breaks?: 'hang' | 'hang-in-body' | 'reset' | 'reset-in-body' | 'truncated';
}

/** Replies to requests one by one; nothing leaves a request to be answered well. */
export type UpstreamReplier = (request: UpstreamRequest) => UpstreamReply | undefined;

/** Of the searches, by provider. */
export function perProvider(replies: Readonly<Record<string, UpstreamReply | UpstreamReplier>>): UpstreamReplier {
  return (request) => {
    const reply = replies[plainProvider(request.query)];
    return typeof reply === 'function' ? reply(request) : reply;
  };
}

/** Fails where the sequence is true, over and over: `[true, false]` is every second request. */
export function flaky(sequence: readonly boolean[], failure: UpstreamReply = { status: 503 }): UpstreamReplier {
  let asked = 0;
  return () => (sequence[asked++ % sequence.length] ? { body: '', ...failure } : undefined);
}

export interface RateLimit {
  readonly perSecond: number;
  /** Whether refusals say when to come back; they do by default. */
  readonly saysWhen?: boolean;
  /** Whether every answer carries `RateLimit-Limit` and its kin. */
  readonly hasHeaders?: boolean;
}

/** A real limit: so many requests in each second, which begins with the first of them; the rest get
 *  429. */
export function rateLimited({ perSecond, saysWhen = true, hasHeaders = false }: RateLimit): UpstreamReplier {
  let startedAt = Number.NEGATIVE_INFINITY;
  let used = 0;
  return () => {
    const now = performance.now();
    if (now - startedAt >= 1_000) [startedAt, used] = [now, 0];
    used++;
    const left = Math.max(perSecond - used, 0);
    const limits = {
      'ratelimit-limit': `${perSecond}`,
      'ratelimit-remaining': `${left}`,
      'ratelimit-reset': '1',
    };
    const headers = hasHeaders ? limits : {};
    if (used <= perSecond) return { headers };
    return {
      status: 429,
      body: { message: 'Too many requests' },
      headers: { ...headers, ...(saysWhen && { 'retry-after': '1' }) },
    };
  };
}

export async function sendReply(response: ServerResponse, reply: UpstreamReply): Promise<void> {
  const { status = 200, headers = {}, delayMs = 0, isPacked = false, breaks } = reply;
  if (delayMs > 0) await sleep(delayMs);
  await reply.until;
  if (breaks === 'hang') return;
  if (breaks === 'reset') return void response.socket?.resetAndDestroy();
  const whole = bytesOf(reply);
  const bytes = breaks === 'truncated' ? whole.subarray(0, whole.length / 2) : whole;
  response.writeHead(status, {
    'content-type': typeof reply.body === 'string' ? 'text/html' : 'application/json',
    'content-length': bytes.length,
    ...(isPacked && { 'content-encoding': 'gzip' }),
    ...headers,
  });
  if (breaks === undefined || breaks === 'truncated') return void response.end(bytes);
  response.write(bytes.subarray(0, bytes.length / 2), () => {
    if (breaks === 'reset-in-body') response.socket?.resetAndDestroy();
  });
}

function bytesOf({ body, isPacked }: UpstreamReply): Buffer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return isPacked ? gzipSync(text) : Buffer.from(text);
}
