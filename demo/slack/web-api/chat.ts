import { z } from 'zod';
import { checkMessage } from '../block-kit/check.ts';
import type { StoredMessage } from '../conversations.ts';
import type { Grant } from '../grants.ts';
import type { SlackParts } from '../parts.ts';
import { messagePayload } from '../payloads.ts';
import { refuseCall } from '../refusal.ts';
import type { Channel } from '../world.ts';
import { type Methods, method } from './method.ts';

/** What it is made of in detail is for the Block Kit checker. */
const message = z.looseObject({
  channel: z.string(),
  user: z.string().optional(),
  text: z.string().optional(),
  blocks: z.array(z.unknown()).optional(),
  thread_ts: z.string().optional(),
});
type Posted = z.infer<typeof message>;

/** Of a message that was sent: this library always names it by the id of the event. */
const unfurled = z.strictObject({
  unfurl_id: z.string(),
  source: z.literal('conversations_history'),
  unfurls: z.record(z.string(), z.strictObject({ blocks: z.array(z.unknown()).min(1) })),
});

/** Source: https://docs.slack.dev/reference/methods/chat.postMessage, chat.postEphemeral,
 *  chat.unfurl. */
export function createChatMethods({ world, conversations, grants }: SlackParts): Methods {
  function findChannel(grant: Grant, id: string): Channel {
    const channel =
      world.channels.find((each) => each.id === id && grants.covers(grant, each.teamId)) ??
      refuseCall('channel_not_found');
    if (channel.hasApp) return channel;
    // What is not public is not even there for who is not in it.
    return refuseCall(channel.kind === 'public' ? 'not_in_channel' : 'channel_not_found');
  }

  function post(grant: Grant, posted: Posted, visibleTo: string | null): StoredMessage {
    const problems = checkMessage(posted, { sent: visibleTo === null });
    if (problems.length > 0) refuseCall('invalid_blocks', problems);
    const { channel: channelId, text = '', blocks = [], thread_ts: threadTs = null } = posted;
    findChannel(grant, channelId);
    if (threadTs !== null && conversations.find(channelId, threadTs) === null) refuseCall('thread_not_found');
    return conversations.add({ channelId, threadTs, from: 'app', visibleTo, text, blocks });
  }

  return {
    'chat.postMessage': method('chat:write', message, (posted, grant) => {
      if (posted.user !== undefined) refuseCall('invalid_arguments', [{ path: 'user', problem: 'is unknown' }]);
      const { ts, channelId, ...sent } = post(grant, posted, null);
      return {
        channel: channelId,
        ts,
        message: { ...messagePayload({ ...sent, ts, channelId }), bot_id: grant.botId },
      };
    }),
    'chat.postEphemeral': method('chat:write', message, (posted, grant) => {
      const { user = refuseCall('no_user') } = posted;
      if (!findChannel(grant, posted.channel).memberIds.includes(user)) refuseCall('user_not_in_channel');
      return { message_ts: post(grant, posted, user).ts };
    }),
    'chat.unfurl': method('links:write', unfurled, ({ unfurl_id: id, unfurls }, grant) => {
      const [channelId = '', ts = ''] = id.split(' ');
      const isCovered = world.channels.some((each) => each.id === channelId && grants.covers(grant, each.teamId));
      const shared = (isCovered && conversations.find(channelId, ts)) || refuseCall('cannot_unfurl_message');
      for (const [url, { blocks }] of Object.entries(unfurls)) {
        if (!shared.text.includes(url))
          refuseCall('cannot_unfurl_url', [{ path: url, problem: 'is not in the message' }]);
        const problems = checkMessage({ text: url, blocks });
        if (problems.length > 0) refuseCall('invalid_blocks', problems);
      }
      conversations.unfurl(shared, unfurls);
      return {};
    }),
  };
}
