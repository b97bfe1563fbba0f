import { LRUCache } from 'lru-cache';
import { finishInTime } from '#domain/async/deadline';
import { limitEntries } from '#domain/limit-entries';
import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { chooseLocale, type Locale, readLanguages } from '#faces/words/i18n';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext } from '../listener.ts';
import type { CallSlack } from '../slack-api/slack-api.ts';

const MAX_PEOPLE = 20_000;
const HOUR_MS = 3_600_000;
/** While Slack names no language, it is asked once a minute, not with each request. */
const UNKNOWN_MS = 60_000;
const PATIENCE_MS = 1_000;
/** When Slack fails, it fails for everyone: one line in the log is enough. */
const QUIET_MS = 60_000;

export type PersonWords = ReturnType<typeof createPersonWords>;

/** The words of people in the language that they set in Slack, which is asked once an hour. */
export function createPersonWords({ pictures, onProblem }: Pick<SlackFaceDeps, 'pictures' | 'onProblem'>) {
  const languages = readLanguages();
  const cached = new LRUCache<string, Promise<Locale | null>>({ ...limitEntries(MAX_PEOPLE), ttl: HOUR_MS });
  let quietUntil = 0;

  function report(error: unknown): void {
    // In a shared channel Slack does not name people of other workspaces; that is not an error.
    const isUnknownPerson = error instanceof AppError && error.data.slackError === 'user_not_found';
    if (isUnknownPerson || performance.now() < quietUntil) return;
    quietUntil = performance.now() + QUIET_MS;
    onProblem(error);
  }

  async function askSlack(userId: string, call: CallSlack): Promise<Locale | null> {
    try {
      const { user } = await call('users.info', { user: userId, include_locale: true });
      const { locale } = (user ?? {}) as { readonly locale?: unknown };
      return typeof locale === 'string' ? chooseLocale(locale, undefined) : null;
    } catch (error) {
      report(error);
      return null;
    }
  }

  return {
    languages,
    wordsIn: (locale: Locale): ObjectWords => ({ t: languages.translatorOf(locale), locale, pictures }),
    /** Finds the language set in Slack; English without one, or after a second. Never rejects. */
    async findLocale(person: string, userId: string, call: CallSlack): Promise<Locale> {
      let asking = cached.get(person);
      if (asking === undefined) {
        asking = askSlack(userId, call);
        cached.set(person, asking);
        void asking.then((locale) => {
          if (locale === null) cached.set(person, Promise.resolve(null), { ttl: UNKNOWN_MS });
        });
      }
      return (await finishInTime(asking, PATIENCE_MS)) ?? 'en';
    },
  };
}

const WORDS_MS = 300;

/** Finds the words of who asks; English ones if nobody is known or after 0.3 s. */
export async function findPersonWordsInTime(
  context: Pick<SlackContext, 'words'> | null,
  { wordsIn }: Pick<PersonWords, 'wordsIn'>,
): Promise<ObjectWords> {
  return (context && (await finishInTime(context.words(), WORDS_MS))) ?? wordsIn('en');
}
