import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { findNetworkOf } from '#domain/address-kinds';
import { listSlackScopes } from '#domain/slack';
import { AppError } from '#errors';
import { createRateLimiter, type RateLimiter } from '#services/host/rate-limits';
import type { SlackFaceDeps } from '../deps.ts';
import { rememberByConnection } from '../slack-api/bolt.ts';
import { createSlackError } from '../slack-api/slack-failures.ts';
import type { InstallPages } from './install-pages.ts';
import {
  createInstaller,
  explainInstallFailure,
  findOauthState,
  type Installer,
  STATE_COOKIE,
  STATE_SECONDS,
  takeOauthState,
} from './installer.ts';

export const REDIRECT_PATH = '/oauth_redirect';
/** States are stored: installations that were only begun must not fill a host. */
const BEGIN_LIMIT = { name: 'slack-install', points: 60, windowSeconds: 60 };

/** Installing by OAuth v2: to Slack's page and back. Source: Slack, “Installing with OAuth”. */
export function createInstallRoutes(
  deps: SlackFaceDeps,
  pages: InstallPages,
): Record<'begin' | 'finish', RequestHandler> {
  const installers = rememberByConnection((connection) => createInstaller(deps, connection));
  const limiter = createRateLimiter(deps.rateCounters, deps.clock, BEGIN_LIMIT);

  async function getInstaller(): Promise<Installer> {
    const connection = await deps.findConnection();
    if (connection === null) throw createSlackError('SLACK_OFF');
    return installers(connection);
  }

  return {
    async begin(request, response) {
      const { installer, stateStore } = await getInstaller();
      const token = readInstallQuery(request).get('token');
      // An expired link is refused before anybody is sent to Slack in vain.
      if (token !== null) await deps.installLinks.getLink(token);
      await limitBeginning(limiter, token === null ? findNetworkOf(request.ip ?? '') : linkKey(token));
      const options = {
        scopes: listSlackScopes(deps.unfurlsLinks),
        redirectUri: `${deps.publicUrl}/slack${REDIRECT_PATH}`,
        ...(token !== null && { metadata: token }),
      };
      const state = await stateStore.generateStateParam(options, deps.clock.now());
      const to = await installer.generateInstallUrl(options, true, state);
      response
        .append('Set-Cookie', stateCookie(state, deps.publicUrl))
        .set('Cache-Control', 'no-store')
        .redirect(303, to);
    },
    async finish(request, response) {
      const { installer } = await getInstaller();
      await installer.handleCallback(request, response, {
        successAsync: async (installation) => pages.sendInstalled(installation, request, response),
        failureAsync: async (thrown, { metadata }) => {
          const state = findOauthState(request);
          // Bolt removes the cookie always; that of another installation must stay.
          if (state === null) response.removeHeader('Set-Cookie');
          const token = metadata ?? (await takeOauthState(deps, state))?.metadata ?? null;
          pages.sendFailed(explainInstallFailure(thrown), { request, response, token });
        },
      });
    },
  };
}

const readInstallQuery = (request: Request): URLSearchParams =>
  new URLSearchParams(request.originalUrl.split('?')[1] ?? '');

/** People behind one proxy share an address; they must not lock out somebody with a link. */
const linkKey = (token: string): string => `link ${createHash('sha256').update(token).digest('base64url')}`;

async function limitBeginning(limiter: RateLimiter, key: string): Promise<void> {
  const { isAllowed, endsInMs } = await limiter.consume(key);
  if (isAllowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(endsInMs / 1_000));
  throw new AppError('RATE_LIMITED', `Too many installations are begun. Wait ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}

/** Binds the state to the browser: only the person who began it can finish it. */
function stateCookie(state: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${STATE_COOKIE}=${state}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${STATE_SECONDS}${secure}`;
}
