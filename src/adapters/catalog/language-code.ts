/** ISO 639-2/B codes that `Intl` lacks. */
const bibliographic = new Map(
  'alb:sq arm:hy baq:eu bur:my chi:zh cze:cs dut:nl fre:fr geo:ka ger:de gre:el ice:is mac:mk mao:mi may:ms per:fa rum:ro slo:sk tib:bo wel:cy'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** Compares the first two letters, so that `fr` and `fr-CA` are the same language. */
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
  return getCodesByName().get(word);
}

let cachedCodes: ReadonlyMap<string, string> | undefined;

const NAMING = ['en', 'fr', 'de', 'es', 'it', 'pt', 'nl'];

/** Codes by names of languages; a name of two is that of the language which calls itself so. */
function getCodesByName(): ReadonlyMap<string, string> {
  if (cachedCodes !== undefined) return cachedCodes;
  const namings = NAMING.map(namesIn);
  const languages = listTwoLetterCodes().map((code) => [code, listLanguageNames(code, namings)] as const);
  const codes = new Map<string, string>();
  // The names in the language itself come last, and so replace those in other languages.
  for (let naming = NAMING.length; naming >= 0; naming--)
    for (const [code, names] of languages) codes.set(names[naming] ?? '', code);
  codes.delete('');
  cachedCodes = codes;
  return codes;
}

function listTwoLetterCodes(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return letters.flatMap((first) => letters.map((second) => first + second));
}

const namesIn = (locale: string) => new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });

/** The name of a language in itself, then in each language of `NAMING`. Empty for other codes. */
function listLanguageNames(code: string, namings: readonly Intl.DisplayNames[]): string[] {
  const displayNames = namings.map((naming) => naming.of(code));
  // Most pairs of letters are not a language.
  if (displayNames[0] === undefined) return [];
  return [namesIn(code).of(code), ...displayNames].map((name) => (name ?? displayNames[0] ?? '').toLowerCase());
}
