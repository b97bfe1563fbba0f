/** Old library codes (ISO 639-2/B) that `Intl` lacks. */
const bibliographic: Readonly<Record<string, string>> = {
  alb: 'sq',
  arm: 'hy',
  baq: 'eu',
  bur: 'my',
  chi: 'zh',
  cze: 'cs',
  dut: 'nl',
  fre: 'fr',
  geo: 'ka',
  ger: 'de',
  gre: 'el',
  ice: 'is',
  mac: 'mk',
  mao: 'mi',
  may: 'ms',
  per: 'fa',
  rum: 'ro',
  slo: 'sk',
  tib: 'bo',
  wel: 'cy',
};

/** Two-letter code of a language in any common form: `en-GB`, `eng`, `fre`, `English`, `français`.
 *  Undefined for anything else, and for languages without such a code.
 *  @example readLanguageCode('français') // 'fr' */
export function readLanguageCode(text: string): string | undefined {
  const word = text.trim().toLowerCase().slice(0, 40);
  const [first = ''] = word.split(/[-_]/);
  if (/^[a-z]{2}$/.test(first)) return first;
  if (/^[a-z]{3}$/.test(first)) {
    // "No language" (`und`, `zxx`) has no code, or one of three letters.
    const code = bibliographic[first] ?? new Intl.Locale(first).language;
    return code?.length === 2 ? code : undefined;
  }
  return codesByName().get(word);
}

let names: ReadonlyMap<string, string> | undefined;

/** Names of languages in English and in themselves. */
function codesByName(): ReadonlyMap<string, string> {
  if (names !== undefined) return names;
  const english = inLanguage('en');
  names = new Map(twoLetters().flatMap((code) => namesOf(code, english).map((name) => [name, code] as const)));
  return names;
}

function twoLetters(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return letters.flatMap((one) => letters.map((other) => one + other));
}

const inLanguage = (locale: string) => new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });

function namesOf(code: string, english: Intl.DisplayNames): string[] {
  const name = english.of(code);
  // Most pairs of letters are no language.
  if (name === undefined) return [];
  return [name, inLanguage(code).of(code) ?? name].map((each) => each.toLowerCase());
}
