import type { Ack } from '../deliveries.ts';
import type { SlackParts } from '../parts.ts';
import { refuseAct } from '../refusal.ts';
import { findChosenValue, isAnswered, readState } from '../state-values.ts';
import { listElements, stateKey } from '../surface.ts';
import type { StoredView } from '../views.ts';
import type { ApplyAck } from './apply-ack.ts';
import { type Choice, findPlaced, type SurfaceActs } from './in-surface.ts';
import type { Sending } from './sending.ts';

export interface ModalActs {
  /** Fills in an input; only one with `dispatch_action` is sent at once. */
  fill(view: StoredView, choice: Choice): Promise<Ack | null>;
  submit(view: StoredView): Promise<Ack>;
  /** Null where the app does not want to know. */
  close(view: StoredView): Promise<Ack | null>;
}

interface ModalParts {
  readonly sending: Sending;
  readonly apply: ApplyAck;
  readonly act: SurfaceActs['act'];
}

export function createModalActs(slack: SlackParts, { sending, apply, act }: ModalParts): ModalActs {
  const { interaction, viewOf, triggerOf, send } = sending;

  const responseUrlsOf = (view: StoredView) =>
    listAnswerPlaces(view).map(({ channelId, ...place }) => ({
      response_url: slack.responseUrls.create({ actor: { ...view.actor, channelId }, messageTs: null }),
      channel_id: channelId,
      ...place,
    }));

  return {
    async fill(view, choice) {
      const { block, element } = findPlaced(view.blocks, choice);
      if (block.dispatch_action === true) return act(view.actor, { kind: 'view', view }, choice);
      const key = stateKey(view.actor.userId, block.block_id, element.action_id);
      view.chosen.set(key, findChosenValue(element, choice.values ?? [], view.offered.get(key)));
      slack.onChange();
      return null;
    },

    async submit(view) {
      checkAnswers(view);
      const ack = await send(`view_submission ${view.payload.callback_id ?? ''}`, {
        ...interaction(view.actor, 'view_submission'),
        trigger_id: triggerOf(view.actor, view.id),
        view: viewOf(view),
        response_urls: responseUrlsOf(view),
      });
      apply.submission(ack, view);
      return ack;
    },

    async close(view) {
      const payload = { ...interaction(view.actor, 'view_closed'), view: viewOf(view), is_cleared: false };
      slack.views.close(view);
      return view.payload.notify_on_close === true ? send('view_closed', payload) : null;
    },
  };
}

/** Slack's client sends nothing while an input lacks its answer. */
function checkAnswers(view: StoredView): void {
  if (view.payload.submit === undefined) refuseAct('the modal has no button to send it');
  const values = readState(view, view.actor.userId);
  const lacking = view.blocks.filter((block) => {
    const [value] = Object.values(values[block.block_id] ?? {});
    return block.type === 'input' && block.optional !== true && !isAnswered(value);
  });
  if (lacking.length > 0) {
    refuseAct(`without an answer: ${lacking.map(({ block_id }) => block_id).join(', ')}`);
  }
}

/** Conversations that were chosen for an answer. */
function listAnswerPlaces(view: StoredView) {
  const values = readState(view, view.actor.userId);
  return listElements(view.blocks)
    .filter(({ element }) => element.response_url_enabled === true)
    .flatMap(({ block, element }) => {
      const chosen = values[block.block_id]?.[element.action_id]?.selected_conversation;
      return typeof chosen === 'string'
        ? [{ channelId: chosen, block_id: block.block_id, action_id: element.action_id }]
        : [];
    });
}
