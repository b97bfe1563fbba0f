import { checkOptions } from '../block-kit/check.ts';
import type { Ack } from '../deliveries.ts';
import type { SlackParts } from '../parts.ts';
import { describe, refuseAct } from '../refusal.ts';
import { findChosenValue, findOption, readState } from '../state-values.ts';
import {
  listElements,
  type Placed,
  type StateValue,
  type StoredBlock,
  type StoredOption,
  type Surface,
  stateKey,
} from '../surface.ts';
import type { Actor } from '../world.ts';
import type { Place, Sending } from './sending.ts';

/** Which button or menu. */
interface ElementRef {
  readonly actionId: string;
  /** Where several blocks have the action id. */
  readonly blockId?: string | undefined;
}

interface Act {
  readonly userId: string;
  readonly ref: ElementRef;
  readonly values: readonly string[];
  readonly time: string;
}

export interface SurfaceActs {
  /** A click (no values), or a choice by the values of options or by a text. */
  act(actor: Actor, place: Place, choice: Choice): Promise<Ack>;
  /** What an external menu offers. */
  suggest(
    actor: Actor,
    place: Place,
    search: ElementRef & { readonly typed: string },
  ): Promise<readonly StoredOption[]>;
}

export type Choice = ElementRef & { readonly values?: readonly string[] };

export function createSurfaceActs(slack: SlackParts, sending: Sending): SurfaceActs {
  const { interaction, placeOf, triggerOf, send, time } = sending;

  async function askForOptions(about: string, payload: object): Promise<readonly StoredOption[]> {
    const ack = await send(about, payload);
    if (!ack.ok) return [];
    const problems = checkOptions(ack.body);
    for (const problem of problems) slack.onProblem(`${about}: ${describe(problem)}`);
    return problems.length === 0 ? listOptions(ack.body as Offer) : [];
  }

  return {
    async act(actor, place, { values = [], ...ref }) {
      const surface = surfaceOf(place);
      const action = actOn(surface, { userId: actor.userId, ref, values, time: time() });
      slack.onChange();
      return send(`block_actions ${action.action_id}`, {
        ...interaction(actor, 'block_actions'),
        ...placeOf(place),
        ...(place.kind === 'message' ? ofMessage(actor, place.message.ts) : {}),
        ...(place.kind === 'message' ? { state: { values: readState(surface, actor.userId) } } : {}),
        trigger_id: triggerOf(actor, place.kind === 'view' ? place.view.id : null),
        actions: [action],
      });
    },

    async suggest(actor, place, { typed, ...ref }) {
      const surface = surfaceOf(place);
      const { block, element } = findPlaced(surface.blocks, ref);
      const { action_id, type } = element;
      if (!type.endsWith('external_select')) refuseAct(`${action_id} asks nobody for options`);
      // Slack asks only when so much is typed.
      if (typed.length < ((element.min_query_length as number | undefined) ?? 3)) return [];
      const options = await askForOptions(`block_suggestion ${action_id}`, {
        ...interaction(actor, 'block_suggestion'),
        ...placeOf(place),
        action_id,
        block_id: block.block_id,
        value: typed,
      });
      const key = stateKey(actor.userId, block.block_id, action_id);
      // Chosen options stay chosen, whatever is searched for meanwhile.
      surface.offered.set(key, [...options, ...chosenOptions(surface.chosen.get(key))]);
      return options;
    },
  };

  function ofMessage(actor: Actor, messageTs: string) {
    return { response_url: slack.responseUrls.create({ actor, messageTs }) };
  }
}

const chosenOptions = ({ selected_option: one, selected_options: several }: Partial<StateValue> = {}) =>
  (several ?? (one ? [one] : [])) as readonly StoredOption[];

const surfaceOf = (place: Place) => (place.kind === 'view' ? place.view : place.message);

interface Offer {
  readonly options?: readonly StoredOption[];
  readonly option_groups?: readonly { readonly options: readonly StoredOption[] }[];
}

const listOptions = ({ options = [], option_groups: groups = [] }: Offer) => [
  ...options,
  ...groups.flatMap((group) => group.options),
];

/** Throws where there is none, or there are several. */
export function findPlaced(blocks: readonly StoredBlock[], { actionId, blockId }: ElementRef): Placed {
  const elements = listElements(blocks);
  const found = elements.filter(
    ({ block, element }) => element.action_id === actionId && (blockId === undefined || block.block_id === blockId),
  );
  const [first] = found;
  if (first === undefined) {
    const there = elements.map(({ element }) => element.action_id).join(', ');
    return refuseAct(`there is no ${actionId} here, but ${there || 'nothing to act on'}`);
  }
  return found.length === 1 ? first : refuseAct(`there are ${found.length} of ${actionId} here`);
}

/** What Slack reports about an element. Choices are kept. */
function actOn(surface: Surface, { userId, ref, values, time }: Act) {
  const { block, element } = findPlaced(surface.blocks, ref);
  const { type, action_id } = element;
  const action = { type, action_id, block_id: block.block_id, action_ts: time };
  if (type === 'button') {
    const { text, value, style, url } = element;
    return { ...action, text, value, style, url };
  }
  if (type === 'overflow') return { ...action, selected_option: findOption(element, values[0] ?? '') };
  const key = stateKey(userId, block.block_id, action_id);
  const chosen = findChosenValue(element, values, surface.offered.get(key));
  surface.chosen.set(key, chosen);
  return { ...action, ...chosen };
}
