import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ExpressReceiver } from '@slack/bolt';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '#errors';
import { systemClock } from '#ports/clock';
import type { SlackConnection } from '../connection.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { createSlackOffError } from '../slack-api/slack-failures.ts';
import { requireShape } from './body-shape.ts';

const MAX_BODY = '1mb';
const FORM = 'application/x-www-form-urlencoded';

export interface EventsDeps {
  readonly deps: Pick<SlackFaceDeps, 'listConnections'>;
  appOf(connection: SlackConnection): Promise<ExpressReceiver>;
}

/** Everything that Slack sends: commands, interactions, events. A signed request goes to the app that it is signed for.
 *  Errors: SLACK_OFF, SLACK_SIGNATURE_INVALID, MEDIA_TYPE_UNSUPPORTED, BODY_TOO_LARGE, BODY_MALFORMED. */
export function createEventsRoute({ deps, appOf }: EventsDeps): RequestHandler {
  return async (request, response, next) => {
    const receivedAt = performance.now();
    requireMediaType(request);
    const connections = await deps.listConnections();
    if (connections.length === 0) throw createSlackOffError();
    const body = await readBody(request, response);
    // Slack goes by the real time, also where a test holds the clock still.
    const signed = { headers: request.headers, body, now: systemClock.now() };
    const connection = isTimely(signed)
      ? connections.find(({ signingSecret }) => isSignedWith(signingSecret, signed))
      : undefined;
    if (connection === undefined) throw notSigned();
    requireShape(body, request.headers['content-type'] === FORM);
    // Bolt looks here before it would read the body again.
    Object.assign(request, { rawBody: body, body: undefined, receivedAt });
    const receiver = await appOf(connection);
    receiver.router(request, response, next);
  };
}

/** Bolt compares the whole header, also what some proxies add to it. */
function requireMediaType(request: Request): void {
  const given = request.is([FORM, 'application/json']);
  if (given !== FORM && given !== 'application/json')
    throw new AppError('MEDIA_TYPE_UNSUPPORTED', `Slack sends ${FORM} or application/json.`);
  request.headers['content-type'] = given;
}

const readRaw = express.raw({ type: () => true, limit: MAX_BODY, inflate: false });

async function readBody(request: Request, response: Response): Promise<Buffer> {
  await new Promise<void>((done, fail) =>
    readRaw(request, response, (error?: unknown) => (error === undefined ? done() : fail(error))),
  );
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

const LEEWAY_SECONDS = 300;

interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly now: Date;
}

/** Whether the request says a time near ours. Bolt asks only that it is not too old. */
function isTimely({ headers, now }: SignedRequest): boolean {
  const stamp = headers['x-slack-request-timestamp'];
  if (typeof stamp !== 'string' || !/^\d{1,12}$/.test(stamp)) return false;
  return Math.abs(now.getTime() / 1_000 - Number(stamp)) <= LEEWAY_SECONDS;
}

/** Whether the request was signed with this secret. Source: Slack, “Verifying requests from Slack”, v0. */
function isSignedWith(signingSecret: string, { headers, body }: SignedRequest): boolean {
  const given = headers['x-slack-signature'];
  if (typeof given !== 'string') return false;
  const hmac = createHmac('sha256', signingSecret)
    .update(`v0:${headers['x-slack-request-timestamp']}:`)
    .update(body);
  const expected = Buffer.from(`v0=${hmac.digest('hex')}`);
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function notSigned(): AppError {
  return new AppError(
    'SLACK_SIGNATURE_INVALID',
    'This request is not signed by a Slack app of this host, or its time is more than five minutes away.',
  );
}
