import { parse } from 'node:querystring';
import { z } from 'zod';
import { AppError } from '#errors';

const text = z.string().nullish();
const id = z.string().min(1);
const thing = z.looseObject({});
const named = z.looseObject({ id });

const view = z.looseObject({
  ...{ id, type: id, callback_id: text, private_metadata: text, hash: text },
  state: z.looseObject({ values: z.record(z.string(), z.record(z.string(), thing)).nullish() }).nullish(),
});

const action = z.looseObject({ action_id: text, block_id: text, value: text });

/** Bolt reads this without checking. */
const event = z.looseObject({
  type: id,
  channel: z.union([z.string(), thing]).optional(),
  item: thing.optional(),
});

/** All that is read of a body. What a body must have follows below. */
const anyBody = z.looseObject({
  ...{ type: text, command: id.optional(), text: z.string().optional(), value: text },
  ...{ user_id: text, team_id: text, channel_id: text, trigger_id: text, event_id: text },
  ...{ action_id: text, callback_id: text, response_url: text },
  ...{ user: named.nullish(), team: named.nullish(), channel: named.nullish() },
  ...{ view: view.nullish(), message: thing.nullish(), container: thing.nullish() },
  event: event.optional(),
  actions: z.array(action).min(1).optional(),
  response_urls: z.array(z.looseObject({ response_url: id })).nullish(),
  authorizations: z.array(thing).nullish(),
});

const ofCommand = z.looseObject({ user_id: id });
const ofWindow = z.looseObject({ user: named, view });
const ofPerson = z.looseObject({ user: named });

/** By the type of an interaction. In a conversation nothing may stand for the place: Bolt looks into it. */
const ofInteractions: Readonly<Record<string, z.ZodType>> = {
  block_actions: z.looseObject({ user: named, actions: z.array(action), channel: named.optional() }),
  block_suggestion: z.looseObject({ user: named, channel: named.optional() }),
  shortcut: ofPerson,
  message_action: z.looseObject({ user: named, channel: named.optional() }),
  view_submission: ofWindow,
  view_closed: ofWindow,
};

const ofHome = z.looseObject({ event: z.looseObject({ user: id }) });

/** Refuses a signed body that Slack would not send: neither Bolt nor the listeners check for that. Errors: BODY_MALFORMED. */
export function requireShape(raw: Buffer, isForm: boolean): void {
  const found = anyBody.safeParse(readBody(raw.toString('utf8'), isForm));
  if (!found.success) throw malformed(found.error);
  const { data } = found;
  const needed = neededFor(data)?.safeParse(data);
  if (needed?.success === false) throw malformed(needed.error);
}

function neededFor({ command, type, event: sent }: z.infer<typeof anyBody>): z.ZodType | undefined {
  if (command !== undefined) return ofCommand;
  return sent?.type === 'app_home_opened' ? ofHome : ofInteractions[type ?? ''];
}

/** As Bolt reads it. Errors: BODY_MALFORMED. */
function readBody(body: string, isForm: boolean): unknown {
  try {
    if (!isForm) return JSON.parse(body);
    const fields = { ...parse(body) };
    return typeof fields.payload === 'string' ? JSON.parse(fields.payload) : fields;
  } catch (cause) {
    throw malformed(cause);
  }
}

function malformed(cause: unknown): AppError {
  return new AppError('BODY_MALFORMED', 'The body is not JSON, or not as Slack sends it.', { cause });
}
