import { expect } from 'vitest';
import { checkOptions, checkView } from '../../../../demo/slack/block-kit/check.ts';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import type { Preferences } from '../../../../src/domain/person.ts';
import { toPublicPictures } from '../../../../src/domain/picture.ts';
import { toSlackPerson } from '../../../../src/domain/slack.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import type { AppError } from '../../../../src/errors.ts';
import { findListener } from '../../../../src/faces/slack/app/call-listener.ts';
import type { HomeView, ModalView } from '../../../../src/faces/slack/blocks/block-kit.ts';
import { homeListeners } from '../../../../src/faces/slack/home/home.ts';
import {
  HOME,
  type Learn,
  type ListenerKind,
  type ListenerOf,
  type SlackContext,
  type SlackView,
  type ViewAnswer,
  type ViewValues,
} from '../../../../src/faces/slack/listener.ts';
import type { SlackCalls } from '../../../../src/faces/slack/slack-api/slack-calls.ts';
import { type Locale, readLanguages } from '../../../../src/faces/words/i18n.ts';
import type { SlackInstallationRecord } from '../../../../src/ports/store/store.ts';
import { createFakePictures } from '../../../fakes/pictures.ts';
import { openServices } from '../../../helpers/open-services.ts';

const languages = readLanguages();

const installation: SlackInstallationRecord = {
  id: 'T1',
  tenantId: DEFAULT_TENANT,
  kind: 'workspace',
  name: 'Acme',
  enterpriseId: null,
  appId: 'A1',
  botId: 'B1',
  botUserId: 'U0',
  scopes: [],
  installedBy: 'U1',
  installedAt: new Date(0),
};

export const ada = { tenantId: DEFAULT_TENANT, person: toSlackPerson('T1', 'U1') };
/** The same person in an LMS. */
export const adaInCourse = { tenantId: DEFAULT_TENANT, person: 'lti:r1:ada' };

/** Home over real services on a real store. Every view passes the checker before anything else
 *  looks at it. */
export async function startHome({ slackLocale = 'en' as Locale, publicUrl = 'https://skills.example.org' } = {}) {
  const services = await openServices();
  const { people, personData, shelf, plans, personSessions, tenants, savedStates, problems } = services;
  const published: HomeView[] = [];
  const refusals: AppError[] = [];
  /** What was searched for. */
  const typed: string[] = [];
  const learn: Pick<Learn, 'search'> = {
    async search({ owner }, text) {
      typed.push(text);
      await people.noteSearch(owner, text);
      return { text: 'Found', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Found' } }] };
    },
  };
  const onProblem = (error: unknown) => problems.push(error);
  const deps = { people, personData, shelf, plans, personSessions, publicUrl, tenants, savedStates };

  const home = () => published.at(-1)!;
  const calls: Pick<SlackCalls, 'publishHome'> = {
    async publishHome(userId, view) {
      expect(userId).toBe('U1');
      expect(checkView(view)).toEqual([]);
      const error = refusals.shift();
      if (error !== undefined) throw error;
      published.push(view);
    },
  };

  function contextOf(view: SlackView | null): SlackContext {
    return {
      ...deps,
      onProblem,
      learn: learn as Learn,
      owner: ada,
      installation,
      userId: 'U1',
      channelId: null,
      triggerId: 'trigger',
      responseUrl: null,
      discovery: services.discoveryOf(DEFAULT_TENANT),
      view,
      slack: calls as SlackCalls,
      preferences: () => people.getPreferences(ada),
      async words(changed?: Preferences) {
        const locale = (changed ?? (await people.getPreferences(ada))).locale ?? slackLocale;
        const pictures = toPublicPictures(createFakePictures(), 'https://skills.example.org');
        return { t: languages.translatorOf(locale), locale, pictures };
      },
    } as unknown as SlackContext;
  }

  return {
    ...services,
    publicUrl,
    onProblem,
    contextOf,
    published,
    typed,
    refuseOnce: (error: AppError) => refusals.push(error),
    home,
    save: (object: LearningObject) => shelf.save(ada, { object, requestId: null }),
    async open() {
      await find('home', HOME).handle(contextOf(null));
      return home();
    },
    /** Clicks on Home as it is shown. */
    async click(actionId: string, value = '-') {
      const context = contextOf({ ...modal, type: 'home', privateMetadata: home().private_metadata! });
      const reply = await find('action', actionId).handle(context, { actionId, blockId: 'b', value, values: [] });
      if (reply.kind === 'modal') expect(checkView(reply.view)).toEqual([]);
      return reply;
    },
    /** Sends a modal, and does what comes after it as the face does. */
    async send(callbackId: string, values: ViewValues): Promise<ViewAnswer['show']> {
      const view = { ...modal, callbackId, values };
      const context = contextOf(view);
      const answer = await find('view', callbackId).handle(context, view);
      if (answer.show.kind === 'update') expect(checkView(answer.show.view)).toEqual([]);
      await answer.afterwards?.();
      return answer.show;
    },
    async typeProvider(text: string) {
      const options = await find('options', 'home_providers').handle(contextOf(null), text);
      expect(checkOptions({ options })).toEqual([]);
      return options.map((option) => ('value' in option ? option.value : null));
    },
  };
}

export type StartedHome = Awaited<ReturnType<typeof startHome>>;

export const modal: SlackView = {
  id: 'V1',
  hash: 'h',
  type: 'modal',
  callbackId: '',
  privateMetadata: '',
  values: {},
};

const find = <K extends ListenerKind>(kind: K, name: string) =>
  findListener(homeListeners, kind, name) as ListenerOf<K>;

/** Everything that is read in a view, in its order. */
export function textsOf(view: HomeView | ModalView): string {
  const texts: string[] = [];
  JSON.stringify(view.blocks, (name, value) => {
    if (name === 'text' && typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
}

/** Values of the buttons with this action, in their order. */
export function buttonsOf(view: HomeView | ModalView, actionId: string): string[] {
  const values: string[] = [];
  JSON.stringify(view.blocks, (_, value) => {
    if (value?.action_id === actionId) values.push(value.value);
    return value;
  });
  return values;
}

/** The texts in which Slack looks for links and mentions. */
export function markedUp(view: HomeView | ModalView): string {
  const texts: string[] = [];
  JSON.stringify(view.blocks, (_, value) => {
    if (value?.type === 'mrkdwn') texts.push(value.text);
    return value;
  });
  return texts.join('\n');
}
