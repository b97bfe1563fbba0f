import { expect, onTestFinished } from 'vitest';
import { checkMessage, checkOptions, checkView } from '../../../../demo/slack/block-kit/check.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { findListener } from '../../../../src/faces/slack/app/call-listener.ts';
import type { KnownBlock, Message, ModalView } from '../../../../src/faces/slack/blocks/block-kit.ts';
import type {
  Learn,
  ListenerKind,
  ListenerOf,
  Reply,
  ShareTarget,
  SlackContext,
  SlackMessage,
  SlackView,
  ViewAnswer,
  ViewValues,
} from '../../../../src/faces/slack/listener.ts';
import { skillsListeners } from '../../../../src/faces/slack/skills/skills.ts';
import type { SlackCalls } from '../../../../src/faces/slack/slack-api/slack-calls.ts';
import { type Locale, readLanguages } from '../../../../src/faces/words/i18n.ts';
import type { LearningService } from '../../../../src/ports/learning-service.ts';
import { createPeople, type People } from '../../../../src/services/people/people.ts';
import { createSavedStates, type SavedStates } from '../../../../src/services/people/saved-states.ts';
import { createDiscovery } from '../../../../src/services/searching/discovery.ts';
import type { HandlerService } from '../../../fakes/learning-service.ts';
import { openServices } from '../../../helpers/open-services.ts';
import { answersOf, searchDepsOf } from '../../../services/searching/discovery/discovery-parts.ts';

export interface StartedSkills {
  readonly savedStates: SavedStates;
  readonly people: People;
  /** What the app posted for everybody. */
  readonly posted: {
    /** Null where it was posted as the app. */
    readonly responseUrl: string | null;
    /** Null where it was posted through an address for answers. */
    readonly channelId: string | null;
    readonly message: Message;
    readonly threadTs: string | undefined;
  }[];
  /** What was searched for as by `/learn`. */
  readonly searched: { readonly typed: string; readonly shareTo: ShareTarget | undefined }[];
  /** Asks as somebody; what is given is checked as Slack checks it. */
  command(text: string, where?: Where): Promise<Reply>;
  /** Clicks the first button that has this text, or chooses it in a menu. */
  click(shown: Shown, text: string, where?: Where): Promise<Reply>;
  act(actionId: string, value: string, where?: Where): Promise<Reply>;
  submit(view: ModalView, values: Readonly<Record<string, string>>, where?: Where): Promise<ViewAnswer>;
  shortcut(callbackId: string, source: SlackMessage | null, where?: Where): Promise<Reply>;
  options(actionId: string, typed: string, where?: Where): Promise<string[]>;
  /** From now on the next post fails. */
  failNextPost(error: Error): void;
}

export type Shown = Pick<Message, 'blocks'>;

/** What differs from a person in a channel. */
export interface Where extends Partial<Pick<SlackContext, 'userId' | 'channelId' | 'responseUrl'>> {
  readonly locale?: Locale;
  /** In a modal, which has no conversation. */
  readonly inModal?: boolean;
}

const languages = readLanguages();

/** The listeners of skills over a real store and whatever service answers.
 *  @param options whether `skills` have pages */
export async function startSkills(
  learning: LearningService | HandlerService,
  { skills = false } = {},
): Promise<StartedSkills> {
  const services = await openServices();
  onTestFinished(() => services.close());
  const { store, clock } = services;
  const savedStates = createSavedStates({ nonces: store.nonces, clock });
  const people = createPeople({ ...store, clock });
  const discovery = createDiscovery({ ...searchDepsOf(answersOf(learning)), count: () => {} });
  const posted: StartedSkills['posted'] = [];
  const searched: StartedSkills['searched'] = [];
  let failure: Error | null = null;
  const learn: Pick<Learn, 'search'> = {
    async search(_context, typed, shareTo) {
      searched.push({ typed, shareTo: shareTo ?? undefined });
      const text = { type: 'plain_text' as const, text: `Objects for ${typed}` };
      return { text: 'Objects', blocks: [{ type: 'section', text }] };
    },
  };
  function post(sent: StartedSkills['posted'][number]): void {
    const error = failure;
    failure = null;
    if (error !== null) throw error;
    expect(checkMessage(sent.message)).toEqual([]);
    posted.push(sent);
  }
  const slack: Pick<SlackCalls, 'respond' | 'postMessage'> = {
    async respond(responseUrl, message, { kind, threadTs }) {
      expect(kind).toBe('post');
      post({ responseUrl, channelId: null, message, threadTs });
    },
    async postMessage(channelId, threadTs, message) {
      post({ responseUrl: null, channelId, message, threadTs: threadTs ?? undefined });
    },
  };
  const host = { publicUrl: 'https://skills.example.org', publishes: { skills } };

  function contextOf({ locale = 'en', inModal = false, userId = 'U1', ...rest }: Where): SlackContext {
    const conversation = inModal
      ? { channelId: null, responseUrl: null }
      : { channelId: 'C1', responseUrl: 'https://hooks.example.org/secret' };
    return {
      savedStates,
      people,
      learn,
      ...host,
      owner: { tenantId: DEFAULT_TENANT, person: `slack:T1:${userId}` },
      userId,
      ...conversation,
      ...rest,
      triggerId: 'trigger',
      discovery,
      view: inModal ? viewOf({ type: 'modal', callback_id: 'any', title: blank, blocks: [] }, {}) : null,
      slack: slack as unknown as SlackCalls,
      words: async () => ({ t: languages.translatorOf(locale), locale }),
    } as unknown as SlackContext;
  }

  const find = <K extends ListenerKind>(kind: K, name: string) =>
    findListener(skillsListeners, kind, name) as ListenerOf<K>;

  async function act(actionId: string, value: string, where: Where = {}): Promise<Reply> {
    const action = { actionId, blockId: 'any', value, values: [] };
    return checked(await find('action', actionId).handle(contextOf(where), action));
  }

  return {
    savedStates,
    people,
    posted,
    searched,
    async command(text, where = {}) {
      return checked(await find('command', '/skills').handle(contextOf(where), text));
    },
    click(shown, text, where) {
      const { actionId, value } = choicesIn(shown).find((choice) => choice.text === text)!;
      return act(actionId, value, where);
    },
    act,
    async submit(view, values, where = {}) {
      const sent = viewOf(view, values);
      const answer = await find('view', view.callback_id!).handle(contextOf({ ...where, inModal: true }), sent);
      if ('view' in answer.show) expect(checkView(answer.show.view)).toEqual([]);
      return answer;
    },
    async shortcut(callbackId, source, where = {}) {
      return checked(await find('shortcut', callbackId).handle(contextOf(where), source));
    },
    async options(actionId, typed, where = {}) {
      const options = await find('options', actionId).handle(contextOf(where), typed);
      expect(checkOptions({ options })).toEqual([]);
      return options.map((option) => ('text' in option ? option.text.text : option.label.text));
    },
    failNextPost(error) {
      failure = error;
    },
  };
}

