import type { AdminFaceDeps } from '../deps.ts';
import { type AdminRoute, page } from '../route.ts';

/** Addresses that an LMS will ask for, below the host's own. */
const ltiPaths = {
  register: '/lti/register',
  canvas: '/lti/config/canvas.json',
  login: '/lti/login',
  launch: '/lti/launch',
  keys: '/lti/keys',
} as const;

const slackPaths = {
  install: '/slack/install',
  events: '/slack/events',
  redirect: '/slack/oauth_redirect',
} as const;

/** Where an LMS or Slack will be connected: what is needed for it, and that it is not here yet. */
export function docksRoutes({ publicUrl }: AdminFaceDeps): AdminRoute[] {
  const show = (kind: 'registrations' | 'workspaces', paths: Readonly<Record<string, string>>) => {
    const addresses = Object.entries(paths).map(([name, path]) => ({ name, address: publicUrl + path }));
    return page('docks', { kind, addresses, needsHttps: !publicUrl.startsWith('https:') });
  };
  return [
    {
      method: 'get',
      path: '/registrations',
      access: 'viewer',
      handle: () => show('registrations', ltiPaths),
    },
    { method: 'get', path: '/workspaces', access: 'viewer', handle: () => show('workspaces', slackPaths) },
  ];
}
