import { finishInTime } from '#domain/async/deadline';
import type { Preferences } from '#domain/person';
import { toSlackPerson } from '#domain/slack';
import { learn } from '../learn/learn.ts';
import type { Reply, SlackContext } from '../listener.ts';
import { createSlackCalls } from '../slack-api/slack-calls.ts';
import { type AnswerDeps, callListener } from './call-listener.ts';
import { writeFailureReply } from './failures.ts';
import { type SlackRequest, toSlackView } from './slack-request.ts';

/** Calls the listener in its turn. Failures become replies, repetitions `done`. Never rejects. */
export async function runListener(deps: AnswerDeps, request: SlackRequest): Promise<Reply> {
  const { limits, running, listeners, usage } = deps;
  const { call } = request;
  running.add(request);
  try {
    return await limits.within(request, async (): Promise<Reply> => {
      const context = await loadContext(deps, request);
      if (!(await admitRequest(deps, request, context))) return { kind: 'done' };
      if (call.kind === 'command' || call.kind === 'shortcut') usage.count(context.owner.tenantId, 'slack-commands');
      return limits.runInTurn(context, request, () => callListener(listeners, call, context));
    });
  } catch (error) {
    return writeFailureReply(deps, request, error);
  } finally {
    running.delete(request);
  }
}

/** @returns false for a repeated delivery. Errors: SLACK_BUSY, STORE_UNAVAILABLE. */
export async function admitRequest(
  { limits, savedStates }: AnswerDeps,
  { deliveryId }: SlackRequest,
  context: SlackContext,
): Promise<boolean> {
  // Counting comes before anything is written, so that refusing costs little.
  await limits.count(context);
  return deliveryId === null || savedStates.claim(context.owner, `delivery ${deliveryId}`);
}

/** Notes in the request who asks, and from where. Errors: those of `getInstallation`. */
export async function loadContext(deps: AnswerDeps, request: SlackRequest): Promise<SlackContext> {
  const { installation, botToken } = await request.getInstallation();
  const { tenantId } = installation;
  const { userId, channelId, triggerId, responseUrl, view } = request;
  const owner = { tenantId, person: toSlackPerson(installation.id, userId) };
  const call = deps.api.as(botToken);
  const context: SlackContext = {
    ...deps,
    owner,
    installation,
    userId,
    channelId,
    triggerId,
    responseUrl,
    discovery: deps.discoveryOf(tenantId),
    learn,
    view: view === null ? null : toSlackView(view),
    slack: createSlackCalls(call),
    preferences: rememberResult(() => deps.people.getPreferences(owner)),
    words: (changed?: Preferences) => (changed === undefined ? usualWords() : findWords(changed.locale)),
  };
  const findWords = async (locale: Preferences['locale']) => {
    const { wordsIn, findLocale } = deps.personWords;
    return wordsIn(locale ?? (await findLocale(owner.person, userId, call)));
  };
  const usualWords = rememberResult(async () => findWords(await findPreferredLocale(context)));
  request.context = context;
  return context;
}

/** How long to wait for preferences: words are needed most where the store does not answer. */
const PREFERENCES_MS = 500;

async function findPreferredLocale({ preferences }: Pick<SlackContext, 'preferences'>): Promise<Preferences['locale']> {
  const reading = preferences().catch(() => null);
  return (await finishInTime(reading, PREFERENCES_MS))?.locale ?? null;
}

/** Calls `make` at the first call; each call returns the same promise. */
export function rememberResult<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
