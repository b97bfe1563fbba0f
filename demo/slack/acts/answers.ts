import { refuseAct } from '../refusal.ts';
import { isAnswered, readState } from '../state-values.ts';
import { listElements } from '../surface.ts';
import type { StoredView } from '../views.ts';

/** Slack's client sends nothing while an input lacks its answer. */
export function checkAnswers(view: StoredView): void {
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
export function listAnswerPlaces(view: StoredView) {
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
