/** Making a formatter takes up to a millisecond. */
const namesByLocale = new Map<string, Intl.DisplayNames>();
const listsByLocale = new Map<string, Intl.ListFormat>();
const wordsByCode = new Map<string, string>();
/** Codes of addresses are not cached on and on. */
const MAX_WORDS = 2_000;

function getLanguageNames(locale: string): Intl.DisplayNames {
  const names = namesByLocale.get(locale) ?? new Intl.DisplayNames([locale], { type: 'language' });
  namesByLocale.set(locale, names);
  return names;
}

/** Names one after another as the language joins them: `A, B and C`. */
export function joinNames(names: Iterable<string>, locale: string, type: Intl.ListFormatType = 'conjunction'): string {
  const key = `${locale} ${type}`;
  const format = listsByLocale.get(key) ?? new Intl.ListFormat(locale, { type });
  listsByLocale.set(key, format);
  return format.format(names);
}

/** Capitalised, as it begins a line; the code itself if it is unknown. */
export function findLanguageName(code: string, locale: string): string {
  const name = findLanguageWord(code, locale);
  return name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1);
}

/** The same as it is written within a sentence. */
export function findLanguageWord(code: string, locale: string): string {
  const key = `${locale} ${code}`;
  const cached = wordsByCode.get(key);
  if (cached !== undefined) return cached;
  try {
    const word = getLanguageNames(locale).of(code) ?? code;
    if (wordsByCode.size < MAX_WORDS) wordsByCode.set(key, word);
    return word;
  } catch {
    return code;
  }
}

/** Languages with their names, in the order of these. */
export function listLanguageNames(codes: Iterable<string>, locale: string) {
  return Array.from(codes, (code) => ({ code, name: findLanguageName(code, locale) })).sort((a, b) =>
    a.name.localeCompare(b.name, locale),
  );
}
