import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { findNetworkOf } from '#domain/address-kinds';
import type { Launch } from '#domain/lti/launch';
import { toRecordKey } from '#domain/record-key';
import { AppError, hasErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { Keyring } from '#services/host/keyring';
import { createBlockSpender, createRateLimiter, type Spend } from '#services/host/rate-limits';
import { addStoredValue, consumeStoredValue, findStoredValue } from '#services/host/stored-values';
import type { Usage } from '#services/host/usage';

export interface PendingLogin {
  readonly nonce: string;
  readonly registrationId: string;
  /** Hexadecimal SHA-256 of the secret that only the browser of the login has. */
  readonly bindingHash: string;
  /** Frame of the platform that offers storage (`lti_storage_target`); null if there is none. */
  readonly storageTarget: string | null;
}

/** The purpose of a launch token, which is valid for this purpose only. */
export type LaunchAudience = 'deep-linking' | 'resource-link';

const HOUR_MS = 3_600_000;

export const launchLifetimeMs: Readonly<Record<LaunchAudience, number>> = {
  'deep-linking': 4 * HOUR_MS,
  'resource-link': 12 * HOUR_MS,
};

const LOGIN_MS = 10 * 60_000;
const STATE_BYTES = 32;
const MAX_KILOBYTES = 64;
const ATTEMPTS = { name: 'lti-attempts', points: 3_000, windowSeconds: 60 };

interface LaunchesDeps extends Pick<Store, 'nonces' | 'rateCounters'> {
  readonly keyring: Keyring;
  readonly usage: Pick<Usage, 'count'>;
  readonly clock: Clock;
}

type LaunchesState = LaunchesDeps & { readonly attempt: Spend };

export function createLaunches(deps: LaunchesDeps) {
  const attempt = createBlockSpender(createRateLimiter(deps.rateCounters, deps.clock, ATTEMPTS), deps.clock);
  return {
    ...bindState(
      { ...deps, attempt },
      { countAttempt, beginLogin, keepLaunch, getLaunch, keepDraft, findDraft, answerOnce, getAnsweredLaunch },
    ),
    /** Reads a login without consuming it; null if it has expired or does not exist. */
    findLogin: (state: string) => findStoredValue<PendingLogin>(deps, launchLoginNonce(state)),
    consumeLogin: (state: string) => consumeStoredValue<PendingLogin>(deps, launchLoginNonce(state)),
  };
}

/** Counts an attempt of a stranger to begin a login or a launch; a school may share one address.
 *  Errors: LTI_THROTTLED after 3,000 attempts in a minute from one address. */
async function countAttempt({ attempt }: LaunchesState, address: string): Promise<void> {
  const { isAllowed, endsInMs } = await attempt(findNetworkOf(address));
  if (isAllowed) return;
  const message = 'Too many launches were begun from one address within a minute. Open the activity again in a minute.';
  throw new AppError('LTI_THROTTLED', message, { retryAfterSeconds: Math.max(1, Math.ceil(endsInMs / 1_000)) });
}

/** Stores the login for 10 minutes. @returns `state` */
async function beginLogin(deps: LaunchesDeps, login: PendingLogin): Promise<string> {
  const state = randomBytes(STATE_BYTES).toString('base64url');
  await addStoredValue(deps, launchLoginNonce(state), login, LOGIN_MS);
  return state;
}

/** Stores a launch until `expiresAt`, at most for the lifetime of its audience, and counts it.
 *  @returns its token, which reveals nothing and may be part of an address
 *  Errors: PARAMETERS_INVALID for more than 64 kB; LAUNCH_INVALID when it is stored already. */
async function keepLaunch({ nonces, keyring, usage, clock }: LaunchesDeps, launch: Launch): Promise<string> {
  const audience = launch.deepLinking === null ? 'resource-link' : 'deep-linking';
  const latestMs = clock.now().getTime() + launchLifetimeMs[audience];
  const expiresAt = new Date(Math.min(launch.expiresAt.getTime(), latestMs));
  const json = JSON.stringify({ ...launch, expiresAt });
  if (Buffer.byteLength(json) > MAX_KILOBYTES * 1_024)
    throw new AppError(
      'PARAMETERS_INVALID',
      `The platform sent more than the ${MAX_KILOBYTES} kB that are taken. Ask its administrator what it sends along.`,
    );
  if (!(await nonces.addNonce(launchNonce(launch.id), json, expiresAt))) throw createInvalidLaunchError();
  usage.count(launch.tenantId, 'launches');
  return keyring.seal(launch.id, launchContextOf(audience));
}

/** Errors: LAUNCH_INVALID for another text or audience, or if the launch is over. */
async function getLaunch(deps: LaunchesDeps, token: string, audience: LaunchAudience): Promise<Launch> {
  return getLaunchById(deps, readLaunchToken(deps, token, audience));
}

const DRAFT = 'lti draft';
const DRAFT_MS = 2 * launchLifetimeMs['deep-linking'];
const MAX_DRAFT_LENGTH = 1_000_000;

/** Seals and stores the selection that a person is making in a course for eight hours, longer than
 *  the launch; null erases it. Errors: PARAMETERS_INVALID for more than a million characters. */
async function keepDraft(deps: LaunchesDeps, launch: Launch, text: string | null): Promise<void> {
  const { nonces, keyring, clock } = deps;
  if (text !== null && text.length > MAX_DRAFT_LENGTH)
    throw new AppError('PARAMETERS_INVALID', 'The selection is too long to be stored here. Add it in parts.');
  const name = launchDraftNonce(launch);
  await nonces.consumeNonce(name, clock.now());
  const until = new Date(clock.now().getTime() + DRAFT_MS);
  if (text !== null) await nonces.addNonce(name, keyring.seal(text, DRAFT), until);
}

async function findDraft({ nonces, keyring, clock }: LaunchesDeps, launch: Launch): Promise<string | null> {
  const sealed = await nonces.findNonce(launchDraftNonce(launch), clock.now());
  return sealed === null ? null : keyring.open(sealed, DRAFT);
}

type StoredAnswer = { readonly launch: Launch; readonly text: string };

/** How long platforms accept the answer. */
const ANSWER_MS = 5 * 60_000;
/** Longer than making an answer takes; for hosts that stop in the middle of it. */
const MARK_MS = 30_000;
const POLL_MS = 100;
const MAX_POLLS = 100;

/** Answers a deep-linking request with the result of `makeAnswer`, and ends its launch. Calls
 *  within five minutes return the same answer. Where `makeAnswer` fails, nothing has changed:
 *  1. The first call sets the mark and makes the answer. If it fails, it removes the mark.
 *  2. The answer is stored, and the launch ends.
 *  3. All other calls wait for the stored answer.
 *  Errors: LAUNCH_INVALID, also if another call makes the answer and does not finish. */
async function answerOnce(deps: LaunchesDeps, token: string, makeAnswer: () => Promise<string>) {
  const id = readLaunchToken(deps, token, 'deep-linking');
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const text = (await findLaunchAnswer(deps, id))?.text ?? (await tryAnswer(deps, id, makeAnswer));
    if (text !== null) return text;
    await sleep(POLL_MS);
  }
  throw createInvalidLaunchError();
}

