import type { AdminFaceDeps } from '../deps.ts';
import { type AdminRoute, page } from '../route.ts';

const slackPaths = {
  install: '/slack/install',
  events: '/slack/events',
  redirect: '/slack/oauth_redirect',
} as const;

/** Where Slack will be connected: what is needed for it, and that it is not here yet. */
export function docksRoutes({ publicUrl }: AdminFaceDeps): AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/workspaces',
      access: 'viewer',
      handle() {
        const addresses = Object.entries(slackPaths).map(([name, path]) => ({
          name,
          address: publicUrl + path,
        }));
        return page('docks', { addresses, needsHttps: !publicUrl.startsWith('https:') });
      },
    },
  ];
}
