import { parse } from 'node:querystring';
import type { ExpressReceiver } from '@slack/bolt';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { AppError } from '#errors';
import { systemClock } from '#ports/clock';
import type { SlackConnection, SlackFaceDeps } from '../deps.ts';
import { loadBolt } from '../slack-api/bolt.ts';
import { createSlackError } from '../slack-api/slack-api.ts';

const MAX_BODY = '1mb';
const FORM = 'application/x-www-form-urlencoded';

/** Passes signed requests on to the Bolt app of the connection that signed them.
 *  Errors: SLACK_OFF, SLACK_SIGNATURE_INVALID, MEDIA_TYPE_UNSUPPORTED, BODY_TOO_LARGE,
 *  BODY_MALFORMED. */
export function createEventsRoute(
  { listConnections }: Pick<SlackFaceDeps, 'listConnections'>,
  receiverOf: (connection: SlackConnection) => Promise<ExpressReceiver>,
): RequestHandler {
  return async (request, response, next) => {
    const receivedAt = performance.now();
    const type = getMediaType(request);
    // Bolt compares the whole header, also what some proxies add to the type.
    request.headers['content-type'] = type;
    const connections = await listConnections();
    if (connections.length === 0) throw createSlackError('SLACK_OFF');
    const body = await readEventBody(request, response);
    const connection = await getSigningConnection(connections, request, body);
    requireBodyShape(body, type === FORM);
    // Bolt looks here before it would read the body again.
    Object.assign(request, { rawBody: body, body: undefined, receivedAt });
    const receiver = await receiverOf(connection);
    receiver.router(request, response, next);
  };
}

/** Returns the bare type. Errors: MEDIA_TYPE_UNSUPPORTED. */
function getMediaType(request: Request): string {
  const type = request.is([FORM, 'application/json']);
  if (type !== FORM && type !== 'application/json')
    throw new AppError('MEDIA_TYPE_UNSUPPORTED', `Slack sends ${FORM} or application/json.`);
  return type;
}

const readRaw = express.raw({ type: () => true, limit: MAX_BODY, inflate: false });

async function readEventBody(request: Request, response: Response): Promise<Buffer> {
  await new Promise<void>((done, fail) =>
    readRaw(request, response, (error?: unknown) => (error === undefined ? done() : fail(error))),
  );
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

const LEEWAY_SECONDS = 300;

/** Errors: SLACK_SIGNATURE_INVALID. Source: Slack, “Verifying requests from Slack”. */
async function getSigningConnection(
  connections: readonly SlackConnection[],
  { headers }: Request,
  body: Buffer,
): Promise<SlackConnection> {
  const { isValidSlackRequest } = await loadBolt();
  const signature = String(headers['x-slack-signature']);
  const stamp = String(headers['x-slack-request-timestamp']);
  // Bolt refuses old times only. Slack goes by the real time, whatever the clock of a test.
  const nowMilliseconds = systemClock.now().getTime();
  const isTimely = /^\d{1,12}$/.test(stamp) && Number(stamp) <= nowMilliseconds / 1_000 + LEEWAY_SECONDS;
  const signed = {
    body: body.toString('utf8'),
    headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(stamp) },
    nowMilliseconds,
  };
  const signer = connections.find(({ signingSecret }) => isTimely && isValidSlackRequest({ signingSecret, ...signed }));
  if (signer !== undefined) return signer;
  throw new AppError(
    'SLACK_SIGNATURE_INVALID',
    'This request is not signed by a Slack app of this host, or its time is more than five minutes away.',
  );
}

const text = z.string().nullish();
const id = z.string().min(1);
const anything = z.looseObject({});
const named = z.looseObject({ id });

const view = z.looseObject({
  id,
  type: id,
  callback_id: text,
  private_metadata: text,
  hash: text,
  state: z.looseObject({ values: z.record(z.string(), z.record(z.string(), anything)).nullish() }).nullish(),
});

const action = z.looseObject({ action_id: text, block_id: text, value: text });

/** Bolt reads this without checking. */
const event = z.looseObject({
  type: id,
  channel: z.union([z.string(), anything]).optional(),
  item: anything.optional(),
});

/** Describes all that is read of a body, here and by Bolt. What a body must have follows below. */
const anyBody = z.looseObject({
  type: text,
  command: id.optional(),
  text: z.string().optional(),
  value: text,
  user_id: text,
  team_id: text,
  channel_id: text,
  trigger_id: text,
  event_id: text,
  action_id: text,
  callback_id: text,
  response_url: text,
  user: named.nullish(),
  team: named.nullish(),
  channel: named.nullish(),
  view: view.nullish(),
  message: anything.nullish(),
  container: anything.nullish(),
  event: event.optional(),
  actions: z.array(action).min(1).optional(),
  response_urls: z.array(z.looseObject({ response_url: id })).nullish(),
  authorizations: z.array(anything).nullish(),
});

const commandBody = z.looseObject({ user_id: id });
const homeBody = z.looseObject({ event: z.looseObject({ user: id }) });
const formBody = z.looseObject({ user: named, view });

/** The required fields of each interaction. The channel may be absent, but Bolt fails on null. */
const interactionBodies: Readonly<Record<string, z.ZodType>> = {
  block_actions: z.looseObject({ user: named, actions: z.array(action), channel: named.optional() }),
  block_suggestion: z.looseObject({ user: named, channel: named.optional() }),
  shortcut: z.looseObject({ user: named }),
  message_action: z.looseObject({ user: named, channel: named.optional() }),
  view_submission: formBody,
  view_closed: formBody,
};

/** Refuses a body that Slack would not send; nothing after this checks. Errors: BODY_MALFORMED. */
function requireBodyShape(raw: Buffer, isForm: boolean): void {
  const read = anyBody.safeParse(parseEventBody(raw.toString('utf8'), isForm));
  if (!read.success) throw createMalformedError(read.error);
  const checked = findBodySchema(read.data)?.safeParse(read.data);
  if (checked?.success === false) throw createMalformedError(checked.error);
}

function findBodySchema({ command, type, event }: z.infer<typeof anyBody>): z.ZodType | undefined {
  if (command !== undefined) return commandBody;
  return event?.type === 'app_home_opened' ? homeBody : interactionBodies[type ?? ''];
}

/** Parses a body in the way Bolt does. Errors: BODY_MALFORMED. */
function parseEventBody(body: string, isForm: boolean): unknown {
  try {
    if (!isForm) return JSON.parse(body);
    const fields = { ...parse(body) };
    return typeof fields.payload === 'string' ? JSON.parse(fields.payload) : fields;
  } catch (cause) {
    throw createMalformedError(cause);
  }
}

const createMalformedError = (cause: unknown): AppError =>
  new AppError('BODY_MALFORMED', 'The body is not JSON, or not as Slack sends it.', { cause });
