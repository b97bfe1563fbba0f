import type { Locale, Translate } from '../../src/faces/words/i18n.ts';
import { chatPlaces } from './chat-state.ts';
import type { ChatWorld } from './chat-world.ts';

/** Texts that the scripts say. */
const scriptWords = [
  'app',
  'appBadge',
  'onlyYou',
  'choose',
  'chosen',
  'remove',
  'options',
  'noOptions',
  'optionCount',
  'more',
  'messageMenu',
  'findLearning',
  'reply',
  'replyTo',
  'required',
  'optional',
  'unknownBlock',
  'payload',
  'checked',
  'back',
  'close',
  'waiting',
  'tooLate',
  'failed',
  'away',
  'busy',
  'noCookies',
  'changed',
  'home',
  'homeTopic',
  'homeEmpty',
  'topic_learning',
  'topic_general',
  'topic_ada-ben',
  'placeholder',
  'locale_en',
  'locale_fr',
  'composerHint',
  'learnUsage',
  'learnWhat',
  'learnHint',
  'skillsUsage',
  'skillsWhat',
  'skillsHint',
] as const;

interface Words {
  readonly locale: Locale;
  readonly t: Translate;
}

/** What the chat page shows before its scripts have run, and what they begin with. */
export function pageModel(
  world: ChatWorld,
  { locale, t }: Words,
  page: { readonly hostUrl: string; readonly imports: readonly string[] },
) {
  const words = Object.fromEntries(scriptWords.map((name) => [name, t(`demoChat.script.${name}`)]));
  return { ...page, locale, t, begin: JSON.stringify({ locale, words, ...chatPlaces(world) }) };
}
