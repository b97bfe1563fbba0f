import type { StoredMessage } from '../conversations.ts';
import type { Ack } from '../deliveries.ts';
import type { SlackParts } from '../parts.ts';
import { messagePayload } from '../payloads.ts';
import { refuseAct } from '../refusal.ts';
import type { Actor } from '../world.ts';
import type { ApplyAck } from './apply-ack.ts';
import type { Sending } from './sending.ts';

export interface ConversationActs {
  /** `/learn docker`. */
  command(actor: Actor, typed: string): Promise<Ack>;
  shortcut(actor: Actor, callbackId: string): Promise<Ack>;
  messageShortcut(actor: Actor, message: StoredMessage, callbackId: string): Promise<Ack>;
}

export function createConversationActs(
  slack: SlackParts,
  { interaction, triggerOf, send, time }: Sending,
  apply: ApplyAck,
): ConversationActs {
  const { payloads, responseUrls } = slack;
  // Nothing there is the app's to replace.
  const responseUrlOf = (actor: Actor) => responseUrls.create({ actor, messageTs: null });

  return {
    async command(actor, typed) {
      const [, command = '', text = ''] =
        /^(\/\S+)\s*([\s\S]*)$/.exec(typed) ?? refuseAct('no command is typed');
      const fields = {
        ...payloads.command(slack.app(), actor, { command, text: text.trim() }),
        response_url: responseUrlOf(actor),
        trigger_id: triggerOf(actor),
      };
      const body = new URLSearchParams(fields).toString();
      const contentType = 'application/x-www-form-urlencoded';
      const ack = await slack.deliver({ about: command, contentType, body });
      apply.command(ack, actor, typed);
      return ack;
    },

    shortcut: (actor, callbackId) =>
      send(`shortcut ${callbackId}`, {
        ...interaction(actor, 'shortcut'),
        callback_id: callbackId,
        trigger_id: triggerOf(actor),
        action_ts: time(),
      }),

    messageShortcut: (actor, message, callbackId) =>
      send(`message_action ${callbackId}`, {
        ...interaction(actor, 'message_action'),
        callback_id: callbackId,
        trigger_id: triggerOf(actor),
        action_ts: time(),
        message_ts: message.ts,
        message: messagePayload(message),
        channel: payloads.channel(message.channelId),
        response_url: responseUrlOf(actor),
      }),
  };
}
