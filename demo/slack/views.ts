import { randomBytes } from 'node:crypto';
import { refuseCall } from './refusal.ts';
import { createSurface, listElements, type StateValue, type Surface, stateKey } from './surface.ts';
import type { Actor } from './world.ts';

/** A modal or home as the app gave it. */
export interface ViewPayload {
  readonly type: 'modal' | 'home';
  readonly blocks: readonly unknown[];
  readonly callback_id?: string;
  readonly external_id?: string;
  readonly private_metadata?: string;
  readonly title?: { readonly text: string };
  readonly submit?: { readonly text: string };
  readonly close?: { readonly text: string };
  readonly clear_on_close?: boolean;
  readonly notify_on_close?: boolean;
}

export interface StoredView extends Surface {
  readonly id: string;
  /** Another one after each change of its content. */
  readonly hash: string;
  readonly actor: Actor;
  readonly rootId: string;
  readonly previousId: string | null;
  readonly payload: ViewPayload;
  /** What the app says is wrong with what was sent, by block id. */
  readonly errors: Readonly<Record<string, string>>;
}

export interface Views {
  /** In place of whatever was open. */
  open(actor: Actor, payload: ViewPayload): StoredView;
  /** On top of the modal. */
  push(viewId: string | null, payload: ViewPayload): StoredView;
  update(viewId: string, payload: ViewPayload, hash?: string): StoredView;
  publish(actor: Actor, payload: ViewPayload, hash?: string): StoredView;
  refuse(view: StoredView, errors: StoredView['errors']): void;
  /** Those below show again. */
  close(view: StoredView): void;
  closeAll(userId: string): readonly StoredView[];
  find(viewId: string): StoredView | null;
  findByExternalId(externalId: string): StoredView | null;
  /** The modals of a person, the one on top last. */
  stack(userId: string): readonly StoredView[];
  home(actor: Pick<Actor, 'userId' | 'teamId'>): StoredView | null;
  clear(): void;
}

const MAX_STACK = 3;

export function createViews(onChange: () => void): Views {
  const stacks = new Map<string, StoredView[]>();
  const homes = new Map<string, StoredView>();
  const homeKey = ({ userId, teamId }: Pick<Actor, 'userId' | 'teamId'>) => `${teamId} ${userId}`;
  const stackOf = (userId: string) => stacks.get(userId) ?? [];
  const all = () => [...stacks.values(), [...homes.values()]].flat();
  const find = (viewId: string) => all().find((view) => view.id === viewId) ?? null;
  const setStack = (userId: string, stack: StoredView[]) => {
    stacks.set(userId, stack);
    onChange();
  };

  function keep(view: StoredView): StoredView {
    const { userId } = view.actor;
    if (view.payload.type === 'home') homes.set(homeKey(view.actor), view);
    else
      stacks.set(
        userId,
        stackOf(userId).map((each) => (each.id === view.id ? view : each)),
      );
    onChange();
    return view;
  }

  function change(view: StoredView, payload: ViewPayload, hash?: string): StoredView {
    if (hash !== undefined && hash !== view.hash) refuseCall('hash_conflict');
    if (payload.type !== view.payload.type) refuseCall('invalid_arguments');
    const surface = createSurface(payload.blocks);
    return keep({
      ...view,
      ...surface,
      chosen: keepAnswers(view, surface),
      payload,
      hash: makeHash(),
      errors: {},
    });
  }

  return {
    open(actor, payload) {
      const view = createView(actor, payload, null);
      setStack(actor.userId, [view]);
      return view;
    },
    push(viewId, payload) {
      const below = (viewId === null ? null : find(viewId)) ?? refuseCall('not_found');
      const stack = stackOf(below.actor.userId);
      if (stack.length >= MAX_STACK) refuseCall('push_limit_reached');
      const view = createView(below.actor, payload, below);
      setStack(below.actor.userId, [...stack, view]);
      return view;
    },
    update: (viewId, payload, hash) => change(find(viewId) ?? refuseCall('not_found'), payload, hash),
    publish(actor, payload, hash) {
      const published = homes.get(homeKey(actor));
      return published ? change(published, payload, hash) : keep(createView(actor, payload, null));
    },
    refuse: (view, errors) => void keep({ ...view, errors }),
    close: ({ id, actor: { userId } }) =>
      setStack(
        userId,
        stackOf(userId).filter((view) => view.id !== id),
      ),
    closeAll(userId) {
      const closed = stackOf(userId);
      setStack(userId, []);
      return closed;
    },
    find,
    findByExternalId: (externalId) => all().find(({ payload }) => payload.external_id === externalId) ?? null,
    stack: stackOf,
    home: (actor) => homes.get(homeKey(actor)) ?? null,
    clear() {
      stacks.clear();
      homes.clear();
    },
  };
}

function createView(actor: Actor, payload: ViewPayload, below: StoredView | null): StoredView {
  const id = `V${randomBytes(6).toString('hex').toUpperCase()}`;
  return {
    ...createSurface(payload.blocks),
    id,
    hash: makeHash(),
    actor,
    rootId: below?.rootId ?? id,
    previousId: below?.id ?? null,
    payload,
    errors: {},
  };
}

/** Slack keeps what was filled in where block and action have the same ids in the new content. */
function keepAnswers(view: StoredView, next: Surface): Map<string, StateValue> {
  const keys = listElements(next.blocks).map(({ block, element }) =>
    stateKey(view.actor.userId, block.block_id, element.action_id),
  );
  return new Map([...view.chosen].filter(([key]) => keys.includes(key)));
}

const makeHash = () => randomBytes(8).toString('hex');
