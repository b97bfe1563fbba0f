import type { SlackFaceDeps } from '../deps.ts';
import type { Listener, SlackContext, SlackReply } from '../listener.ts';
import type { SlackApi } from '../slack-api/slack-api.ts';
import {
  type Attempt,
  createListenerTable,
  type ListenerTable,
  TRY_AGAIN,
  tryAgainListener,
} from './attempts.ts';
import { createContext } from './context.ts';
import { createFailures, type Failures } from './failures.ts';
import type { Incoming } from './incoming.ts';
import type { PersonWords } from './person-words.ts';
import { createShowing, type Outcome, type Showing } from './showing.ts';
import type { Turns } from './turns.ts';

/** How requests are answered, whatever kind they are of. */
export interface Handling extends Showing {
  readonly table: ListenerTable;
  readonly failures: Failures;
  readonly turns: Turns;
  readonly personWords: PersonWords;
  /** Errors: those of `Incoming.admit`. */
  contextOf(incoming: Incoming): Promise<SlackContext>;
  /** Counts it as asked. False for what was delivered before. Errors: SLACK_BUSY, STORE_UNAVAILABLE. */
  admit(incoming: Incoming, context: SlackContext): Promise<boolean>;
  /** Whether there are so many requests at once that all take longer. */
  isCrowded(): boolean;
  /** Asks the listener when it is its turn; a failure becomes words. A repeated delivery gives `done`. Never rejects.
   *  `onAdmitted` is called for a request that came for the first time. */
  ask(incoming: Incoming, attempt: Attempt, onAdmitted?: (context: SlackContext) => void): Promise<Outcome>;
}

export interface HandlingDeps {
  readonly deps: SlackFaceDeps;
  readonly listeners: readonly Listener[];
  readonly api: SlackApi;
  readonly personWords: PersonWords;
  readonly turns: Turns;
}

const done: SlackReply = { kind: 'done' };
const CROWD = 20;

export function createHandling(given: HandlingDeps): Handling {
  const { deps, listeners, turns, personWords } = given;
  const failures = createFailures(given);
  const table: ListenerTable = createListenerTable([
    ...listeners,
    tryAgainListener(deps.keptStates, () => table),
  ]);
  let askedAtOnce = 0;
  const contextOf = (incoming: Incoming) => createContext(given, incoming);

  const admit: Handling['admit'] = async ({ deliveryId }, context) => {
    // Before anything is written for it: what is refused costs little.
    await turns.spend(context);
    return deliveryId === null || deps.keptStates.claim(context.owner, `delivery ${deliveryId}`);
  };

  async function fail(error: unknown, asked: Omit<Outcome, 'reply'>): Promise<Outcome> {
    const message = await failures.toMessage({ error, ...asked });
    // A repeated failure stays where it was shown before, and Home has no other place.
    const isInPlace = asked.listener === TRY_AGAIN || asked.attempt?.kind === 'home';
    return { reply: { kind: isInPlace ? 'replace' : 'message', message }, ...asked };
  }

  const ask: Handling['ask'] = async (incoming, attempt, onAdmitted) => {
    let context: SlackContext | null = null;
    const work = async (): Promise<SlackReply> => {
      const asking = await contextOf(incoming);
      context = asking;
      if (!(await admit(incoming, asking))) return done;
      onAdmitted?.(asking);
      return turns.take(asking, incoming, () => table.perform(attempt, asking));
    };
    const asked = () => ({ context, listener: attempt.name, attempt });
    askedAtOnce++;
    try {
      return { reply: await turns.within(incoming, work), ...asked() };
    } catch (error) {
      return fail(error, asked());
    } finally {
      askedAtOnce--;
    }
  };

  const showing = createShowing({ deps, table, turns, failures, personWords, contextOf, fail });
  const isCrowded = () => askedAtOnce > CROWD;
  return { table, failures, turns, personWords, contextOf, admit, isCrowded, ask, ...showing };
}
