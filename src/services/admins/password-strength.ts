import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** True for a password that a guesser finds among the first hundred million. */
export type IsEasyToGuess = (password: string, userName: string) => Promise<boolean>;

/** Zxcvbn's 3 stands for more than a hundred million guesses: `Passw0rd!2024` has less. */
const LEAST_SCORE = 3;
/** The time of a check grows with the square of the length; what is hard to guess here is not made easy by what follows. */
const CHECKED_CHARACTERS = 64;
/** What people here think of first and the library, whose dictionary is English, does not know. */
const NEAR_WORDS = [
  'skilldock',
  'motdepasse',
  'bienvenue',
  'administrateur',
  'formation',
  'changezmoi',
  'jetaime',
  'bonjour',
  'soleil',
  'universite',
  'passwort',
  'willkommen',
  'moodle',
  'canvas',
];

/** The dictionary is loaded with the first check: most hosts never need it. */
export function createStrengthCheck(): IsEasyToGuess {
  let loading: Promise<ZxcvbnFactory> | undefined;
  return async (password, userName) => {
    if (isMadeOfName(password, userName)) return true;
    loading ??= loadZxcvbn();
    const zxcvbn = await loading;
    const { score } = zxcvbn.check(password, [...wordsOf(userName), ...NEAR_WORDS]);
    return score < LEAST_SCORE;
  };
}

async function loadZxcvbn(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]);
  return new core.ZxcvbnFactory({
    dictionary: common.dictionary,
    graphs: common.adjacencyGraphs,
    maxLength: CHECKED_CHARACTERS,
  });
}

/** Nothing but words of the name, whatever stands between them. */
function isMadeOfName(password: string, userName: string): boolean {
  const own = new Set(splitWords(userName.toLowerCase()));
  return splitWords(password.toLowerCase()).every((word) => own.has(word));
}

const splitWords = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

/** The name as people put it into passwords: whole, word by word, and run together either way round. */
function wordsOf(userName: string): readonly string[] {
  const words = splitWords(userName);
  return [userName, words.join(''), words.toReversed().join(''), ...words];
}
