import { finishInTime } from '#domain/async/deadline';
import type { Preferences } from '#domain/person';
import { toSlackPerson } from '#domain/slack';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext } from '../listener.ts';
import type { SlackApi } from '../slack-api/slack-api.ts';
import { createSlackCalls } from '../slack-api/slack-calls.ts';
import { type Incoming, toIncomingView } from './incoming.ts';
import type { PersonWords } from './person-words.ts';

export interface ContextDeps {
  readonly deps: SlackFaceDeps;
  readonly api: SlackApi;
  readonly personWords: PersonWords;
}

/** Words are needed most where the store does not answer. */
const PREFERENCES_MS = 500;

/** The person who asks, and from where. Errors: those of `Incoming.admit`. */
export async function createContext(
  { deps, api, personWords }: ContextDeps,
  incoming: Incoming,
): Promise<SlackContext> {
  const { installation, botToken } = await incoming.admit();
  const { tenantId } = installation;
  const { userId, channelId, triggerId, responseUrl, view } = incoming;
  const owner = { tenantId, person: toSlackPerson(installation.id, userId) };
  const call = api.as(botToken);
  const preferences = once(() => deps.people.getPreferences(owner));
  const wordsFor = async ({ locale }: Pick<Preferences, 'locale'>) =>
    personWords.wordsIn(locale ?? (await personWords.findLocale(owner.person, userId, call)));
  const findWords = once(async () =>
    wordsFor((await finishInTime(preferences().catch(toNoLocale), PREFERENCES_MS)) ?? toNoLocale()),
  );
  return {
    owner,
    installation,
    userId,
    channelId,
    triggerId,
    responseUrl,
    discovery: deps.discoveryOf(tenantId),
    view: view === null ? null : toIncomingView(view),
    slack: createSlackCalls(call),
    words: (changed) => (changed === undefined ? findWords() : wordsFor(changed)),
    preferences,
  };
}

const toNoLocale = (): Pick<Preferences, 'locale'> => ({ locale: null });

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
