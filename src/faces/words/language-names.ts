/** Making one takes about a millisecond. */
const namesByLocale = new Map<string, Intl.DisplayNames>();

function getNames(locale: string): Intl.DisplayNames {
  const names = namesByLocale.get(locale) ?? new Intl.DisplayNames([locale], { type: 'language' });
  namesByLocale.set(locale, names);
  return names;
}

/** Capitalised, as it begins a line; the code itself where it is unknown. */
export function findLanguageName(code: string, locale: string): string {
  const name = findLanguageWord(code, locale);
  return name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1);
}

/** The same as it is written within a sentence. */
export function findLanguageWord(code: string, locale: string): string {
  try {
    return getNames(locale).of(code) ?? code;
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
