import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const LEEWAY_SECONDS = 300;

export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly now: Date;
}

/** Whether the request says a time near ours. Bolt asks only that it is not too old. */
export function isTimely({ headers, now }: SignedRequest): boolean {
  const stamp = headers['x-slack-request-timestamp'];
  if (typeof stamp !== 'string' || !/^\d{1,12}$/.test(stamp)) return false;
  return Math.abs(now.getTime() / 1_000 - Number(stamp)) <= LEEWAY_SECONDS;
}

/** Whether the request was signed with this secret. Source: Slack, “Verifying requests from Slack”, v0. */
export function isSignedWith(signingSecret: string, { headers, body }: SignedRequest): boolean {
  const given = headers['x-slack-signature'];
  if (typeof given !== 'string') return false;
  const hmac = createHmac('sha256', signingSecret)
    .update(`v0:${headers['x-slack-request-timestamp']}:`)
    .update(body);
  const expected = Buffer.from(`v0=${hmac.digest('hex')}`);
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
