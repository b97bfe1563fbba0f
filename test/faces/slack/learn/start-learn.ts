import { expect, onTestFinished } from 'vitest';
import { checkMessage, checkOptions, checkView } from '../../../../demo/slack/block-kit/check.ts';
import { noPreferences, type Preferences } from '../../../../src/domain/person.ts';
import { toPublicPictures } from '../../../../src/domain/picture.ts';
import { toSlackPerson } from '../../../../src/domain/slack.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { findListener } from '../../../../src/faces/slack/app/call-listener.ts';
import type { Message, ModalView } from '../../../../src/faces/slack/blocks/block-kit.ts';
import type { SlackFaceDeps } from '../../../../src/faces/slack/deps.ts';
import { learn, learnListeners } from '../../../../src/faces/slack/learn/learn.ts';
import type {
  ListenerKind,
  ListenerOf,
  Reply,
  ShareTarget,
  SlackContext,
  SlackView,
  ViewAnswer,
} from '../../../../src/faces/slack/listener.ts';
import type { SlackCalls } from '../../../../src/faces/slack/slack-api/slack-calls.ts';
import { type Locale, readLanguages } from '../../../../src/faces/words/i18n.ts';
import type { LearningService } from '../../../../src/ports/learning-service.ts';
import { createPeople } from '../../../../src/services/people/people.ts';
import { createSavedStates } from '../../../../src/services/people/saved-states.ts';
import { createDiscovery } from '../../../../src/services/searching/discovery.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import type { HandlerService } from '../../../fakes/learning-service.ts';
import { createFakePictures } from '../../../fakes/pictures.ts';
import { openServices } from '../../../helpers/open-services.ts';
import { answersOf, searchDepsOf } from '../../../services/searching/discovery/discovery-parts.ts';
import { choicesIn, messageOf, textIn } from './read-message.ts';
import { manyObjects, serviceWith } from './scripted-service.ts';

const languages = readLanguages();

/** What differs from a person in a channel. */
export interface Where {
  readonly locale?: Locale;
  readonly userId?: string;
  readonly channelId?: string;
  /** In a modal, which has no conversation. */
  readonly inModal?: boolean;
}

export interface LearnOptions {
  readonly preferences?: Partial<Preferences>;
  readonly deps?: Partial<SlackFaceDeps>;
}

/** The listeners of `/learn` over a real store and whatever service answers. What they give is
 *  checked as Slack checks it, as a message and as a modal. */
