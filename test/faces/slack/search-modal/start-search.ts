import type { types } from '@slack/bolt';
import { expect, onTestFinished } from 'vitest';
import { checkOptions, checkView } from '../../../../demo/slack/block-kit/check.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { findListener } from '../../../../src/faces/slack/app/call-listener.ts';
import type { ModalView } from '../../../../src/faces/slack/blocks/block-kit.ts';
import type { LearnChoices } from '../../../../src/faces/slack/learn/choices.ts';
import type {
  Learn,
  ListenerKind,
  ListenerOf,
  ShareTarget,
  SlackContext,
  SlackView,
  ViewAnswer,
  ViewValue,
} from '../../../../src/faces/slack/listener.ts';
import { searchListeners } from '../../../../src/faces/slack/search-modal/search-modal.ts';
import { type Locale, readLanguages } from '../../../../src/faces/words/i18n.ts';
import type { LearningService } from '../../../../src/ports/learning-service.ts';
import { createSavedStates } from '../../../../src/services/people/saved-states.ts';
import { createDiscovery } from '../../../../src/services/searching/discovery.ts';
import type { HandlerService } from '../../../fakes/learning-service.ts';
import { openServices } from '../../../helpers/open-services.ts';
import { answersOf, searchDepsOf } from '../../../services/searching/discovery/discovery-parts.ts';

/** A search of somebody who prefers nothing. */
export const nothingBegun: LearnChoices = {
  words: '',
  phrases: [],
  lang: null,
  types: [],
  providers: [],
  blooms: [],
  levels: [],
  minMinutes: null,
  maxMinutes: null,
  price: null,
  sort: 'popularity',
  excluded: [],
  preferred: [],
  itemsPerPage: 5,
  proposals: [],
};

/** What differs from a person in a channel. */
export interface Where {
  readonly locale?: Locale;
  /** In a modal, which has no conversation. */
  readonly inModal?: boolean;
}

const languages = readLanguages();

/** The listeners of the search form over a real store and whatever service answers. What they give
 *  is checked as Slack checks it. @param begun what a search begins with */
export async function startSearch(learning: LearningService | HandlerService, begun: Partial<LearnChoices> = {}) {
  const services = await openServices();
  onTestFinished(() => services.close());
  const savedStates = createSavedStates({ nonces: services.store.nonces, clock: services.clock });
  const discovery = createDiscovery({ ...searchDepsOf(answersOf(learning)), count: () => {} });
  const searched: { readonly typed: string; readonly shareTo: ShareTarget | undefined }[] = [];
  const learn: Learn = {
    begin: async () => ({ ...nothingBegun, ...begun }),
    async search(_context, typed, shareTo) {
      searched.push({ typed, shareTo: shareTo ?? undefined });
      return { text: 'Objects', blocks: [] };
    },
  };
  const owner = { tenantId: DEFAULT_TENANT, person: 'slack:T1:U1' };

  function contextOf({ locale = 'en', inModal = false }: Where): SlackContext {
    return {
      savedStates,
      learn,
      owner,
      channelId: inModal ? null : 'C1',
      responseUrl: inModal ? null : 'https://hooks.example.org/secret',
      discovery,
      words: async () => ({ t: languages.translatorOf(locale), locale }),
    } as SlackContext;
  }

  const find = <K extends ListenerKind>(kind: K, name: string) =>
    findListener(searchListeners, kind, name) as ListenerOf<K>;

  return {
    searched,
    keep: (state: object) => savedStates.keep(owner, state),
    /** With a button of this value; the shortcut where there is none. */
    async open(value: string | null = null, where: Where = {}): Promise<ModalView> {
      const action = { actionId: 'search_open', blockId: 'any', value: value ?? '', values: [] };
      const reply =
        value === null
          ? await find('shortcut', 'search_learning').handle(contextOf(where), null)
          : await find('action', 'search_open').handle(contextOf(where), action);
      if (reply.kind !== 'modal') throw new Error(`a modal, not ${reply.kind}`);
      expect(checkView(reply.view)).toEqual([]);
      return reply.view;
    },
    /** As it is, but for these. A text is typed, or one choice; several are a list. */
    async submit(view: ModalView, filled: Readonly<Record<string, string | readonly string[]>>): Promise<ViewAnswer> {
      const fields = fieldsOf(view);
      const values = fields.map(({ block_id: id = '', element }) => [
        id,
        { [id]: filledIn(element as unknown as Field, filled[id]) },
      ]);
      const sent = { privateMetadata: view.private_metadata, values: Object.fromEntries(values) };
      const answer = await find('view', view.callback_id!).handle(contextOf({ inModal: true }), sent as SlackView);
      if ('view' in answer.show) expect(checkView(answer.show.view)).toEqual([]);
      return answer;
    },
    async options(field: string, typed: string, where: Where = {}): Promise<string[]> {
      const options = await find('options', `search_${field}`).handle(contextOf(where), typed);
      expect(checkOptions({ options })).toEqual([]);
      return options.map((option) => ('text' in option ? option.text.text : option.label.text));
    },
  };
}

const fieldsOf = ({ blocks }: ModalView) => blocks.filter((block): block is types.InputBlock => block.type === 'input');

interface Field {
  readonly type: string;
  readonly initial_value?: string;
  readonly initial_option?: { readonly value: string };
  readonly initial_options?: readonly { readonly value: string }[];
}

/** As Slack sends it: what is there at first, unless something else is filled in. */
function filledIn({ type, ...initial }: Field, filled: string | readonly string[] | undefined): ViewValue {
  if (type === 'plain_text_input') return { type, value: (filled as string) ?? initial.initial_value ?? null };
  if (type.startsWith('multi_')) {
    const chosen = (filled as readonly string[] | undefined)?.map((value) => ({ value }));
    return { type, selected_options: chosen ?? initial.initial_options ?? [] };
  }
  const chosen = filled === undefined ? initial.initial_option : { value: filled as string };
  return { type, selected_option: chosen ?? null };
}

/** What is chosen or typed in the form at first, by field. */
export function atFirst(view: ModalView): Readonly<Record<string, string | readonly string[]>> {
  const fields = fieldsOf(view);
  const filled = fields.flatMap(({ block_id: id = '', element }) => {
    const { initial_value: typed, initial_option: one, initial_options: several } = element as unknown as Field;
    const value = typed ?? one?.value ?? several?.map((each) => each.value);
    return value === undefined || value === 'any' ? [] : [[id.replace('search_', ''), value]];
  });
  return Object.fromEntries(filled);
}
