/** Formatters are cached, as making one takes up to a millisecond. */
const namesByLocale = new Map<string, Intl.DisplayNames>();
const wordsByCode = new Map<string, string>();
/** A limit, as addresses can name any number of codes. */
const MAX_WORDS = 2_000;

/** Finds the name as it is written at the beginning of a line; the code itself if it is unknown.
 *  @example findLanguageName('fr', 'es') // 'Francés' */
export function findLanguageName(code: string, locale: string): string {
  const name = findLanguageWord(code, locale);
  return name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1);
}

/** Finds the name as it is written within a sentence; the code itself if it is unknown.
 *  @example findLanguageWord('fr', 'es') // 'francés' */
export function findLanguageWord(code: string, locale: string): string {
  const key = `${locale} ${code}`;
  const cached = wordsByCode.get(key);
  if (cached !== undefined) return cached;
  const names = namesByLocale.get(locale) ?? new Intl.DisplayNames([locale], { type: 'language' });
  namesByLocale.set(locale, names);
  try {
    const word = names.of(code) ?? code;
    if (wordsByCode.size < MAX_WORDS) wordsByCode.set(key, word);
    return word;
  } catch {
    return code;
  }
}

/** Lists languages with their names, in the order of the names. */
export function listLanguageNames(codes: Iterable<string>, locale: string) {
  return Array.from(codes, (code) => ({ code, name: findLanguageName(code, locale) })).sort((a, b) =>
    a.name.localeCompare(b.name, locale),
  );
}
