/** ISO 639-2/B codes that `Intl` lacks. */
const bibliographic = new Map(
  'alb:sq arm:hy baq:eu bur:my chi:zh cze:cs dut:nl fre:fr geo:ka ger:de gre:el ice:is mac:mk mao:mi may:ms per:fa rum:ro slo:sk tib:bo wel:cy'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** Compares the first two letters: `fr` and `fr-CA`. */
export function isSameLanguage(a: unknown, b: string | undefined): boolean {
  const firstLetters = (tag: unknown) => (typeof tag === 'string' ? tag.slice(0, 2).toLowerCase() : '');
  return firstLetters(a) !== '' && firstLetters(a) === firstLetters(b);
}

/** The two-letter code of `en-GB`, `eng`, `fre`, `français`, `Englisch`, `English [Auto]`.
 *  Undefined for anything else, and for languages without such a code.
 *  @example readLanguageCode('français') // 'fr' */
export function readLanguageCode(text: string): string | undefined {
  const word = text
    .slice(0, 60)
    .replace(/\s*[([].*$/s, '')
    .trim()
    .toLowerCase();
  const [first = ''] = word.split(/[-_]/);
  if (/^[a-z]{2}$/.test(first)) return first;
  if (/^[a-z]{3}$/.test(first)) {
    // "No language" (`und`, `zxx`) has no code, or one of three letters.
    const code = bibliographic.get(first) ?? new Intl.Locale(first).language;
    return code?.length === 2 ? code : undefined;
  }
  return languageCodesByName().get(word);
}

let cachedCodes: ReadonlyMap<string, string> | undefined;

const NAMING = ['en', 'fr', 'de', 'es', 'it', 'pt', 'nl'];

/** By names in the language itself and in those of `NAMING`; the former count for equal names. */
function languageCodesByName(): ReadonlyMap<string, string> {
  if (cachedCodes !== undefined) return cachedCodes;
  const naming = NAMING.map(inLanguage);
  const listed = listTwoLetterCodes().map((code) => [code, languageNamesOf(code, naming)] as const);
  const codes = new Map<string, string>();
  for (let kind = NAMING.length; kind >= 0; kind--)
    for (const [code, names] of listed) codes.set(names[kind] ?? '', code);
  codes.delete('');
  cachedCodes = codes;
  return codes;
}

function listTwoLetterCodes(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return letters.flatMap((one) => letters.map((other) => one + other));
}

const inLanguage = (locale: string) => new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });

/** In the language itself, then in each language of `NAMING`. */
function languageNamesOf(code: string, naming: readonly Intl.DisplayNames[]): string[] {
  const displayNames = naming.map((language) => language.of(code));
  // Most pairs of letters are not a language.
  if (displayNames[0] === undefined) return [];
  return [inLanguage(code).of(code), ...displayNames].map((name) => (name ?? displayNames[0] ?? '').toLowerCase());
}
