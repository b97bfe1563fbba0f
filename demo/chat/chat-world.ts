import { createHash } from 'node:crypto';
import type { Translate } from '#faces/words/i18n';
import type { NewMessage } from '../slack/conversations.ts';
import type { Channel, Member, SlackWorld } from '../slack/world.ts';

/** The workspace of one visitor: two people, three conversations, one organisation's worth of
 *  nothing else. */
export interface ChatWorld extends SlackWorld {
  readonly teamId: string;
  readonly members: readonly [Member, Member];
}

/** Of the ids of all workspaces here, and of none in Slack, whose ids are shorter. */
export const TEAM_PREFIX = 'TDEMO';
const SUFFIX_LENGTH = 16;

/** The same for the same browser, and unique: what the app keeps of a person is kept under these
 *  ids. */
export function createChatWorld(session: string): ChatWorld {
  const hash = createHash('sha256').update(session).digest('hex').toUpperCase();
  const teamId = TEAM_PREFIX + hash.slice(0, SUFFIX_LENGTH);
  const suffix = teamId.slice(1);
  const member = (name: string, realName: string, locale: string): Member => ({
    id: `U${suffix}${name.toUpperCase()}`,
    teamIds: [teamId],
    name,
    realName,
    locale,
  });
  const members = [member('ada', 'Ada Okafor', 'en-GB'), member('ben', 'Ben Laurent', 'fr-FR')] as const;
  const memberIds = members.map(({ id }) => id);
  const channel = (id: string, name: string, more: Pick<Channel, 'kind' | 'hasApp'>): Channel => ({
    id: `${id}${suffix}`,
    teamId,
    name,
    memberIds,
    ...more,
  });
  return {
    teamId,
    organisations: [],
    teams: [{ id: teamId, name: 'Demo workspace', domain: `demo-${suffix.toLowerCase()}`, enterpriseId: null }],
    members,
    // The app was invited to the first one only, so that people see what it says elsewhere.
    channels: [
      channel('C1', 'learning', { kind: 'public', hasApp: true }),
      channel('C2', 'general', { kind: 'public', hasApp: false }),
      channel('D1', 'ada-ben', { kind: 'direct', hasApp: false }),
    ],
  };
}

/** What was said before the visitor came. */
export function listSeeds({ members: [ada, ben], channels }: ChatWorld, t: Translate): Seed[] {
  const [learning, general, direct] = channels.map(({ id }) => id) as [string, string, string];
  const said = (channelId: string, userId: string, name: string): Seed => ({
    channelId,
    userId,
    from: 'person',
    text: t(`demoChat.seeds.${name}`),
    isReply: false,
  });
  return [
    said(learning, ben.id, 'survey'),
    { ...said(learning, ada.id, 'surveyReply'), isReply: true },
    said(learning, ada.id, 'docker'),
    said(general, ada.id, 'welcome'),
    said(direct, ben.id, 'direct'),
  ];
}

/** A reply is one to the message before it. */
export type Seed = NewMessage & { readonly isReply: boolean };