const blank = { type: 'plain_text' as const, text: '-' };

function viewOf(view: ModalView, filled: Readonly<Record<string, string>>): SlackView {
  const values: ViewValues = Object.fromEntries(
    Object.entries(filled).map(([id, value]) => {
      const isTyped = id.endsWith('words') || id.endsWith('text');
      const typed = { type: 'plain_text_input', value };
      const chosen = { type: 'static_select', selected_option: { value } };
      return [id, { [id]: isTyped ? typed : chosen }];
    }),
  );
  const { callback_id: callbackId = '', private_metadata: privateMetadata = '' } = view;
  return { id: 'V1', hash: 'h1', type: 'modal', callbackId, privateMetadata, values };
}

/** What is not fine in Slack, here is not either. */
export function checked(reply: Reply): Reply {
  if ('message' in reply) {
    expect(checkMessage(reply.message)).toEqual([]);
    // It may be shown in a modal as well.
    expect(checkView({ type: 'modal', title: blank, close: blank, blocks: reply.message.blocks })).toEqual([]);
  }
  if ('view' in reply) expect(checkView(reply.view)).toEqual([]);
  return reply;
}

/** The message of a reply. */
export function messageOf(reply: Reply): Message {
  if (!('message' in reply)) throw new Error(`There is no message in ${JSON.stringify(reply)}`);
  return reply.message;
}

export function viewIn(reply: Reply): ModalView {
  if (!('view' in reply)) throw new Error(`There is no view in ${JSON.stringify(reply)}`);
  return reply.view;
}

/** What comes once a modal is open. */
export function afterwardsOf(reply: Reply): Promise<Reply> {
  if (reply.kind === 'modal' && reply.afterwards !== undefined) return reply.afterwards();
  throw new Error(`Nothing comes after ${JSON.stringify(reply)}`);
}

export interface ShownChoice {
  readonly actionId: string;
  readonly text: string;
  readonly value: string;
}

/** Buttons, and what menus offer. */
export function choicesIn({ blocks }: Shown): ShownChoice[] {
  return blocks
    .flatMap((block) => elementsOf(block))
    .flatMap((element) => {
      const {
        type,
        action_id: actionId,
        text,
        value,
        options,
      } = element as unknown as {
        readonly type: string;
        readonly action_id: string;
        readonly text: { readonly text: string };
        readonly value: string;
        readonly options: readonly { readonly text: { readonly text: string }; readonly value: string }[];
      };
      if (type === 'button') return [{ actionId, text: text.text, value }];
      return options.map((option) => ({ actionId, text: option.text.text, value: option.value }));
    });
}

function elementsOf(block: KnownBlock): readonly object[] {
  if (block.type === 'actions') return block.elements;
  return block.type === 'section' && block.accessory ? [block.accessory] : [];
}

/** All that is written in a message but on buttons, line by line. */
export function textIn({ blocks }: Shown): string {
  return blocks
    .flatMap((block) => {
      if (block.type === 'section') return [block.text?.text ?? ''];
      if (block.type === 'header') return [block.text.text];
      if (block.type === 'context') return block.elements.map((each) => ('text' in each ? each.text : ''));
      return [];
    })
    .join('\n');
}
