import { z } from 'zod';
import type { Grant } from '../grants.ts';
import type { SlackParts } from '../parts.ts';
import { refuseCall } from '../refusal.ts';
import { type Methods, method, openMethod } from './method.ts';

const nothing = z.strictObject({});
const credentials = { client_id: z.string(), client_secret: z.string() };
const redeemed = z.strictObject({ ...credentials, code: z.string(), redirect_uri: z.string().optional() });

/** Source: https://docs.slack.dev/authentication/installing-with-oauth, methods apps.uninstall,
 *  auth.revoke. */
export function createInstallingMethods({ app, grants, onRevoked }: SlackParts): Methods {
  function checkCredentials({ client_id, client_secret }: { client_id: string; client_secret: string }) {
    if (client_id !== app().clientId) refuseCall('invalid_client_id');
    if (client_secret !== app().clientSecret) refuseCall('bad_client_secret');
  }

  return {
    'oauth.v2.access': openMethod(redeemed, ({ code, redirect_uri, ...given }) => {
      checkCredentials(given);
      return describeGrant(grants.redeem(code, app(), redirect_uri));
    }),
    'apps.uninstall': method(null, z.strictObject(credentials), (given, grant) => {
      checkCredentials(given);
      grants.revoke(grant);
      onRevoked(grant, ['app_uninstalled', 'tokens_revoked']);
      return {};
    }),
    'auth.revoke': method(null, nothing, (_args, grant) => {
      grants.revoke(grant);
      onRevoked(grant, ['tokens_revoked']);
      return { revoked: true };
    }),
  };
}

const describeGrant = ({ token, appId, botUserId, scopes, team, enterprise, isEnterpriseInstall, userId }: Grant) => ({
  app_id: appId,
  authed_user: { id: userId },
  scope: scopes.join(','),
  token_type: 'bot',
  access_token: token,
  bot_user_id: botUserId,
  team: team === null ? null : { id: team.id, name: team.name },
  enterprise,
  is_enterprise_install: isEnterpriseInstall,
});
