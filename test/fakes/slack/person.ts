import type { Choice } from '../../../demo/slack/acts/in-surface.ts';
import type { Place } from '../../../demo/slack/acts/sending.ts';
import type { Ack } from '../../../demo/slack/deliveries.ts';
import type { Slack } from '../../../demo/slack/slack.ts';
import type { StoredView } from '../../../demo/slack/views.ts';
import type { Actor } from '../../../demo/slack/world.ts';
import { findLabelled, type Seen, type SeenMessage, type SeenView, seenMessage, seenView } from './seen.ts';
import { channelIdOf } from './world.ts';

/** By action id: the value of an option, several, or a text. */
export type Filled = Readonly<Record<string, string | readonly string[]>>;

/** Somebody in one conversation. What Slack's client would not let them do throws: a button that is
 *  not there, an option that is not offered, a modal that lacks an answer. */
export interface FakePerson extends Readonly<Actor> {
  /** The same person in another conversation: `general` (with the app), `random` and the private
   *  `secret` (without), `direct` (between two people). */
  in(channel: 'general' | 'random' | 'secret' | 'direct'): FakePerson;
  /** A command: `/learn docker`. */
  types(command: string): Promise<Ack>;
  /** An ordinary message, in a thread where `threadTs` is given. */
  says(text: string, threadTs?: string): SeenMessage;
  /** The links of a message, which the app is told of. Null where it may not read them. */
  sharesLinks(message: SeenMessage, urls: readonly string[]): Promise<Ack | null>;
  /** A button, or an entry of an overflow menu. `label` where several have the action id. */
  clicks(where: Seen, actionId: string, label?: string): Promise<Ack>;
  /** By the values of options, in menus of several all that are chosen then; nothing any more: an
   *  empty string. `blockId` where several have the action id. */
  chooses(where: Seen, actionId: string, values: string | readonly string[], blockId?: string): Promise<Ack>;
  /** What is typed in an external menu.
   *  @returns what is offered */
  looksUp(where: Seen, actionId: string, typed: string): Promise<readonly { label: string; value: string }[]>;
  /** Fills in inputs, and nothing else. */
  fills(view: SeenView, values: Filled): Promise<void>;
  /** By action ids of inputs; what is not given stays as it is. */
  submits(view: SeenView, values?: Filled): Promise<Ack>;
  /** Null where the app does not want to know. */
  closes(view: SeenView): Promise<Ack | null>;
  usesShortcut(callbackId: string): Promise<Ack>;
  usesMessageShortcut(message: SeenMessage, callbackId: string): Promise<Ack>;
  opensHome(): Promise<Ack>;
  /** Messages of the conversation that the person sees, oldest first. */
  sees(): readonly SeenMessage[];
  /** The modal on top; null where none is open. */
  modal(): SeenView | null;
  home(): SeenView | null;
  /** The newest message of the app that matches, as soon as there is one; throws after 10 s. */
  waitsForMessage(matching?: (message: SeenMessage) => boolean): Promise<SeenMessage>;
  waitsForModal(matching?: (view: SeenView) => boolean): Promise<SeenView>;
  waitsForHome(matching?: (view: SeenView) => boolean): Promise<SeenView>;
}

type WaitFor = <T>(what: string, find: () => T | null | undefined) => Promise<T>;

export function createPerson(slack: Slack, actor: Actor, waitFor: WaitFor): FakePerson {
  const { acts, conversations, views } = slack;
  const sees = () => conversations.list(actor.channelId, actor.userId).map(seenMessage);
  const modal = () => toSeen(views.stack(actor.userId).at(-1));
  const home = () => toSeen(views.home(actor));

  function viewNow({ id }: SeenView): StoredView {
    const view = views.find(id);
    if (view === null) throw new Error(`The view ${id} is closed`);
    return view;
  }

  function placeOf(seen: Seen): Place {
    if (!('ts' in seen)) return { kind: 'view', view: viewNow(seen) };
    const message = conversations.find(seen.channelId, seen.ts);
    if (message === null || (message.visibleTo ?? actor.userId) !== actor.userId) {
      throw new Error(`The message "${seen.text}" is not to be seen`);
    }
    return { kind: 'message', message };
  }

  const blocksOf = (place: Place) => (place.kind === 'view' ? place.view.blocks : place.message.blocks);
  const act = (place: Place, choice: Choice) => acts.act(actor, place, choice);

  async function fills(view: SeenView, filled: Filled): Promise<void> {
    for (const [actionId, values] of Object.entries(filled)) {
      await acts.fill(viewNow(view), { actionId, values: [values].flat() });
    }
  }

  return {
    ...actor,
    in: (name) => createPerson(slack, { ...actor, channelId: channelIdOf(actor.teamId, name) }, waitFor),
    types: (typed) => acts.command(actor, typed),
    says: (text, threadTs) => {
      const { channelId, userId } = actor;
      return seenMessage(conversations.add({ channelId, userId, from: 'person', text, threadTs: threadTs ?? null }));
    },
    async sharesLinks(message, urls) {
      const place = placeOf(message);
      if (place.kind !== 'message') throw new Error('a view has no links');
      return acts.shareLinks(actor, place.message, urls);
    },
    async clicks(where, actionId, label) {
      const place = placeOf(where);
      const { blockId, values } = findLabelled(blocksOf(place), actionId, label);
      return act(place, { actionId, blockId, values });
    },
    chooses: async (where, actionId, values, blockId) =>
      act(placeOf(where), { actionId, blockId, values: [values].flat() }),
    async looksUp(where, actionId, typed) {
      const options = await acts.suggest(actor, placeOf(where), { actionId, typed });
      return options.map(({ text, value }) => ({ label: text.text, value }));
    },
    fills,
    async submits(view, filled = {}) {
      await fills(view, filled);
      return acts.submit(viewNow(view));
    },
    closes: async (view) => acts.close(viewNow(view)),
    usesShortcut: (callbackId) => acts.shortcut(actor, callbackId),
    async usesMessageShortcut(message, callbackId) {
      const place = placeOf(message);
      if (place.kind !== 'message') throw new Error('a view has no shortcuts');
      return acts.messageShortcut(actor, place.message, callbackId);
    },
    opensHome: () => acts.openHome(actor),
    sees,
    modal,
    home,
    waitsForMessage: (matching = () => true) =>
      waitFor('message', () => sees().findLast((message) => message.from === 'app' && matching(message))),
    waitsForModal: (matching = () => true) => waitFor('modal', () => only(modal(), matching)),
    waitsForHome: (matching = () => true) => waitFor('home', () => only(home(), matching)),
  };
}

const toSeen = (view: StoredView | null | undefined): SeenView | null => (view ? seenView(view) : null);

const only = (view: SeenView | null, matching: (view: SeenView) => boolean): SeenView | null =>
  view !== null && matching(view) ? view : null;
