/** What a word becomes in a language. */
export type ReadWord = (word: string, lang: string) => string;

/** In one heap for all that is searched: some 5 MB. */
const MAX_CACHED_WORDS = 50_000;

/** The same function with a cache of at most 50,000 words, of all languages together: callers may write any text for a language.
 *  They are forgotten together. Gives the same string each time. */
export function cacheWords(read: ReadWord): ReadWord {
  const caches = new Map<string, Map<string, string>>();
  let size = 0;

  function keep(word: string, lang: string): string {
    if (size >= MAX_CACHED_WORDS) {
      caches.clear();
      size = 0;
    }
    const own = copyWord(word);
    const made = read(own, lang);
    let cache = caches.get(lang);
    if (cache === undefined) {
      cache = new Map();
      caches.set(lang, cache);
    }
    cache.set(own, made);
    size++;
    return made;
  }

  return (word, lang) => caches.get(lang)?.get(word) ?? keep(word, lang);
}

/** V8 cuts a long word out of a text without copying it, so that who keeps the word keeps the whole text. */
function copyWord(word: string): string {
  return ` ${word}`.slice(1);
}
