import { randomBytes } from 'node:crypto';
import type { Clock } from '#ports/clock';
import { createExpiring } from '../platform/expiring.ts';
import { refuseCall } from './refusal.ts';
import type { ConnectedApp, Organisation, SlackWorld, Team } from './world.ts';

/** The app in a workspace, or in a whole organisation. */
export interface Grant {
  readonly token: string;
  readonly appId: string;
  readonly botId: string;
  readonly botUserId: string;
  readonly scopes: readonly string[];
  /** Null where the whole organisation has it. */
  readonly team: Team | null;
  readonly enterprise: Organisation | null;
  readonly isEnterpriseInstall: boolean;
  /** Who installed it last. */
  readonly userId: string;
}

export interface GrantRequest {
  readonly app: ConnectedApp;
  /** Of a workspace, or of an organisation. */
  readonly placeId: string;
  readonly scopes: readonly string[];
  readonly userId: string;
}

export interface Grants {
  /** A second time for the same place gives the same token, as in Slack. */
  install(request: GrantRequest): Grant;
  find(token: string): Grant | null;
  /** Whether it was that of an app that was removed. */
  isRevoked(token: string): boolean;
  /** Of exactly this workspace or organisation. */
  findAt(placeId: string): Grant | null;
  /** Of the workspace, else of its organisation. */
  findFor(teamId: string): Grant | null;
  /** Whether it is good in this workspace. */
  covers(grant: Grant, teamId: string): boolean;
  revoke(grant: Grant): void;
  /** A code that somebody brings back from Slack's page; works once. */
  createCode(request: GrantRequest, redirectUri: string): string;
  redeem(code: string, app: ConnectedApp, redirectUri: string | undefined): Grant;
}

const CODE_SECONDS = 600;
const MAX_CODES = 1000;

export function createGrants(world: SlackWorld, clock: Clock): Grants {
  const grants = new Map<string, Grant>();
  const revoked = new Set<string>();
  const codes = createExpiring<{ request: GrantRequest; redirectUri: string }>({
    clock,
    ttlSeconds: CODE_SECONDS,
    max: MAX_CODES,
  });
  const used = createExpiring<true>({ clock, ttlSeconds: CODE_SECONDS, max: MAX_CODES });
  const findAt = (placeId: string) => [...grants.values()].find((grant) => placeOf(grant) === placeId) ?? null;

  function install({ app, placeId, scopes, userId }: GrantRequest): Grant {
    const team = world.teams.find(({ id }) => id === placeId) ?? null;
    const enterprise = world.organisations.find(({ id }) => id === (team?.enterpriseId ?? placeId)) ?? null;
    if (team === null && enterprise === null) refuseCall('team_not_found');
    const before = findAt(placeId);
    const suffix = placeId.slice(1);
    const grant = {
      token: before?.token ?? `xoxb-${placeId}-${randomBytes(12).toString('hex')}`,
      appId: app.appId,
      botId: `B${suffix}`,
      botUserId: `UBOT${suffix}`,
      scopes: [...new Set([...(before?.scopes ?? []), ...scopes])],
      team,
      enterprise,
      isEnterpriseInstall: team === null,
      userId,
    };
    grants.set(grant.token, grant);
    return grant;
  }

  return {
    install,
    find: (token) => grants.get(token) ?? null,
    isRevoked: (token) => revoked.has(token),
    findAt,
    findFor(teamId) {
      const enterpriseId = world.teams.find(({ id }) => id === teamId)?.enterpriseId;
      return findAt(teamId) ?? (enterpriseId ? findAt(enterpriseId) : null);
    },
    covers: ({ team, enterprise }, teamId) =>
      team !== null
        ? team.id === teamId
        : world.teams.some(({ id, enterpriseId }) => id === teamId && enterpriseId === enterprise?.id),
    revoke({ token }) {
      if (grants.delete(token)) revoked.add(token);
    },
    createCode(request, redirectUri) {
      const code = randomBytes(16).toString('hex');
      codes.put(code, { request, redirectUri });
      return code;
    },
    redeem(code, app, redirectUri) {
      if (used.find(code)) refuseCall('code_already_used');
      const found = codes.take(code) ?? refuseCall('invalid_code');
      used.put(code, true);
      if (found.request.app.clientId !== app.clientId) refuseCall('invalid_code');
      if (found.redirectUri !== redirectUri) refuseCall('bad_redirect_uri');
      return install(found.request);
    },
  };
}

const placeOf = ({ team, enterprise }: Grant): string | undefined => team?.id ?? enterprise?.id;
