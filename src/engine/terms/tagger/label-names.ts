import { readString } from '#engine/string-table';
import { fold } from '#engine/text/fold';
import { listConceptLabels, type OpenTerms, readConceptLabelText } from '../concept-view.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Labels by which it is seen how a taxonomy writes them. */
const SAMPLE = 200;

/** What is a name of its own among labels. */
export interface LabelNames {
  /** Whether a concept is a language that people speak: a label of it is the name of one. */
  isLanguage(concept: number): boolean;
  /** Whether a label is written like a name (`Python`) by a taxonomy that writes others without a capital. */
  isName(label: number, concept: number): boolean;
}

export function createLabelNames(terms: OpenTerms): LabelNames {
  const { labels, concepts } = terms;
  const languages = new Map<number, boolean>();
  const capitalising: boolean[] = [];
  let languageNames: ReadonlySet<string> | null = null;

  function beginsWithCapital(label: number): boolean {
    const first = readString(labels.texts, label)[0] ?? '';
    return first !== first.toLowerCase();
  }

  /** Whether a taxonomy writes all labels with a capital, by its first ones. */
  function isCapitalising(source: number): boolean {
    let [seen, capitals] = [0, 0];
    for (let concept = 0; concept < concepts.sourceOf.length && seen < SAMPLE; concept++) {
      if (concepts.sourceOf[concept] !== source) continue;
      seen++;
      if (beginsWithCapital(concepts.labelStart[concept]!)) capitals++;
    }
    return capitals > seen / 2;
  }

  function isNameOfLanguage(concept: number): boolean {
    languageNames ??= listLanguageNames(terms.vocabulary.langs);
    const names = languageNames;
    return [...listConceptLabels(terms, concept)].some((label) =>
      names.has(fold(readConceptLabelText(terms, label))),
    );
  }

  return {
    isLanguage(concept) {
      let known = languages.get(concept);
      if (known === undefined) {
        known = isNameOfLanguage(concept);
        languages.set(concept, known);
      }
      return known;
    },
    isName(label, concept) {
      if (!beginsWithCapital(label)) return false;
      const source = concepts.sourceOf[concept]!;
      capitalising[source] ??= isCapitalising(source);
      return !capitalising[source];
    },
  };
}

/** Names of languages, folded, as these languages have them. */
function listLanguageNames(langs: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const lang of langs) {
    const nameOf = new Intl.DisplayNames([lang], { type: 'language', fallback: 'none' });
    for (const first of LETTERS) {
      for (const second of LETTERS) {
        const name = nameOf.of(first + second);
        if (name !== undefined) names.add(fold(name));
      }
    }
  }
  return names;
}
