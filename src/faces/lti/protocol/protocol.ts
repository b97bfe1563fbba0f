import type { LtiFaceDeps } from '../deps.ts';
import { type LtiRoute, makePage } from '../route.ts';
import { createSignedVerification } from './id-token.ts';
import { createLaunch } from './launch.ts';
import { createLogin, createLoginCookieCheck } from './login.ts';
import { createNotices } from './notices.ts';

const KEYS_SECONDS = 60;

/** The routes that platforms and browsers call before there is a launch. */
export function createProtocolRoutes(deps: LtiFaceDeps): LtiRoute[] {
  const login = createLogin(deps);
  const verify = createSignedVerification(deps);
  return [
    { method: 'get', path: '/login', access: 'platform', handle: login },
    { method: 'post', path: '/login', access: 'platform', handle: login },
    { method: 'get', path: '/login/check', access: 'platform', handle: createLoginCookieCheck(deps) },
    { method: 'post', path: '/launch', access: 'platform', handle: createLaunch(deps, verify) },
    {
      method: 'post',
      path: '/notices',
      access: 'platform',
      takes: 'application/json',
      handle: createNotices(deps, verify),
    },
    // Platforms look at the addresses of the items they keep, and people try them.
    { method: 'get', path: '/launch', access: 'platform', handle: () => makePage('item', {}) },
    {
      method: 'get',
      path: '/keys',
      access: 'platform',
      handle: async () => ({
        kind: 'json',
        body: { keys: await deps.registrations.listPublicKeys() },
        maxAgeSeconds: KEYS_SECONDS,
      }),
    },
  ];
}
