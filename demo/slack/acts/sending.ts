import type { StoredMessage } from '../conversations.ts';
import { type Ack, payloadForm } from '../deliveries.ts';
import type { SlackParts } from '../parts.ts';
import { messagePayload } from '../payloads.ts';
import type { StoredView } from '../views.ts';
import type { Actor } from '../world.ts';

/** Where something is done: a message, or a modal or home. */
export type Place =
  | { readonly kind: 'message'; readonly message: StoredMessage }
  | { readonly kind: 'view'; readonly view: StoredView };

/** What all acts write down alike. */
export function createSending({ payloads, triggers, clock, app, deliver }: SlackParts) {
  const viewOf = (view: StoredView) => payloads.view(view, app());

  function messagePlace(message: StoredMessage): object {
    const { ts, channelId, threadTs, visibleTo } = message;
    const isEphemeral = visibleTo !== null;
    const thread = threadTs === null ? {} : { thread_ts: threadTs };
    return {
      container: {
        type: 'message',
        message_ts: ts,
        channel_id: channelId,
        is_ephemeral: isEphemeral,
        ...thread,
      },
      channel: payloads.channel(channelId),
      // Slack does not keep what only one person sees.
      ...(isEphemeral ? {} : { message: messagePayload(message) }),
    };
  }

  return {
    viewOf,
    interaction: (actor: Actor, type: string) => payloads.interaction(app(), actor, type),
    /** With an interaction, so that the app can open a modal. */
    triggerOf: (actor: Actor, viewId: string | null = null) => triggers.create({ actor, viewId }),
    placeOf: (place: Place): object =>
      place.kind === 'message'
        ? messagePlace(place.message)
        : { container: { type: 'view', view_id: place.view.id }, view: viewOf(place.view) },
    /** Seconds with parts, as Slack writes times of acts. */
    time: () => (clock.now().getTime() / 1000).toFixed(6),
    send: (about: string, payload: object): Promise<Ack> =>
      deliver({ about, contentType: 'application/x-www-form-urlencoded', body: payloadForm(payload) }),
  };
}

export type Sending = ReturnType<typeof createSending>;
