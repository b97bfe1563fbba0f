import { LRUCache } from 'lru-cache';
import { finishInTime } from '#domain/async/deadline';
import { limitEntries } from '#domain/limit-entries';
import type { PictureLinks } from '#domain/picture';
import { AppError } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { type Languages, type Locale, readLanguages } from '#faces/words/i18n';
import type { SlackContext } from '../listener.ts';
import type { CallSlack } from '../slack-api/slack-api.ts';

const REMEMBERED = 20_000;
const HOUR_MS = 3_600_000;
/** While Slack does not give somebody's language, it is asked once a minute, not for each of their requests. */
const UNKNOWN_MS = 60_000;
const PATIENCE_MS = 1_000;
/** When Slack fails, it fails for everyone: one line in the log is enough. */
const QUIET_MS = 60_000;
const WORDS_MS = 300;

export interface PersonWords {
  readonly languages: Languages;
  wordsIn(locale: Locale): ObjectWords;
  /** The language that somebody has chosen in Slack; English where it is none of ours, or Slack does not say it within a
   *  second. Never rejects. */
  findLocale(person: string, userId: string, call: CallSlack): Promise<Locale>;
}

export interface PersonWordsDeps {
  readonly pictures: Pick<PictureLinks, 'linkTo'>;
  onProblem(error: unknown): void;
}

export function createPersonWords({ pictures, onProblem }: PersonWordsDeps): PersonWords {
  const languages = readLanguages();
  const known = new LRUCache<string, Promise<Locale | null>>({ ...limitEntries(REMEMBERED), ttl: HOUR_MS });

  let quietUntil = 0;

  function report(error: unknown): void {
    if (isOfNobody(error) || performance.now() < quietUntil) return;
    quietUntil = performance.now() + QUIET_MS;
    onProblem(error);
  }

  async function ask(userId: string, call: CallSlack): Promise<Locale | null> {
    try {
      const answer = await call('users.info', { user: userId, include_locale: true });
      const { locale } = (answer.user ?? {}) as { readonly locale?: unknown };
      return typeof locale === 'string' ? toLocale(locale) : null;
    } catch (error) {
      report(error);
      return null;
    }
  }

  return {
    languages,
    wordsIn: (locale) => ({ t: languages.translatorOf(locale), locale, pictures }),
    async findLocale(person, userId, call) {
      let asked = known.get(person);
      if (asked === undefined) {
        asked = ask(userId, call);
        known.set(person, asked);
        void asked.then((locale) => {
          if (locale === null) known.set(person, Promise.resolve(null), { ttl: UNKNOWN_MS });
        });
      }
      return (await finishInTime(asked, PATIENCE_MS)) ?? 'en';
    },
  };
}

/** For what must be said at once: English if the person is unknown, or their language is not known soon enough. */
export async function findPersonWordsInTime(
  context: Pick<SlackContext, 'words'> | null,
  { wordsIn }: Pick<PersonWords, 'wordsIn'>,
): Promise<ObjectWords> {
  return (context && (await finishInTime(context.words(), WORDS_MS))) ?? wordsIn('en');
}

/** In a shared channel Slack does not know people of other workspaces; that is not an error. */
const isOfNobody = (error: unknown): boolean =>
  error instanceof AppError && error.data.said === 'user_not_found';

/** `fr-CA` → `fr`. */
const toLocale = (tag: string): Locale => (/^fr\b/i.test(tag) ? 'fr' : 'en');
