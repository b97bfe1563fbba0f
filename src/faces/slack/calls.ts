import type { HomeView, Message, ModalView } from './blocks/block-kit.ts';

/** Calls of Slack's API in the name of the app. Errors: SLACK_TRIGGER_EXPIRED, SLACK_RESPONSE_EXPIRED, SLACK_NOT_IN_CHANNEL,
 *  SLACK_THROTTLED (after what Slack said how long to wait, where that is too long), SLACK_FAILED. */
export interface SlackCalls {
  /** @returns id of the view */
  openView(triggerId: string, view: ModalView): Promise<string>;
  pushView(triggerId: string, view: ModalView): Promise<string>;
  /** With `hash`, only where nobody changed it meanwhile; what is stale then is left as it is. */
  updateView(target: ViewTarget, view: ModalView): Promise<void>;
  publishHome(userId: string, view: HomeView): Promise<void>;
  /** As the app, into a conversation it is in. */
  postMessage(
    target: { readonly channelId: string; readonly threadTs?: string },
    message: Message,
  ): Promise<void>;
  /** Through an address that Slack gave for answers, of this or an earlier request: `post` for everyone in the conversation. */
  respond(responseUrl: string, message: Message, as: ResponseOptions): Promise<void>;
}

export interface ResponseOptions {
  readonly how: 'ephemeral' | 'replace' | 'post';
  readonly threadTs?: string | undefined;
}

/** A view that is open. */
export interface ViewTarget {
  readonly id: string;
  readonly hash?: string | undefined;
}
