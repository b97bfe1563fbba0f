import { refuseAct } from '../refusal.ts';
import { chosenValue, findOption } from '../state-values.ts';
import { listElements, type Placed, type StoredBlock, type Surface, stateKey } from '../surface.ts';

/** Which button or menu. */
export interface ElementRef {
  readonly actionId: string;
  /** Where several blocks have the action id. */
  readonly blockId?: string | undefined;
}

/** Throws where there is none, or there are several. */
export function findPlaced(blocks: readonly StoredBlock[], { actionId, blockId }: ElementRef): Placed {
  const elements = listElements(blocks);
  const found = elements.filter(
    ({ block, element }) =>
      element.action_id === actionId && (blockId === undefined || block.block_id === blockId),
  );
  const [first] = found;
  if (first === undefined) {
    const there = elements.map(({ element }) => element.action_id).join(', ');
    return refuseAct(`there is no ${actionId} here, but ${there || 'nothing to act on'}`);
  }
  return found.length === 1 ? first : refuseAct(`there are ${found.length} of ${actionId} here`);
}

interface Act {
  readonly userId: string;
  readonly ref: ElementRef;
  readonly values: readonly string[];
  readonly time: string;
}

/** What Slack says was done with an element. What is chosen stays so. */
export function actOn(surface: Surface, { userId, ref, values, time }: Act) {
  const { block, element } = findPlaced(surface.blocks, ref);
  const { type, action_id } = element;
  const action = { type, action_id, block_id: block.block_id, action_ts: time };
  if (type === 'button') {
    const { text, value, style, url } = element;
    return { ...action, text, value, style, url };
  }
  if (type === 'overflow') return { ...action, selected_option: findOption(element, values[0] ?? '') };
  const key = stateKey(userId, block.block_id, action_id);
  const chosen = chosenValue(element, values, surface.offered.get(key));
  surface.chosen.set(key, chosen);
  return { ...action, ...chosen };
}
