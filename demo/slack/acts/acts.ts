import { randomBytes } from 'node:crypto';
import type { StoredMessage } from '../conversations.ts';
import type { Ack, Delivery } from '../deliveries.ts';
import type { Grant } from '../grants.ts';
import type { SlackParts } from '../parts.ts';
import { messagePayload } from '../payloads.ts';
import { refuseAct } from '../refusal.ts';
import type { Actor } from '../world.ts';
import { type ApplyAck, createApplyAck } from './apply-ack.ts';
import { createModalActs, type ModalActs } from './in-modal.ts';
import { createSurfaceActs, type SurfaceActs } from './in-surface.ts';
import { createSending, type Sending } from './sending.ts';

interface ConversationActs {
  /** `/learn docker`. */
  command(actor: Actor, typed: string): Promise<Ack>;
  shortcut(actor: Actor, callbackId: string): Promise<Ack>;
  messageShortcut(actor: Actor, message: StoredMessage, callbackId: string): Promise<Ack>;
}

/** What people do in Slack's client. Each act is sent to the app as Slack sends it, and what the
 *  app answers at once is shown. What the client would not let them do throws. */
export interface SlackActs extends ConversationActs, SurfaceActs, ModalActs {
  openHome(actor: Actor): Promise<Ack>;
  event(teamId: string, event: SlackEvent): Promise<Ack>;
  /** Links to the app's domain are in a message. Null where the app may not read them. */
  shareLinks(actor: Actor, message: StoredMessage, urls: readonly string[]): Promise<Ack | null>;
  /** The app was removed, or its token. */
  revoked(grant: Grant, type: 'app_uninstalled' | 'tokens_revoked'): Promise<Ack>;
  /** Once more, as it was. */
  retry(delivery: Delivery, retry: number): Promise<Ack>;
}

export type SlackEvent = Readonly<Record<string, unknown>> & { readonly type: string };

export function createActs(parts: SlackParts): SlackActs {
  const sending = createSending(parts);
  const apply = createApplyAck(parts);
  // Most are answered with nothing.
  const quiet = async (sent: Promise<Ack>) => {
    const ack = await sent;
    apply.nothing(ack);
    return ack;
  };
  const inSurface = createSurfaceActs(parts, sending);
  const inConversation = createConversationActs(parts, sending, apply);
  const inModal = createModalActs(parts, { sending, apply, act: inSurface.act });

  const sendEvent = (grant: Grant, teamId: string | null, happened: SlackEvent): Promise<Ack> => {
    const time = Math.floor(parts.clock.now().getTime() / 1000);
    const eventId = `Ev${randomBytes(8).toString('hex').toUpperCase()}`;
    const payload = parts.payloads.event(parts.app(), grant, { teamId, happened, eventId, time });
    const body = JSON.stringify(payload);
    return quiet(parts.deliver({ about: happened.type, contentType: 'application/json', body }));
  };
  const event = (teamId: string, happened: SlackEvent): Promise<Ack> =>
    sendEvent(parts.grants.findFor(teamId) ?? refuseAct('the app is not installed'), teamId, happened);

  return {
    ...inConversation,
    ...inSurface,
    ...inModal,
    shortcut: (...act) => quiet(inConversation.shortcut(...act)),
    messageShortcut: (...act) => quiet(inConversation.messageShortcut(...act)),
    act: (...act) => quiet(inSurface.act(...act)),
    event,
    async shareLinks({ teamId, userId, channelId }, { ts }, urls) {
      if (!parts.grants.findFor(teamId)?.scopes.includes('links:read')) return null;
      return event(teamId, {
        type: 'link_shared',
        channel: channelId,
        user: userId,
        message_ts: ts,
        is_bot_user_member: true,
        unfurl_id: `${channelId} ${ts}`,
        source: 'conversations_history',
        event_ts: sending.time(),
        links: urls.map((url) => ({ url, domain: new URL(url).hostname })),
      });
    },
    async openHome(actor) {
      const home = parts.views.home(actor);
      return event(actor.teamId, {
        type: 'app_home_opened',
        user: actor.userId,
        channel: `D0${actor.userId.slice(1)}`,
        tab: 'home',
        event_ts: sending.time(),
        ...(home === null ? {} : { view: sending.viewOf(home) }),
      });
    },
    revoked(grant, type) {
      const tokens = type === 'tokens_revoked' ? { tokens: { oauth: [], bot: [grant.botUserId] } } : {};
      return sendEvent(grant, grant.team?.id ?? null, { type, ...tokens });
    },
    retry: (delivery, retry) => parts.deliver({ ...delivery, retry }),
  };
}

function createConversationActs(
  slack: SlackParts,
  { interaction, triggerOf, send, time }: Sending,
  apply: ApplyAck,
): ConversationActs {
  const { payloads, responseUrls } = slack;
  // Nothing there is the app's to replace.
  const responseUrlOf = (actor: Actor) => responseUrls.create({ actor, messageTs: null });

  return {
    async command(actor, typed) {
      const [, command = '', text = ''] = /^(\/\S+)\s*([\s\S]*)$/.exec(typed) ?? refuseAct('no command is typed');
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
