import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { slackScopes } from '#domain/slack';
import { AppError } from '#errors';
import { createRateLimiter } from '#services/host/rate-limits';
import { rememberByConnection } from '../connection.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { createSlackOffError } from '../slack-api/slack-failures.ts';
import { explainInstallFailure } from './install-failures.ts';
import type { InstallPages } from './install-pages.ts';
import { createInstaller, type Installer } from './installer.ts';
import { findOauthState, STATE_COOKIE, STATE_SECONDS, takeOauthState } from './oauth-state.ts';

export const REDIRECT_PATH = '/oauth_redirect';
/** Each is kept for a while: a host must not be filled with installations that were only begun. */
const BEGUN = { name: 'slack-install', points: 60, windowSeconds: 60 };

export interface InstallRoutes {
  readonly begin: RequestHandler;
  readonly finish: RequestHandler;
}

/** Installing by OAuth v2: to Slack's page and back. Source: Slack, “Installing with OAuth”. */
export function createInstallRoutes(deps: SlackFaceDeps, pages: InstallPages): InstallRoutes {
  const installers = rememberByConnection((connection) => createInstaller(deps, connection));
  const limiter = createRateLimiter(deps.rateCounters, deps.clock, BEGUN);

  async function getInstaller(): Promise<Installer> {
    const connection = await deps.findConnection();
    if (connection === null) throw createSlackOffError();
    return installers(connection);
  }

  return {
    async begin(request, response) {
      const { installer, stateStore } = await getInstaller();
      const token = readInstallQuery(request).get('token');
      // A link that is over is refused before anybody is sent to Slack in vain.
      if (token !== null) await deps.installLinks.getLink(token);
      await countBegun(limiter, token === null ? (request.ip ?? '') : linkKey(token));
      const options = {
        scopes: [...slackScopes],
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
          // Bolt takes the cookie away whatever came; it is that of another installation, which can still be finished.
          if (state === null) response.removeHeader('Set-Cookie');
          const token = metadata ?? (await takeOauthState(deps, state))?.metadata ?? null;
          pages.sendFailed(explainInstallFailure(thrown), { request, response, token });
        },
      });
    },
  };
}

export const readInstallQuery = (request: Request): URLSearchParams =>
  new URLSearchParams(request.originalUrl.split('?')[1] ?? '');

/** Many people may share one address, as behind a proxy; they must not keep out somebody who has a link. */
const linkKey = (token: string): string => `link ${createHash('sha256').update(token).digest('base64url')}`;

async function countBegun(limiter: ReturnType<typeof createRateLimiter>, key: string): Promise<void> {
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
