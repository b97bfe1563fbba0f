import { randomBytes } from 'node:crypto';
import { finishInTime } from '#domain/async/deadline';
import { AppError, type ErrorCode, hasErrorCode } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { actions, button, type Message, sectionBlock, smallText } from '../blocks/block-kit.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import type { Reply } from '../listener.ts';
import { type AnswerDeps, TRY_AGAIN } from './call-listener.ts';
import { findPersonWordsInTime } from './person-words.ts';
import type { SlackRequest } from './slack-request.ts';

/** Reports an error and writes it as a reply, with "Try again". Never rejects. */
export async function writeFailureReply(deps: AnswerDeps, request: SlackRequest, error: unknown): Promise<Reply> {
  const { kind, name } = request.call;
  // A repeated failure stays where the first one was shown, and Home has no other place.
  const isInPlace = name === TRY_AGAIN || kind === 'home';
  const message = await writeFailureMessage(deps, request, error);
  return { kind: isInPlace ? 'replace' : 'message', message };
}

/** Reports an error as a message with "Try again", within a second. Never rejects. */
export async function writeFailureMessage(deps: AnswerDeps, request: SlackRequest, error: unknown): Promise<Message> {
  const [{ text, reference, words }, retryToken] = await Promise.all([
    describeFailure(deps, request, error),
    keepCall(deps, request, error),
  ]);
  const { t } = words;
  const again = { actionId: TRY_AGAIN, text: t('slack.tryAgain'), value: retryToken ?? '' };
  return {
    text: escapeMrkdwn(text),
    blocks: [
      sectionBlock(escapeMrkdwn(text)),
      ...(retryToken === null ? [] : [actions([button(again)])]),
      smallText(t('slack.reference', { reference })),
    ],
  };
}

/** Reports an error and writes it as one line, for a field of a modal. Never rejects. */
export async function writeFailureLine(deps: AnswerDeps, request: SlackRequest, error: unknown): Promise<string> {
  const { text, reference, words } = await describeFailure(deps, request, error);
  return words.t('slack.failedLine', { text, reference });
}

async function describeFailure(deps: AnswerDeps, request: SlackRequest, error: unknown) {
  const reference = reportFailure(deps, request, error);
  const words = await findPersonWordsInTime(request.context, deps.personWords);
  return { reference, words, text: chooseFailureText(deps, error, words) };
}

/** @returns the reference that is reported with the error */
function reportFailure(deps: AnswerDeps, { context, call }: SlackRequest, error: unknown): string {
  const { busyReferences, onFailure } = deps;
  const person = isBusyFailure(error) ? (context?.owner.person ?? null) : null;
  const reported = person === null ? undefined : busyReferences.get(person);
  if (reported !== undefined) return reported;
  // Short enough to be read out.
  const reference = randomBytes(4).toString('hex');
  if (person !== null) busyReferences.set(person, reference);
  onFailure({ error, reference, listener: call.name });
  return reference;
}

export const isBusyFailure = (error: unknown): boolean => hasErrorCode(error, 'SLACK_BUSY');

/** Chooses the text by code or kind. The error's message is not used: it may reveal internals. */
function chooseFailureText({ personWords }: AnswerDeps, error: unknown, { t }: ObjectWords): string {
  const { code, kind, retryAfterSeconds } =
    error instanceof AppError ? error : { code: 'INTERNAL', kind: 'internal', retryAfterSeconds: undefined };
  const values = { seconds: retryAfterSeconds ?? 60 };
  const isNamed = personWords.languages.has(`slack.codes.${code}`);
  return isNamed ? t(`slack.codes.${code}`, values) : t(`slack.kinds.${kind}`, values);
}

/** Errors without "Try again": it would not help, and who asks too much must not fill the store. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['SLACK_STATE_OVER', 'SLACK_NOT_INSTALLED', 'SLACK_BUSY']);
const KEEP_MS = 500;

/** Stores the call for "Try again". @returns its token; null if that is not possible */
async function keepCall(
  { savedStates, onProblem }: AnswerDeps,
  { context, call, isRepeatable }: SlackRequest,
  error: unknown,
): Promise<string | null> {
  const isFinal = error instanceof AppError && FINAL.has(error.code);
  if (context === null || !isRepeatable || isFinal) return null;
  // A repeated call is stored already: stored anew, each would contain all earlier ones.
  if (call.kind === 'action' && call.name === TRY_AGAIN) return call.action.value;
  try {
    return await finishInTime(savedStates.keep(context.owner, call), KEEP_MS);
  } catch (problem) {
    onProblem(problem);
    return null;
  }
}
