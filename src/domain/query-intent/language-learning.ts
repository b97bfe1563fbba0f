/** Folded names of languages by code, and what teachers call them as a foreign language. */
const NAMES: Readonly<Record<string, string>> = {
  en: 'english anglais englisch englischkurs ingles esl efl esol',
  fr: 'french francais franzosisch franzosischkurs frances fle',
  de: 'german allemand deutsch deutschkurs aleman daf daz',
  es: 'spanish espagnol spanisch spanischkurs espanol castellano ele',
  it: 'italian italien italienisch italienischkurs italiano',
  pt: 'portuguese portugais portugiesisch portugues',
  nl: 'dutch neerlandais niederlandisch neerlandes holandes',
  ru: 'russian russe russisch ruso',
  zh: 'chinese mandarin chinois chinesisch chino',
  ja: 'japanese japonais japanisch japones',
  ko: 'korean coreen koreanisch coreano',
  ar: 'arabic arabe arabisch',
  tr: 'turkish turc turkisch turco',
  pl: 'polish polonais polnisch polaco',
  sv: 'swedish suedois schwedisch sueco',
  el: 'greek grec griechisch griego',
  la: 'latin latein',
};

export const languageCodes: readonly string[] = Object.keys(NAMES);

const codeOf = new Map(
  Object.entries(NAMES).flatMap(([code, names]) => names.split(' ').map((name) => [name, code] as const)),
);

/** Returns the code of a language by one of these names, folded; null for other words. */
export const findLanguageToLearn = (name: string): string | null => codeOf.get(name) ?? null;

/** Words that may stand beside the name of a language that somebody wants to learn. */
const COMPANIONS = new Set(
  `as foreign second other etrangere als fremdsprache zweitsprache extranjera evening intensive soir intensif abendkurs intensivkurs
  learn learning speak speaking study course courses class classes lesson lessons grammar vocabulary conversation writing
  reading listening pronunciation spoken language skills for a1 a2 b1 b2 c1 c2 level my improve everyday general
  apprendre parler cours lecon lecons grammaire vocabulaire conjugaison conversation prononciation oral ecrit langue niveau
  ameliorer etudier formation courant
  lernen lerne sprechen kurs kurse sprachkurs grammatik wortschatz aussprache sprache niveau unterricht verbessern
  aprender hablar curso cursos gramatica vocabulario conversacion pronunciacion idioma lengua nivel clases mejorar
  i to how the a an is in my of with le la les l du de des en d mon un une au a je comment ich wie man die der das den fur para exercices exercises ubungen ejercicios
  el como mi un una
  exam test preparation certificate listening emails email meetings phone examen preparation prufung vorbereitung zertifikat
  escucha comprension oral ecoute horen schreiben lesen escribir leer toeic toefl ielts delf dalf dele goethe`.split(
    /\s+/,
  ),
);

/** With the name of a language, these words name a subject: `business English`. */
const QUALIFIERS = new Set('business professional professionnel affaires work travail beruf negocios'.split(' '));

/** Returns true for companions, for numbers of courses and groups, and for no word at all. */
const isCompanionWord = (word: string) => COMPANIONS.has(word) || /^(?:\d{0,3}|lv[123abc]|i+)$/.test(word);

/** Returns whether a folded part of a title names no subject: `cours du soir`. */
export const isOnlyAboutCourse = (folded: string) => folded.split(/[^\p{L}\p{N}]+/u).every(isCompanionWord);

export interface LearntLanguage {
  readonly code: string;
  /** Its folded names in several languages. */
  readonly names: readonly string[];
  /** Its name in the folded topic, with words that belong to the subject: `business english`. */
  readonly subject: string;
}

/** Returns the language that a folded topic asks to learn; null for other topics, such as `english
 *  literature` or `tutoriel python allemand`.
 *  @example findLearntLanguage("apprendre l'anglais") // { code: 'en', names: ['english', …] } */
export function findLearntLanguage(folded: string): LearntLanguage | null {
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  const codes = new Set(words.flatMap((word) => codeOf.get(word) ?? []));
  const [code] = codes;
  if (code === undefined || codes.size > 1) return null;
  const isSubject = (word: string) => codeOf.has(word) || QUALIFIERS.has(word);
  if (!words.every((word) => isSubject(word) || isCompanionWord(word))) return null;
  return {
    code,
    subject: words.filter(isSubject).join(' '),
    names: [...codeOf].flatMap(([name, each]) => (each === code ? [name] : [])),
  };
}

/** Returns the European levels and tests in a folded text, in its order: `a2`, `delf`. */
export const listLanguageSteps = (folded: string): readonly string[] =>
  folded.match(/(?<![\p{L}\p{N}])(?:[abc][12]|toeic|toefl|ielts|delf|dalf|tcf|dele|goethe)(?!\p{L})/gu) ?? [];

const FOR_LEARNERS =
  /(?<!\p{L})(?:fle|daf|daz|e[sf]l|esol|ele|foreign|second language|etrangere|fremdsprache|zweitsprache|extranjera|debutante?s?|beginners?|anfanger|principiantes?|intermedi\w+|learn|apprendre|lernen|aprender|business|affaires|professionnel|beruf|negocios)(?!\p{L})|\p{L}kurs/u;
const SCHOOL =
  /\d|school|lyce|coll|seconde|premiere|terminale|klasse|stufe|prima|secund|bachill|eleve|pupil|schul|alumn/;

/** Returns whether a folded title that names a language says that learners do not speak it. Schools
 *  teach the language of their country by its name alone: `Français, classe de seconde`. */
export const isForLanguageLearners = (title: string, hasAudience: boolean): boolean =>
  listLanguageSteps(title).length > 0 || FOR_LEARNERS.test(title) || (hasAudience && !SCHOOL.test(title));