export async function startLearn(
  learning: LearningService | HandlerService = serviceWith(manyObjects(12)),
  { preferences, deps: otherwise }: LearnOptions = {},
) {
  const clock = createStandingClock();
  const services = await openServices(clock);
  onTestFinished(() => services.close());
  const { store, problems } = services;
  const deps = {
    ...services,
    savedStates: createSavedStates({ nonces: store.nonces, clock }),
    people: createPeople({ ...store, clock }),
    slackFeedbackLimit: services.ltiFeedbackLimit,
    publicUrl: 'https://skills.example.org',
    publishes: { skills: true },
    onProblem: (error: unknown) => problems.push(error),
    ...otherwise,
  } as unknown as SlackFaceDeps;
  const discovery = createDiscovery({ ...searchDepsOf(answersOf(learning)), count: () => {} });
  const find = <K extends ListenerKind>(kind: K, name: string) =>
    findListener(learnListeners, kind, name) as ListenerOf<K>;
  const posted: { readonly way: string; readonly threadTs: string | undefined; readonly message: Message }[] = [];
  const failures: Error[] = [];

  function post(way: string, message: Message, threadTs?: string) {
    const failure = failures.shift();
    if (failure) throw failure;
    expect(checkMessage(message)).toEqual([]);
    posted.push({ way, threadTs, message });
  }

  const slack: Partial<SlackCalls> = {
    async respond(responseUrl, message, { kind, threadTs }) {
      expect(kind).toBe('post');
      post(responseUrl, message, threadTs);
    },
    async postMessage(channelId, threadTs, message) {
      post(channelId, message, threadTs ?? undefined);
    },
  };

  function contextOf({ locale = 'en', userId = 'U1', channelId = 'C1', inModal = false }: Where = {}): SlackContext {
    const pictures = toPublicPictures(createFakePictures(), 'https://skills.example.org');
    const words = { t: languages.translatorOf(locale), locale, pictures };
    return {
      ...deps,
      learn,
      owner: { tenantId: DEFAULT_TENANT, person: toSlackPerson('T1', userId) },
      userId,
      channelId: inModal ? null : channelId,
      responseUrl: inModal ? null : `https://hooks.example.org/${channelId}`,
      triggerId: 'trigger',
      discovery,
      view: inModal ? viewOf('any', '') : null,
      slack: slack as SlackCalls,
      words: async () => words,
      preferences: async () => ({ ...noPreferences, ...preferences }),
    } as SlackContext;
  }

  async function act(
    actionId: string,
    value: string,
    { blockId = 'any', ...where }: Where & { blockId?: string } = {},
  ) {
    const action = { actionId, blockId, value, values: [] };
    return checked(await find('action', actionId).handle(contextOf(where), action));
  }

  async function submit(view: ModalView, verdict: string | null, comment: string): Promise<ViewAnswer> {
    const sent = {
      ...viewOf(view.callback_id!, view.private_metadata!),
      values: {
        verdict: {
          verdict: { type: 'radio_buttons', selected_option: verdict === null ? null : { value: verdict } },
        },
        comment: { comment: { type: 'plain_text_input', value: comment === '' ? null : comment } },
      },
    };
    const answer = await find('view', view.callback_id!).handle(contextOf({ inModal: true }), sent);
    if ('view' in answer.show) expect(checkView(answer.show.view)).toEqual([]);
    return answer;
  }

  function click(shown: Message, text: string, { nth = 0, ...where }: Where & { nth?: number } = {}): Promise<Reply> {
    const choice = choicesIn(shown).filter((each) => each.text === text)[nth];
    if (choice === undefined) throw new Error(`Nothing says ${text}`);
    return act(choice.actionId, choice.value, { ...where, blockId: choice.blockId });
  }

  return {
    ...deps,
    services,
    clock,
    posted,
    problems,
    /** The next posts fail with these. */
    failures,
    act,
    contextOf,
    async command(text: string, where?: Where): Promise<Message> {
      return messageOf(checked(await find('command', '/learn').handle(contextOf(where), text)));
    },
    /** As a modal has it that was asked for in a conversation. */
    async search(text: string, shareTo?: ShareTarget, where?: Where): Promise<Message> {
      const message = await learn.search(contextOf(where), text, shareTo);
      return messageOf(checked({ kind: 'message', message }));
    },
    /** Clicks the `nth` button that has this text, or chooses it in a menu. */
    click,
    /** Shares the first object after the preview. @returns what the form then says */
    async share(shown: Message, { comment = '', ...where }: Where & { comment?: string } = {}): Promise<string> {
      const preview = await click(shown, 'Share', where);
      if (preview.kind !== 'modal') throw new Error('There is no preview.');
      const { show } = await submit(preview.view, null, comment);
      return 'view' in show ? textIn({ text: '', blocks: show.view.blocks } as Message) : '';
    },
    submit,
    async options(typed: string): Promise<string[]> {
      const options = await find('options', 'learn_filter_provider').handle(contextOf(), typed);
      expect(checkOptions({ options })).toEqual([]);
      return options.map((option) => ('text' in option ? option.text.text : ''));
    },
  };
}

const blank = { type: 'plain_text' as const, text: '-' };

const viewOf = (callbackId: string, privateMetadata: string): SlackView => ({
  id: 'V1',
  hash: 'h1',
  type: 'modal',
  callbackId,
  privateMetadata,
  values: {},
});

function checked(reply: Reply): Reply {
  if ('message' in reply) {
    expect(checkMessage(reply.message)).toEqual([]);
    const { blocks } = reply.message;
    expect(checkView({ type: 'modal', title: blank, close: blank, blocks })).toEqual([]);
  }
  if ('view' in reply) expect(checkView(reply.view)).toEqual([]);
  return reply;
}
