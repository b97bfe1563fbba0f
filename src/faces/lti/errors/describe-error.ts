import type { AppError, Problem } from '../../../errors.ts';
import type { Languages, Translate } from '../../words/i18n.ts';

/** What a page says of an error. */
export interface ErrorWords {
  readonly title: string;
  /** With a heading where it is not known to whom they are said. */
  readonly words: readonly { readonly heading: string | null; readonly text: string }[];
  /** What to change where; null for who cannot change it. */
  readonly forAdministrators: string | null;
  readonly isAdministrator: boolean;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly problems: readonly Problem[];
}

/** What the LTI tool adds to an error for its page. */
interface ErrorData {
  readonly role?: string;
  readonly isAdministrator?: boolean;
  /** What came along, or was said. */
  readonly facts?: Readonly<Record<string, string>>;
  /** What is written here of the platform. */
  readonly innerFacts?: Readonly<Record<string, string>>;
}

/** Each cause has words of its own, for those who learn and those who teach; what has none gets those of its kind. */
export function describeError(error: AppError, t: Translate, has: Languages['has']): ErrorWords {
  const { role, isAdministrator = false, facts, innerFacts } = error.data as ErrorData;
  const common = {
    isAdministrator,
    facts: Object.entries({ ...facts, ...(isAdministrator && innerFacts) }).map(([name, value]) => ({
      name: t(`ltiErrors.facts.${name}`),
      value,
    })),
    problems: error.problems,
  };
  const ofCode = `ltiErrors.codes.${error.code}`;
  if (!has(`${ofCode}.title`)) {
    const ofKind = `ltiErrors.kinds.${error.kind}`;
    const words = [{ heading: null, text: t(`${ofKind}.text`) }];
    return { ...common, title: t(`${ofKind}.title`), words, forAdministrators: null };
  }
  return {
    ...common,
    title: t(`${ofCode}.title`),
    words: wordsFor(role, ofCode, t),
    forAdministrators: role === 'learner' ? null : t(`${ofCode}.admin`),
  };
}

function wordsFor(role: string | undefined, ofCode: string, t: Translate): ErrorWords['words'] {
  const [learner, instructor] = [t(`${ofCode}.learner`), t(`${ofCode}.instructor`)];
  if (learner === instructor || role === 'learner') return [{ heading: null, text: learner }];
  if (role === 'instructor') return [{ heading: null, text: instructor }];
  return [
    { heading: t('ltiErrors.forLearners'), text: learner },
    { heading: t('ltiErrors.forInstructors'), text: instructor },
  ];
}
