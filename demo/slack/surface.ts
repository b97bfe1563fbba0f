import { randomBytes } from 'node:crypto';

/** A block as the app gave it, with the ids that it left out. */
export type StoredBlock = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly block_id: string;
};

export type StoredElement = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly action_id: string;
};

export interface StoredOption {
  readonly text: { readonly type: string; readonly text: string };
  readonly value: string;
}

/** One element's part of `state.values`. */
export type StateValue = Readonly<Record<string, unknown>> & { readonly type: string };

/** What people act in: a message or a view. */
export interface Surface {
  readonly blocks: readonly StoredBlock[];
  /** What was chosen or typed since, by `stateKey`. */
  readonly chosen: Map<string, StateValue>;
  /** What was offered last for external menus, by `stateKey`. */
  readonly offered: Map<string, readonly StoredOption[]>;
}

export const createSurface = (blocks: readonly unknown[]): Surface => ({
  blocks: completeIds(blocks),
  chosen: new Map(),
  offered: new Map(),
});

/** Everyone has choices of their own, in a message that all see as well. */
export const stateKey = (userId: string, blockId: string, actionId: string): string =>
  JSON.stringify([userId, blockId, actionId]);

export interface Placed {
  readonly block: StoredBlock;
  readonly element: StoredElement;
}

/** Elements that somebody can act on, in their order. */
export function listElements(blocks: readonly StoredBlock[]): Placed[] {
  return blocks.flatMap((block) =>
    [block.accessory, block.element, ...(block.type === 'actions' ? (block.elements as unknown[]) : [])]
      .filter((element): element is StoredElement => Object(element).action_id !== undefined)
      .map((element) => ({ block, element })),
  );
}

const completeIds = (blocks: readonly unknown[]): StoredBlock[] =>
  blocks.map((given) => {
    const block = given as Record<string, unknown>;
    return {
      block_id: makeId(),
      ...block,
      ...(isInteractive(block.accessory) ? { accessory: withActionId(block.accessory) } : {}),
      ...(isInteractive(block.element) ? { element: withActionId(block.element) } : {}),
      ...(block.type === 'actions' ? { elements: (block.elements as object[]).map(withActionId) } : {}),
    } as unknown as StoredBlock;
  });

const isInteractive = (element: unknown): element is object =>
  typeof element === 'object' && element !== null && (element as { type?: unknown }).type !== 'image';

const withActionId = (element: object) => ({ action_id: makeId(), ...element });

const makeId = () => randomBytes(4).toString('base64url').slice(0, 5);
