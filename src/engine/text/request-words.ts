import { cacheByWord } from './stem.ts';
import { isStopwordOf, isStopwordOfAnyLanguage, parseWordLists, stopwordLanguages } from './stopwords.ts';
import { isWithinOneEdit, listRespellings } from './typo-table.ts';

/** Folded words with which people ask for learning, whatever the subject, without words that also
 *  occur in names of subjects, such as `learning` (machine learning), `basic` and `start`. */
const REQUEST_WORDS = parseWordLists({
  en: 'learn learns learned learner learners course courses lesson lessons tutorial tutorials training beginner beginners newbie introduction intro introductory basics fundamentals want need would like looking find recommend understand understanding teach taught explain explained tell show please thanks should could know something anything someone about make build create any some get getting started become easily use using',
  fr: 'apprendre apprends apprenez apprend cours formation formations former lecon lecons tuto tutos tutoriel tutoriels debutant debutants debutante debutantes debuter debute debut initiation initier introduction veux voudrais voudrait aimerais souhaite cherche recherche trouver comprendre expliquer devenir savoir connaitre faire creer cree creez peux utiliser servir quelque chose quelqu quand rien partir facilement',
  es: 'aprender aprende aprendo aprendiendo curso cursos taller leccion lecciones tutorial tutoriales formacion principiante principiantes iniciacion introduccion fundamentos quiero quisiera busco necesito gustaria deseo entender comprender saber conocer explicar encontrar empezar comenzar hacer crear usar utilizar convertirme alguien algo facilmente',
  de: 'lernen lerne lernt gelernt kurs kurse onlinekurs onlinekurse lehrgang seminar schulung schulungen weiterbildung fortbildung unterricht lektion lektionen tutorium tutorial tutorials einfuhrung einstieg anfanger einsteiger grundlagen mochte mochten will wollen wurde gerne suche suchen brauche brauchen verstehen erklaren erklart kennenlernen verbessern finden machen erstellen werden nutzen benutzen verwenden kann konnen etwas jemand',
  it: 'imparare corso corsi lezione lezioni principianti introduzione voglio vorrei cerco',
  pt: 'curso cursos aula aulas iniciante iniciantes introducao quero gostaria procuro',
  nl: 'leren cursus les lessen beginner inleiding wil zoek',
});

/** Words that also occur in names of subjects (first aid, zero trust, bases de données). They count
 *  as request words only beside one of `REQUEST_WORDS`. */
const COMPANIONS = parseWordLists({
  en: 'class guide best good free online first easy simple',
  fr: 'bases notions gratuit gratuite gratuits gratuites ligne bon bonne meilleur meilleure facile simple zero',
  es: 'clase clases gratis gratuito gratuita gratuitos linea online bueno buena mejor facil simple basico basicos primeros',
  de: 'kostenlos kostenlose kostenloser gratis online gut gute guter beste bester einfach leicht erste ersten',
  it: 'gratis',
  pt: 'gratis',
  nl: 'gratis',
});

const MIN_MISTYPED = 8;
/** Long request words by their first letter, which is rarely mistyped. */
const LONG_WORDS = new Map<string, string[]>();
for (const word of listRequestWords()) {
  if (word.length >= MIN_MISTYPED) LONG_WORDS.set(word[0]!, [...(LONG_WORDS.get(word[0]!) ?? []), word]);
}

const ANY_REQUEST_WORD: ReadonlySet<string> = new Set(listRequestWords());
const ANY_COMPANION: ReadonlySet<string> = new Set([...COMPANIONS.values()].flatMap((words) => [...words]));

export function listRequestWords(): string[] {
  return [...REQUEST_WORDS.values()].flatMap((words) => [...words]);
}

/** Tells, for each folded word of a query, whether it only asks for learning.
 *  @param isWritten whether some document has the word; then it is not a typo of another
 *  @example flagRequestWords(['how', 'do', 'i', 'learn', 'docker'], isWritten)
 *  // [false, false, false, true, false] */
export function flagRequestWords(words: readonly string[], isWritten: (word: string) => boolean): boolean[] {
  const isAsking = (word: string) => ANY_REQUEST_WORD.has(word) || (isMistypedRequestWord(word) && !isWritten(word));
  const asking = words.map(isAsking);
  return asking.includes(true) ? asking.map((asks, i) => asks || ANY_COMPANION.has(words[i]!)) : asking;
}

/** Tells whether a word of a language asks for learning, alone or beside another request word. */
export function isRequestWordOf(word: string, lang: string): boolean {
  return [REQUEST_WORDS, COMPANIONS].some((words) => words.get(lang)?.has(word) === true);
}

export const isRequestWord = (word: string): boolean => ANY_REQUEST_WORD.has(word) || ANY_COMPANION.has(word);

export function asksForLearning(word: string, lang: string): boolean {
  return REQUEST_WORDS.get(lang)?.has(word) === true;
}

const isMistypedRequestWord = (word: string): boolean =>
  word.length >= MIN_MISTYPED - 1 && readMistyped(word, '') !== '';

/** Returns the word if it is nearly a request word, else ''. It is cached, as each search asks. */
const readMistyped = cacheByWord((word) => {
  const spellings = [word, ...listRespellings(word)];
  const isNear = (longWord: string) => spellings.some((spelling) => isWithinOneEdit(spelling, longWord));
  return (LONG_WORDS.get(word[0]!) ?? []).some(isNear) ? word : '';
});

/** One word proves nothing: `van`, `mit` and `chi` are names in other languages. */
const MIN_EVIDENCE = 2;

/** Finds the languages in which most of these folded words are function words or request words.
 *  Shape: several if they tie (Spanish and Portuguese may); empty if no language has two of the
 *  words, or none of the words is a function word. */
export function guessRequestLanguages(words: readonly string[]): string[] {
  if (!words.some(isStopwordOfAnyLanguage)) return [];
  const counts = stopwordLanguages.map((lang) => {
    const functions = words.filter((word) => isStopwordOf(word, lang)).length;
    const requests = words.filter((word) => isRequestWordOf(word, lang)).length;
    return functions === 0 ? 0 : functions + requests;
  });
  const most = Math.max(MIN_EVIDENCE, ...counts);
  return stopwordLanguages.filter((_, l) => counts[l] === most);
}
