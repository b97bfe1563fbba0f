/** The name of a language as the reader calls it, with a capital as it begins a line; the code itself where it is none,
 *  as a service may send anything. */
export function findLanguageName(code: string, locale: string): string {
  const name = nameOf(code, locale);
  return name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1);
}

function nameOf(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
