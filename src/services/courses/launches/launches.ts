import { randomBytes } from 'node:crypto';
import { findNetworkOf } from '#domain/address-kinds';
import type { Launch } from '#domain/lti/launch';
import { toRecordKey } from '#domain/record-key';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store/store';
import type { Keyring } from '#services/host/keyring';
import { createBlockSpender, createRateLimiter } from '#services/host/rate-limits';
import type { Usage } from '#services/host/usage';
import { createLaunchAnswers } from './launch-answers.ts';

/** A login that waits for its launch. */
export interface PendingLogin {
  readonly nonce: string;
  readonly registrationId: string;
  /** Hexadecimal SHA-256 of the secret that only the browser of the login has. */
  readonly bindingHash: string;
  /** Frame of the platform that offers storage (`lti_storage_target`); null where there is none. */
  readonly storageTarget: string | null;
}

/** The purpose of a launch token, which is valid for this purpose only. */
export type LaunchAudience = 'deep-linking' | 'resource-link';

const HOUR_MS = 3_600_000;

/** In milliseconds. */
export const launchLifetimeMs: Readonly<Record<LaunchAudience, number>> = {
  'deep-linking': 4 * HOUR_MS,
  'resource-link': 12 * HOUR_MS,
};

/** Stores what is needed between a login and the end of a launch. */
export type Launches = ReturnType<typeof createLaunches>;

const LOGIN_MS = 10 * 60_000;
const STATE_BYTES = 32;
const MAX_KILOBYTES = 64;
const ATTEMPTS = { name: 'lti-attempts', points: 3_000, windowSeconds: 60 };

export function createLaunches(
  deps: Pick<Store, 'nonces' | 'rateCounters'> & {
    readonly keyring: Keyring;
    readonly usage: Pick<Usage, 'count'>;
    readonly clock: Clock;
  },
) {
  const { nonces, keyring, usage, clock } = deps;
  const attempt = createBlockSpender(createRateLimiter(deps.rateCounters, clock, ATTEMPTS), clock);
  const after = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);

  const answers = createLaunchAnswers(nonces, clock);
  const getLaunch = async (id: string) => toLaunch(await nonces.findNonce(launchNonce(id), clock.now()));

  /** Returns the ID of the launch. Errors: LAUNCH_INVALID. */
  function readToken(token: string, audience: LaunchAudience): string {
    try {
      return keyring.open(token, contextOf(audience));
    } catch (error) {
      throw error instanceof AppError && error.code === 'SECRET_UNREADABLE' ? createInvalidError() : error;
    }
  }

  return {
    /** Limits what strangers may do: begin a login, or fail with a launch. One address may stand
     *  for a whole school. Errors: LTI_THROTTLED after 3,000 attempts in a minute from one
     *  address. */
    async countAttempt(address: string): Promise<void> {
      const { isAllowed, endsInMs } = await attempt(findNetworkOf(address));
      if (!isAllowed)
        throw new AppError(
          'LTI_THROTTLED',
          'Too many launches were begun from one address within a minute. Open the activity again in a minute.',
          { retryAfterSeconds: Math.max(1, Math.ceil(endsInMs / 1_000)) },
        );
    },
    /** Stores the login for 10 minutes. @returns `state` */
    async beginLogin(login: PendingLogin): Promise<string> {
      const state = randomBytes(STATE_BYTES).toString('base64url');
      await nonces.addNonce(loginNonce(state), JSON.stringify(login), after(LOGIN_MS));
      return state;
    },
    /** Reads the login without consuming it, for a page that has to find the binding first. Null
     *  where there is none, or it has expired. */
    findLogin: async (state: string) => toLogin(await nonces.findNonce(loginNonce(state), clock.now())),
    /** Returns the login to one call only. */
    consumeLogin: async (state: string) => toLogin(await nonces.consumeNonce(loginNonce(state), clock.now())),
    /** Stores a launch until `expiresAt`, at most for the lifetime of its audience, and counts it.
     *  @returns its token, which reveals nothing and may be part of an address
     *  Errors: PARAMETERS_INVALID for more than 64 kB; LAUNCH_INVALID when it is stored already. */
    async keepLaunch(launch: Launch): Promise<string> {
      const audience = findLaunchAudience(launch);
      const latestMs = after(launchLifetimeMs[audience]).getTime();
      const expiresAt = new Date(Math.min(launch.expiresAt.getTime(), latestMs));
      const json = toJson({ ...launch, expiresAt });
      const isNew = await nonces.addNonce(launchNonce(launch.id), json, expiresAt);
      if (!isNew) throw createInvalidError();
      usage.count(launch.tenantId, 'launches');
      return keyring.seal(launch.id, contextOf(audience));
    },
    /** Errors: LAUNCH_INVALID when it is not a token, has another audience, or its launch is
     *  over. */
    getLaunch: async (token: string, audience: LaunchAudience) => getLaunch(readToken(token, audience)),
    /** Stores what a person is choosing in a course, sealed, for eight hours, as it outlives the
     *  launch; null erases it. Errors: PARAMETERS_INVALID for more than a million characters. */
    async keepDraft(launch: Launch, text: string | null): Promise<void> {
      if (text !== null && text.length > MAX_DRAFT_LENGTH)
        throw new AppError('PARAMETERS_INVALID', 'The selection is too long to be stored here. Add it in parts.');
      const name = draftNonce(launch);
      await nonces.consumeNonce(name, clock.now());
      if (text === null) return;
      const until = after(DRAFT_MS);
      await nonces.addNonce(name, keyring.seal(text, DRAFT), until);
    },
    async findDraft(launch: Launch): Promise<string | null> {
      const sealed = await nonces.findNonce(draftNonce(launch), clock.now());
      return sealed === null ? null : keyring.open(sealed, DRAFT);
    },
    /** Answers a deep-linking request with the result of `makeAnswer`, and ends its launch. Calls
     *  at the same time or within five minutes return the same answer. Where `makeAnswer` fails,
     *  nothing has changed. Errors: LAUNCH_INVALID. */
    async answerOnce(token: string, makeAnswer: () => Promise<string>): Promise<string> {
      const id = readToken(token, 'deep-linking');
      const endLaunch = () => nonces.consumeNonce(launchNonce(id), clock.now());
      const answer = await answers.answer(id, { getLaunch: () => getLaunch(id), makeAnswer, endLaunch });
      if (answer === null) throw createInvalidError();
      return answer;
    },
    /** The launch of a request that was answered in the last five minutes. Errors:
     *  LAUNCH_INVALID. */
    getAnsweredLaunch: async (token: string) =>
      toLaunch(await answers.findAnsweredLaunch(readToken(token, 'deep-linking'))),
  };
}