/** Returns a launch that was answered in the last five minutes. Errors: LAUNCH_INVALID. */
async function getAnsweredLaunch(deps: LaunchesDeps, token: string): Promise<Launch> {
  return toStoredLaunch((await findLaunchAnswer(deps, readLaunchToken(deps, token, 'deep-linking')))?.launch ?? null);
}

const findLaunchAnswer = (deps: LaunchesDeps, id: string): Promise<StoredAnswer | null> =>
  findStoredValue(deps, launchAnswerNonce(id));

/** Makes and stores the answer; returns null if another call has the mark. */
async function tryAnswer(deps: LaunchesDeps, id: string, makeAnswer: () => Promise<string>): Promise<string | null> {
  if (!(await addStoredValue(deps, launchMarkNonce(id), null, MARK_MS))) return null;
  try {
    // Another call may have finished just before the mark became free.
    const before = await findLaunchAnswer(deps, id);
    if (before !== null) return before.text;
    const answer: StoredAnswer = { launch: await getLaunchById(deps, id), text: await makeAnswer() };
    await addStoredValue(deps, launchAnswerNonce(id), answer, ANSWER_MS);
    await deps.nonces.consumeNonce(launchNonce(id), deps.clock.now());
    return answer.text;
  } finally {
    await deps.nonces.consumeNonce(launchMarkNonce(id), deps.clock.now());
  }
}

async function getLaunchById(deps: LaunchesDeps, id: string): Promise<Launch> {
  return toStoredLaunch(await findStoredValue<Launch>(deps, launchNonce(id)));
}

function readLaunchToken({ keyring }: LaunchesDeps, token: string, audience: LaunchAudience): string {
  try {
    return keyring.open(token, launchContextOf(audience));
  } catch (error) {
    throw hasErrorCode(error, 'SECRET_UNREADABLE') ? createInvalidLaunchError() : error;
  }
}

const launchLoginNonce = (state: string): string => `lti-login ${state}`;
const launchNonce = (id: string): string => `lti-launch ${id}`;
const launchAnswerNonce = (id: string): string => `lti-answer ${id}`;
const launchMarkNonce = (id: string): string => `lti-answering ${id}`;
const launchDraftNonce = ({ id, tenantId, registrationId, context, user }: Launch): string =>
  `lti-draft ${toRecordKey([tenantId, registrationId, context?.id ?? id, user.id])}`;

const launchContextOf = (audience: LaunchAudience): string => `lti launch for ${audience}`;

/** Restores the dates, which the store has as texts. Errors: LAUNCH_INVALID for null. */
function toStoredLaunch(stored: Launch | null): Launch {
  if (stored === null) throw createInvalidLaunchError();
  return { ...stored, launchedAt: new Date(stored.launchedAt), expiresAt: new Date(stored.expiresAt) };
}

function createInvalidLaunchError(): AppError {
  const message = 'This page was opened too long ago, or is finished already. Open it again from the course.';
  return new AppError('LAUNCH_INVALID', message);
}
