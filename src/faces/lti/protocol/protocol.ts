import type { LtiFaceDeps } from '../deps.ts';
import { type LtiContext, type LtiReply, type LtiRoute, makePage } from '../route.ts';
import { handleLaunch } from './launch.ts';
import { beginLogin, checkLoginCookie } from './login.ts';
import { receiveNotices } from './notices.ts';

const KEYS_SECONDS = 60;

/** The routes that platforms and browsers call before there is a launch. */
export function createProtocolRoutes(deps: LtiFaceDeps): LtiRoute[] {
  const login = (context: LtiContext) => beginLogin(deps, context);
  return [
    { method: 'get', path: '/login', access: 'platform', handle: login },
    { method: 'post', path: '/login', access: 'platform', handle: login },
    {
      method: 'get',
      path: '/login/check',
      access: 'platform',
      handle: (context) => checkLoginCookie(deps, context),
    },
    { method: 'post', path: '/launch', access: 'platform', handle: (context) => handleLaunch(deps, context) },
    {
      method: 'post',
      path: '/notices',
      access: 'platform',
      takes: 'application/json',
      handle: (context) => receiveNotices(deps, context),
    },
    // Platforms check the addresses of their items, and people try them.
    { method: 'get', path: '/launch', access: 'platform', handle: () => makePage('item', {}) },
    { method: 'get', path: '/keys', access: 'platform', handle: () => sendPublicKeys(deps) },
  ];
}

async function sendPublicKeys({ registrations }: LtiFaceDeps): Promise<LtiReply> {
  return {
    kind: 'json',
    body: { keys: await registrations.listPublicKeys() },
    maxAgeSeconds: KEYS_SECONDS,
  };
}
