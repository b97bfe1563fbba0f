import type { SlackParts } from './parts.ts';
import { refuseAct } from './refusal.ts';

/** What the link to Slack's page asks for. */
export interface PermissionRequest {
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly state: string;
}

/** Reads the link as Slack's page does, and refuses what it refuses.
 *  Source: https://docs.slack.dev/authentication/installing-with-oauth. */
export function readPermissionRequest({ app }: SlackParts, query: URLSearchParams): PermissionRequest {
  const field = (name: string) => query.get(name) || refuseAct(`${name} is missing in the link to Slack's page`);
  const redirectUri = field('redirect_uri');
  if (field('client_id') !== app().clientId) refuseAct('client_id is that of no app');
  if (redirectUri !== app().redirectUrl) refuseAct(`redirect_uri ${redirectUri} is not among those of the app`);
  return { scopes: field('scope').split(','), redirectUri, state: field('state') };
}

/** Where the browser goes once somebody allowed it, for a workspace or an organisation. */
export function approve(
  { grants, app }: SlackParts,
  { scopes, redirectUri, state }: PermissionRequest,
  { placeId, userId }: { readonly placeId: string; readonly userId: string },
): string {
  const code = grants.createCode({ app: app(), placeId, scopes, userId }, redirectUri);
  return withParameters(redirectUri, { code, state });
}

export const cancel = ({ redirectUri, state }: PermissionRequest): string =>
  withParameters(redirectUri, { error: 'access_denied', state });

function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
