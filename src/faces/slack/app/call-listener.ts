import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import { noticeMessage } from '../blocks/messages.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { Listener, ListenerKind, ListenerOf, Reply, SlackContext, SlackView } from '../listener.ts';
import { on } from '../listener.ts';
import { createStateExpiredError } from '../saved-state.ts';
import type { SlackApi } from '../slack-api/slack-api.ts';
import type { PersonWords } from './person-words.ts';
import type { RequestLimits } from './request-limits.ts';
import type { ListenerCall, SlackRequest } from './slack-request.ts';

export interface ListenerDeps extends SlackFaceDeps {
  readonly listeners: readonly Listener[];
  readonly personWords: PersonWords;
  readonly limits: RequestLimits;
}

export interface AnswerDeps extends ListenerDeps {
  readonly api: SlackApi;
  /** Requests whose listener has not replied yet. */
  readonly running: Set<SlackRequest>;
  /** References of reported SLACK_BUSY errors by person: one line a minute is enough in the log. */
  readonly busyReferences: LRUCache<string, string>;
}

const MAX_BUSY_PEOPLE = 10_000;
const MINUTE_MS = 60_000;

export function createAnswerDeps(deps: ListenerDeps, api: SlackApi): AnswerDeps {
  return {
    ...deps,
    api,
    listeners: [...deps.listeners, createTryAgainListener(deps.listeners)],
    running: new Set(),
    busyReferences: new LRUCache({ ...limitEntries(MAX_BUSY_PEOPLE), ttl: MINUTE_MS }),
  };
}

const done: Reply = { kind: 'done' };

/** Calls the named listener; `done` if there is none. Errors: those of the listener. */
export async function callListener(
  listeners: readonly Listener[],
  call: ListenerCall,
  context: SlackContext,
): Promise<Reply> {
  switch (call.kind) {
    case 'command':
      return (await findListener(listeners, 'command', call.name)?.handle(context, call.text)) ?? done;
    case 'action':
      return (await findListener(listeners, 'action', call.name)?.handle(context, call.action)) ?? done;
    case 'shortcut':
      return (await findListener(listeners, 'shortcut', call.name)?.handle(context, call.source)) ?? done;
    case 'home':
      await findListener(listeners, 'home', call.name)?.handle(context);
      return done;
    case 'view':
      return submitFormAgain(findListener(listeners, 'view', call.name), call.view, context);
    case 'options':
    case 'links':
      // They have no reply that could be repeated: `answerOptions` and `answerLinks` answer them.
      return done;
  }
}

/** Finds the listener with this name, or with a pattern such as `learn_*` that matches it. */
export function findListener<K extends ListenerKind>(
  listeners: readonly Listener[],
  kind: K,
  name: string,
): ListenerOf<K> | null {
  const isNamed = ({ name: pattern }: Listener) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  const listener = listeners.find((candidate) => candidate.kind === kind && isNamed(candidate));
  return (listener as ListenerOf<K> | undefined) ?? null;
}

/** Submits a form again that failed: its modal is gone, so the answer becomes a reply. */
async function submitFormAgain(
  listener: ListenerOf<'view'> | null,
  view: SlackView,
  context: SlackContext,
): Promise<Reply> {
  const { show, afterwards } = (await listener?.handle(context, view)) ?? {};
  if (show?.kind === 'errors')
    return { kind: 'message', message: noticeMessage(escapeMrkdwn(joinFieldErrors(show.errors))) };
  if (afterwards !== undefined) return afterwards();
  return show?.kind === 'update' ? { kind: 'modal', view: show.view } : done;
}

/** Writes what is wrong with the fields of a form, a line each, without their names. */
export const joinFieldErrors = (errors: Readonly<Record<string, string>>): string => Object.values(errors).join('\n');

export const TRY_AGAIN = 'try_again';

function createTryAgainListener(listeners: readonly Listener[]): Listener {
  return on('action', TRY_AGAIN, async (context, { value }) => {
    const call = await context.savedStates.find<ListenerCall>(context.owner, value);
    if (call === null) throw createStateExpiredError();
    const reply = await callListener(listeners, call, restoreInput(context, call));
    // Home needs no words: people see the page drawn anew.
    if (reply.kind !== 'done' || context.view?.type === 'home') return toReplacement(reply);
    const { t } = await context.words();
    return { kind: 'replace', message: noticeMessage(t('slack.done')) };
  });
}

/** Shows a message in the place of what was clicked; other replies stay as they are. */
export const toReplacement = (reply: Reply): Reply =>
  reply.kind === 'message' ? { kind: 'replace', message: reply.message } : reply;

/** Puts the input of the repeated call into the view that is open now. */
function restoreInput(context: SlackContext, call: ListenerCall): SlackContext {
  const saved = 'view' in call ? call.view : null;
  if (saved === null) return context;
  const { view: open } = context;
  return { ...context, view: open === null ? saved : { ...saved, id: open.id, hash: open.hash, type: open.type } };
}
