import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { finishInTime } from '#domain/async/deadline';
import { limitEntries } from '#domain/limit-entries';
import { AppError, type ErrorCode } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import type { Languages } from '#faces/words/i18n';
import { actions, button, type Message, section, smallText } from '../blocks/block-kit.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext } from '../listener.ts';
import { type Attempt, TRY_AGAIN } from './attempts.ts';
import { findPersonWordsInTime, type PersonWords } from './person-words.ts';

/** What failed, and for whom; `context` is null if it is not known who asked. */
export interface Failed {
  readonly error: unknown;
  readonly context: SlackContext | null;
  readonly listener: string;
  /** Null if it must not be tried again. */
  readonly attempt: Attempt | null;
}

export interface Failures {
  /** Reports it and says it in words, with a button to try again. Never rejects, and keeps nobody waiting. */
  toMessage(failed: Failed): Promise<Message>;
  /** The same as one line, for a field of a modal. */
  toLine(failed: Omit<Failed, 'attempt'>): Promise<string>;
}

export interface FailuresDeps {
  readonly deps: Pick<SlackFaceDeps, 'keptStates' | 'onFailure' | 'onProblem'>;
  readonly personWords: PersonWords;
}

const KEEP_MS = 500;
const REFUSED = 10_000;
const MINUTE_MS = 60_000;

export function createFailures({ deps, personWords }: FailuresDeps): Failures {
  const { has } = personWords.languages;
  /** For people who ask too much, one line per minute and person is enough in the log. */
  const refused = new LRUCache<string, string>({ ...limitEntries(REFUSED), ttl: MINUTE_MS });

  function report({ error, listener, context }: Omit<Failed, 'attempt'>): string {
    const person = isBusyError(error) ? (context?.owner.person ?? null) : null;
    const reported = person === null ? undefined : refused.get(person);
    if (reported !== undefined) return reported;
    const reference = makeReference();
    if (person !== null) refused.set(person, reference);
    deps.onFailure({ error, reference, listener });
    return reference;
  }

  async function describe(failed: Omit<Failed, 'attempt'>) {
    const reference = report(failed);
    const words = await findPersonWordsInTime(failed.context, personWords);
    return { reference, words, text: failureText(failed.error, words, has) };
  }

  /** Null if it cannot be kept; people then type it again. */
  async function keepRetry({ error, context, attempt }: Failed): Promise<string | null> {
    if (context === null || attempt === null || !canTryAgain(error)) return null;
    // A repeated request is kept already: kept anew, each attempt would contain all earlier ones.
    if (attempt.kind === 'action' && attempt.name === TRY_AGAIN) return attempt.action.value;
    try {
      return await finishInTime(deps.keptStates.keep(context.owner, attempt), KEEP_MS);
    } catch (problem) {
      deps.onProblem(problem);
      return null;
    }
  }

  return {
    async toMessage(failed) {
      const [{ words, ...said }, retryToken] = await Promise.all([describe(failed), keepRetry(failed)]);
      return failureMessage({ ...said, retryToken }, words);
    },
    async toLine(failed) {
      const { words, ...said } = await describe(failed);
      return words.t('slack.failedLine', said);
    },
  };
}

export const isBusyError = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'SLACK_BUSY';

/** Trying these again would not help, and people who ask too much must not fill the store. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['SLACK_STATE_OVER', 'SLACK_NOT_INSTALLED', 'SLACK_BUSY']);

const canTryAgain = (error: unknown): boolean => !(error instanceof AppError && FINAL.has(error.code));

/** Short enough to be read out, and found in the log. */
const makeReference = (): string => randomBytes(4).toString('hex');

/** What happened, in words for people: by the code, else by the kind. Never the message of the error, which may reveal
 *  internals. */
function failureText(error: unknown, { t }: ObjectWords, has: Languages['has']): string {
  const { code, kind, retryAfterSeconds } =
    error instanceof AppError ? error : { code: 'INTERNAL', kind: 'internal', retryAfterSeconds: undefined };
  const values = { seconds: retryAfterSeconds ?? 60 };
  return has(`slack.codes.${code}`) ? t(`slack.codes.${code}`, values) : t(`slack.kinds.${kind}`, values);
}

interface FailureParts {
  readonly text: string;
  readonly reference: string;
  /** Token of the request to repeat; null where there is none. */
  readonly retryToken: string | null;
}

function failureMessage({ text, reference, retryToken }: FailureParts, { t }: ObjectWords): Message {
  return {
    text: escapeMrkdwn(text),
    blocks: [
      section(escapeMrkdwn(text)),
      ...(retryToken === null
        ? []
        : [actions([button({ actionId: TRY_AGAIN, text: t('slack.tryAgain'), value: retryToken })])]),
      smallText(t('slack.reference', { reference })),
    ],
  };
}
