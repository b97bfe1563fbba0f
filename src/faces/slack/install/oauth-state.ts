import { createHash, randomBytes } from 'node:crypto';
import type { InstallURLOptions, StateStore } from '@slack/bolt';
import type { Request } from 'express';
import { createKeyring } from '#services/host/keyring';
import type { SlackFaceDeps } from '../deps.ts';
import { createInstallError } from './install-failures.ts';

export const STATE_COOKIE = 'slack-app-oauth-state';
export const STATE_SECONDS = 600;
const STATE_BYTES = 32;

type StateDeps = Pick<SlackFaceDeps, 'nonces' | 'clock'>;

/** Installations that were begun: each can be finished once, within ten minutes, on any host of the store. The store knows neither
 *  the state nor the link that it was begun with: it has a hash of the one, and the other sealed under it. */
export function createOauthState(deps: StateDeps): StateStore {
  const { nonces, clock } = deps;
  return {
    async generateStateParam(options) {
      const state = randomBytes(STATE_BYTES).toString('base64url');
      const expiresAt = new Date(clock.now().getTime() + STATE_SECONDS * 1_000);
      const name = nameOf(state);
      await nonces.addNonce(name, createKeyring([state]).seal(JSON.stringify(options), name), expiresAt);
      return state;
    },
    async verifyStateParam(_now, state) {
      const options = await takeOauthState(deps, state);
      if (options === null) throw createInstallError('state');
      return options;
    },
  };
}

/** What was begun under this state; null if it is over or was taken before. */
export async function takeOauthState(
  { nonces, clock }: StateDeps,
  state: string | null,
): Promise<InstallURLOptions | null> {
  if (state === null) return null;
  const name = nameOf(state);
  const sealed = await nonces.consumeNonce(name, clock.now());
  return sealed === null
    ? null
    : (JSON.parse(createKeyring([state]).open(sealed, name)) as InstallURLOptions);
}

/** The state that Slack sends somebody back with; null if it was not begun in this browser. */
export function findOauthState({ originalUrl, headers }: Request): string | null {
  const state = new URLSearchParams(originalUrl.split('?')[1] ?? '').get('state');
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return state !== null && cookies.includes(`${STATE_COOKIE}=${state}`) ? state : null;
}

const nameOf = (state: string): string =>
  `slack-install ${createHash('sha256').update(state).digest('base64url')}`;
