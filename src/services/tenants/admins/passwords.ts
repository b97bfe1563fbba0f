import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { limitConcurrency } from '#domain/async/limit-concurrency';
import { AppError } from '#errors';
import type { FormProblem } from './admin-records.ts';

/** Hashes and checks passwords, in NFKC, as keyboards differ (NIST SP 800-63B §3.1.1.2). */
export type Passwords = ReturnType<typeof createPasswords>;

export interface PasswordCost {
  /** In KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** Costs of argon2id. Source: OWASP Password Storage Cheat Sheet. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
export const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 200;
/** Two hashes take two cores and 38 MiB; half of Node's threads stay free for files and DNS. */
const HASHES_AT_ONCE = 2;
const MAX_WAITING = 100;
const WAIT_SECONDS = 5;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export function createPasswords(cost: PasswordCost = passwordCost) {
  const inTurn = limitConcurrency({ running: HASHES_AT_ONCE, waiting: MAX_WAITING, tooMany: createTooManyChecksError });
  const hashOfNobody = makeRandomHash(cost);
  return {
    /** Returns what is wrong with a new password; nothing when it may be used. */
    async findProblems(password: string, userName: string): Promise<readonly FormProblem[]> {
      const normal = normalizePassword(password);
      const lengthProblem = findPasswordLengthProblem(normal);
      if (lengthProblem !== null) return [lengthProblem];
      return (await isPasswordEasyToGuess(normal, userName)) ? [easyToGuess] : [];
    },
    /** Returns a hash by argon2id in PHC form. Errors: RATE_LIMITED when a hundred calls wait. */
    hashPassword: (password: string) => inTurn(() => hash(normalizePassword(password), cost)),
    /** Returns false for null, after as much work as for a hash. Errors: as `hashPassword`. */
    async verifyPassword(hashed: string | null, password: string): Promise<boolean> {
      const isRight = await inTurn(() => verify(hashed ?? hashOfNobody, normalizePassword(password)));
      return isRight && hashed !== null;
    },
    /** Tells whether a hash has other costs than this host's. */
    isOutdated(hashed: string): boolean {
      const used = parseOptions(hashed);
      return (
        used.memoryCost !== cost.memoryCost || used.timeCost !== cost.timeCost || used.parallelism !== cost.parallelism
      );
    },
  };
}

/** Returns a random hash for names that nobody has. It is not computed, as the first sign-in with
 *  such a name would take longer. */
function makeRandomHash({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  const base64 = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(SALT_BYTES)}$${base64(HASH_BYTES)}`;
}

const normalizePassword = (password: string): string => password.normalize('NFKC');

function findPasswordLengthProblem(normal: string): FormProblem | null {
  const { length } = [...normal];
  if (length < MIN_PASSWORD_LENGTH)
    return {
      path: 'password',
      reason: 'password-too-short',
      problem: `This password is too short. Choose one of at least ${MIN_PASSWORD_LENGTH} characters, for instance four words.`,
    };
  if (length <= MAX_PASSWORD_LENGTH) return null;
  return {
    path: 'password',
    reason: 'password-too-long',
    problem: `This password is too long. Choose one of at most ${MAX_PASSWORD_LENGTH} characters.`,
  };
}

const easyToGuess: FormProblem = {
  path: 'password',
  reason: 'password-easy',
  problem:
    'This password is among the first that are guessed: common words, names, rows of keys, dates. Choose several words that have nothing to do with each other.',
};

function createTooManyChecksError(): AppError {
  const message = `Very many people sign in at this moment. Try again in ${WAIT_SECONDS} s.`;
  return new AppError('RATE_LIMITED', message, { retryAfterSeconds: WAIT_SECONDS });
}

/** zxcvbn gives 3 for over a hundred million guesses, and less to `Passw0rd!2024`. */
const MIN_SCORE = 3;
/** The time of a check grows with the square of the length; a strong prefix is enough. */
const CHECKED_CHARACTERS = 64;

/** Common words that the English dictionary of zxcvbn does not have. */
const NEAR_WORDS =
  'skilldock motdepasse bienvenue administrateur formation changezmoi jetaime bonjour soleil universite passwort willkommen moodle canvas'.split(
    ' ',
  );

let loading: Promise<ZxcvbnFactory> | undefined;

/** Tells whether a hundred million guesses find a password. Loads the dictionary at the first call,
 *  as most hosts never need it. */
async function isPasswordEasyToGuess(password: string, userName: string): Promise<boolean> {
  if (isPasswordMadeOfName(password, userName)) return true;
  loading ??= loadZxcvbn();
  const zxcvbn = await loading;
  const { score } = zxcvbn.check(password, [...passwordWordsOf(userName), ...NEAR_WORDS]);
  return score < MIN_SCORE;
}

async function loadZxcvbn(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]);
  return new core.ZxcvbnFactory({
    dictionary: common.dictionary,
    graphs: common.adjacencyGraphs,
    maxLength: CHECKED_CHARACTERS,
  });
}

function isPasswordMadeOfName(password: string, userName: string): boolean {
  const nameWords = new Set(splitPasswordWords(userName.toLowerCase()));
  return splitPasswordWords(password.toLowerCase()).every((word) => nameWords.has(word));
}

const splitPasswordWords = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

/** Lists the forms of a name in passwords: whole, by word, and joined in either order. */
function passwordWordsOf(userName: string): readonly string[] {
  const words = splitPasswordWords(userName);
  return [userName, words.join(''), words.toReversed().join(''), ...words];
}
