/** Old library codes (ISO 639-2/B) that no other table knows. */
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

/** Two-letter code of a language as sources write it: `en-GB`, `eng`, `fre`, `English`, `français`. Undefined where no language
 *  is meant, or one without such a code.
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
  names ??= new Map(twoLetters().flatMap((code) => namesOf(code).map((name) => [name, code] as const)));
  return names;
}

function twoLetters(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return letters.flatMap((one) => letters.map((other) => one + other));
}

function namesOf(code: string): string[] {
  return ['en', code].flatMap((locale) => {
    const name = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' }).of(code);
    return name === undefined ? [] : [name.toLowerCase()];
  });
}
