import { isWithinOneEdit } from './osa-distance.ts';

/** Words with which people ask for learning, whatever it is about, folded. Not among them: `learning` and `lernen`, which are
 *  in the names of subjects (machine learning), `basic` and `start`, which are names too. */
const REQUEST_WORDS: ReadonlySet<string> = new Set(
  [
    'learn learns learned learner learners course courses lesson lessons tutorial tutorials class training beginner beginners',
    'newbie introduction intro introductory basics fundamentals getting started scratch guide best good free online want need',
    'would like looking find recommend something anything someone about understand understanding make first easy easily simple',
    'become teach taught explain explained tell show please thanks should could know any some get',
    'apprendre apprends apprenez apprend cours formation formations former lecon lecons tuto tutos tutoriel tutoriels debutant',
    'debutants debutante debutantes debuter debute debut initiation initier introduction bases notions gratuit gratuite gratuits',
    'gratuites ligne veux voudrais voudrait aimerais souhaite cherche recherche trouver comprendre expliquer devenir savoir',
    'connaitre quelque chose quelqu quand rien bon bonne meilleur meilleure facile facilement simple partir zero faire peux',
    'aprender aprende curso cursos clase clases leccion principiante principiantes quiero quisiera busco introduccion gratis',
    'kurs kurse einfuhrung anfanger lektion mochte suche grundlagen kostenlos lerne tutorium',
    'imparare corso corsi lezione lezioni principianti introduzione voglio vorrei cerco',
    'aula aulas iniciante iniciantes introducao quero gostaria procuro',
    'leren cursus les lessen beginner inleiding wil zoek gratis',
  ].flatMap((line) => line.split(' ')),
);

/** From this length on a request word is also known with a typo. */
const MIN_MISTYPED = 8;
/** By their first letter, which is rarely the wrong one. */
const LONG_WORDS = new Map<string, string[]>();
for (const word of REQUEST_WORDS) {
  if (word.length >= MIN_MISTYPED) LONG_WORDS.set(word[0]!, [...(LONG_WORDS.get(word[0]!) ?? []), word]);
}

/** Whether a folded word asks for learning rather than saying about what, as in `how do I learn …`, `cours de …`. */
export function isRequestWord(word: string): boolean {
  return (
    REQUEST_WORDS.has(word) ||
    (word.length >= MIN_MISTYPED - 1 &&
      (LONG_WORDS.get(word[0]!) ?? []).some((known) => isWithinOneEdit(word, known)))
  );
}
