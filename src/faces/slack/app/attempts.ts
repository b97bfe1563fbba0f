import type { KeptStates } from '#services/people/kept-states';
import { noticeMessage } from '../blocks/messages.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import { createKeptStateExpiredError } from '../kept-state.ts';
import type {
  ActionListener,
  Listener,
  SlackAction,
  SlackContext,
  SlackMessage,
  SlackReply,
  SlackView,
} from '../listener.ts';

/** The name of the home page among the listeners. */
export const HOME = 'app_home_opened';
export const TRY_AGAIN = 'try_again';

/** A request to a listener, complete enough to be repeated. */
export type Attempt =
  | { readonly kind: 'command'; readonly name: string; readonly text: string }
  | {
      readonly kind: 'action';
      readonly name: string;
      readonly action: SlackAction;
      readonly view: SlackView | null;
    }
  | { readonly kind: 'view'; readonly name: string; readonly view: SlackView }
  | { readonly kind: 'shortcut'; readonly name: string; readonly source: SlackMessage | null }
  | { readonly kind: 'home'; readonly name: typeof HOME };

type OfKind<K extends Listener['kind']> = Extract<Listener, { kind: K }>;

export interface ListenerTable {
  /** Null if nobody listens. */
  find<K extends Listener['kind']>(kind: K, name: string): OfKind<K> | null;
  /** Errors: those of the listener. */
  perform(attempt: Attempt, context: SlackContext): Promise<SlackReply>;
}

const done: SlackReply = { kind: 'done' };

export function createListenerTable(listeners: readonly Listener[]): ListenerTable {
  const find: ListenerTable['find'] = (kind, name) =>
    (listeners.find((listener) => listener.kind === kind && hears(nameOf(listener), name)) ?? null) as never;
  return {
    find,
    async perform(attempt, context) {
      switch (attempt.kind) {
        case 'command':
          return (await find('command', attempt.name)?.handle(context, attempt.text)) ?? done;
        case 'action':
          return (await find('action', attempt.name)?.handle(context, attempt.action)) ?? done;
        case 'shortcut':
          return (await find('shortcut', attempt.name)?.handle(context, attempt.source)) ?? done;
        case 'home':
          await find('home', attempt.name)?.handle(context);
          return done;
        case 'view':
          return performView(find('view', attempt.name), attempt.view, context);
      }
    },
  };
}

function nameOf(listener: Listener): string {
  switch (listener.kind) {
    case 'command':
      return listener.name;
    case 'action':
    case 'options':
      return listener.actionId;
    case 'view':
    case 'shortcut':
      return listener.callbackId;
    case 'home':
      return HOME;
  }
}

const hears = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** A submitted modal whose request can no longer be answered. */
async function performView(
  listener: OfKind<'view'> | null,
  view: SlackView,
  context: SlackContext,
): Promise<SlackReply> {
  const { show, afterwards } = (await listener?.submit(context, view)) ?? {};
  if (show?.kind === 'errors')
    return { kind: 'message', message: noticeMessage(escapeMrkdwn(writeAttemptErrors(show))) };
  if (afterwards !== undefined) return afterwards();
  return show?.kind === 'update' ? { kind: 'modal', view: show.view } : done;
}

/** The messages beside the fields, without the fields. */
export const writeAttemptErrors = ({
  errors,
}: {
  readonly errors: Readonly<Record<string, string>>;
}): string => Object.values(errors).join('\n');

/** The button of a failure: repeats the request, and puts the answer in place of the failure. */
export function tryAgainListener(keptStates: KeptStates, table: () => ListenerTable): ActionListener {
  return {
    kind: 'action',
    actionId: TRY_AGAIN,
    async handle(context, { value }) {
      const attempt = await keptStates.find<Attempt>(context.owner, value);
      if (attempt === null) throw createKeptStateExpiredError();
      const reply = await table().perform(attempt, asBefore(context, attempt));
      // Home needs no words: people see the page drawn anew.
      if (reply.kind !== 'done' || context.view?.type === 'home') return toReplacement(reply);
      const { t } = await context.words();
      return { kind: 'replace', message: noticeMessage(t('slack.done')) };
    },
  };
}

/** A reply in place of what is shown instead of beside it. */
export const toReplacement = (reply: SlackReply): SlackReply =>
  reply.kind === 'message' ? { kind: 'replace', message: reply.message } : reply;

/** With the input of that time, in the current view. */
function asBefore(context: SlackContext, attempt: Attempt): SlackContext {
  const before = 'view' in attempt ? attempt.view : null;
  if (before === null) return context;
  const { view: now } = context;
  return {
    ...context,
    view: now === null ? before : { ...before, id: now.id, hash: now.hash, type: now.type },
  };
}