const loginNonce = (state: string): string => `lti-login ${state}`;
const launchNonce = (id: string): string => `lti-launch ${id}`;
const DRAFT = 'lti draft';
const DRAFT_MS = 2 * launchLifetimeMs['deep-linking'];
const MAX_DRAFT_LENGTH = 1_000_000;
const draftNonce = ({ id, tenantId, registrationId, context, user }: Launch): string =>
  `lti-draft ${toRecordKey([tenantId, registrationId, context?.id ?? id, user.id])}`;

const contextOf = (audience: LaunchAudience): string => `lti launch for ${audience}`;

function findLaunchAudience({ deepLinking }: Pick<Launch, 'deepLinking'>): LaunchAudience {
  return deepLinking === null ? 'resource-link' : 'deep-linking';
}

/** Errors: PARAMETERS_INVALID where the platform sent too much. */
function toJson(launch: Launch): string {
  const json = JSON.stringify(launch);
  if (Buffer.byteLength(json) <= MAX_KILOBYTES * 1_024) return json;
  throw new AppError(
    'PARAMETERS_INVALID',
    `The platform sent more than the ${MAX_KILOBYTES} kB that are taken. Ask its administrator what it sends along.`,
  );
}

const toLogin = (json: string | null): PendingLogin | null => (json === null ? null : JSON.parse(json));

/** Errors: LAUNCH_INVALID for null. */
function toLaunch(json: string | null): Launch {
  if (json === null) throw createInvalidError();
  const { launchedAt, expiresAt, ...launch } = JSON.parse(json);
  return { ...launch, launchedAt: new Date(launchedAt), expiresAt: new Date(expiresAt) };
}

function createInvalidError(): AppError {
  return new AppError(
    'LAUNCH_INVALID',
    'This page was opened too long ago, or is finished already. Open it again from the course.',
  );
}
