import { getPresent } from '../get-present.ts';
import type { StoredMessage } from './conversations.ts';
import type { Grant, Grants } from './grants.ts';
import { readState } from './state-values.ts';
import type { StoredView } from './views.ts';
import type { Actor, Channel, ConnectedApp, Member, SlackWorld, Team } from './world.ts';

interface PayloadDeps {
  readonly world: SlackWorld;
  readonly grants: Grants;
}

/** What is left of it where the app was removed. */
type EventGrant = Pick<Grant, 'enterprise' | 'isEnterpriseInstall' | 'botUserId'>;

interface EventOptions {
  /** Null where it happened in a whole organisation. */
  readonly teamId: string | null;
  readonly happened: object;
  readonly eventId: string;
  /** In seconds. */
  readonly time: number;
}

/** Slack's way to write down who, where and what. */
export function createPayloads({ world, grants }: PayloadDeps) {
  const teamOf = (id: string): Team =>
    getPresent(
      world.teams.find((team) => team.id === id),
      id,
    );
  const memberOf = (id: string): Member =>
    getPresent(
      world.members.find((member) => member.id === id),
      id,
    );
  const channelOf = (id: string): Channel =>
    getPresent(
      world.channels.find((channel) => channel.id === id),
      id,
    );
  const enterpriseOf = (teamId: string) =>
    world.organisations.find(({ id }) => id === teamOf(teamId).enterpriseId) ?? null;
  const isEnterpriseInstall = (teamId: string) => grants.findFor(teamId)?.isEnterpriseInstall ?? false;
  const namesOf = (teamId: string) => {
    const enterprise = enterpriseOf(teamId);
    return enterprise === null ? {} : { enterprise_id: enterprise.id, enterprise_name: enterprise.name };
  };

  return {
    command: (app: ConnectedApp, actor: Actor, typed: { readonly command: string; readonly text: string }) => ({
      token: 'legacy',
      team_id: actor.teamId,
      team_domain: teamOf(actor.teamId).domain,
      ...namesOf(actor.teamId),
      channel_id: actor.channelId,
      channel_name: channelName(channelOf(actor.channelId)),
      user_id: actor.userId,
      user_name: memberOf(actor.userId).name,
      ...typed,
      api_app_id: app.appId,
      is_enterprise_install: String(isEnterpriseInstall(actor.teamId)),
    }),

    /** What every interaction begins with. */
    interaction: (app: ConnectedApp, actor: Actor, type: string) => ({
      type,
      token: 'legacy',
      api_app_id: app.appId,
      team: { id: actor.teamId, domain: teamOf(actor.teamId).domain, ...namesOf(actor.teamId) },
      enterprise: enterpriseOf(actor.teamId),
      is_enterprise_install: isEnterpriseInstall(actor.teamId),
      user: {
        id: actor.userId,
        username: memberOf(actor.userId).name,
        name: memberOf(actor.userId).name,
        team_id: actor.teamId,
      },
    }),

    channel: (channelId: string) => ({ id: channelId, name: channelName(channelOf(channelId)) }),

    /** As what happened in a workspace, or in an organisation where it has no team. */
    event: (app: ConnectedApp, grant: EventGrant, { teamId, happened, eventId, time }: EventOptions) => {
      const enterpriseId = (teamId === null ? grant.enterprise : enterpriseOf(teamId))?.id ?? null;
      const placeId = teamId ?? enterpriseId;
      return {
        token: 'legacy',
        team_id: placeId,
        ...(enterpriseId === null ? {} : { enterprise_id: enterpriseId }),
        context_team_id: placeId,
        context_enterprise_id: enterpriseId,
        api_app_id: app.appId,
        event: happened,
        type: 'event_callback',
        event_id: eventId,
        event_time: time,
        authorizations: [
          {
            enterprise_id: enterpriseId,
            team_id: grant.isEnterpriseInstall ? null : teamId,
            user_id: grant.botUserId,
            is_bot: true,
            is_enterprise_install: grant.isEnterpriseInstall,
          },
        ],
        is_ext_shared_channel: false,
      };
    },

    view: (view: StoredView, app: ConnectedApp) => {
      const grant = grants.findFor(view.actor.teamId);
      return {
        private_metadata: '',
        callback_id: '',
        external_id: '',
        close: null,
        submit: null,
        clear_on_close: false,
        notify_on_close: false,
        ...view.payload,
        id: view.id,
        team_id: view.actor.teamId,
        blocks: view.blocks,
        state: { values: readState(view, view.actor.userId) },
        hash: view.hash,
        root_view_id: view.rootId,
        previous_view_id: view.previousId,
        app_id: app.appId,
        app_installed_team_id: view.actor.teamId,
        bot_id: grant?.botId ?? '',
      };
    },
  };
}

export type Payloads = ReturnType<typeof createPayloads>;

/** As a message is sent along with what was done to it. */
export const messagePayload = ({ ts, threadTs, from, userId, text, blocks }: StoredMessage) => ({
  type: 'message',
  ...(from === 'person' ? { user: userId } : { subtype: 'bot_message' }),
  ts,
  ...(threadTs === null ? {} : { thread_ts: threadTs }),
  text,
  ...(blocks.length === 0 ? {} : { blocks }),
});

const channelName = ({ kind, name }: Channel): string =>
  kind === 'direct' ? 'directmessage' : kind === 'private' ? 'privategroup' : name;
