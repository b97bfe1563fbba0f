import { getOrAdd } from '#engine/maps';
import { readString } from '#engine/string-table';
import { fold } from '#engine/text/fold';
import { listConceptLabels, type OpenTerms, readConceptLabelText } from '../concept-view.ts';
import { labelRoles } from '../term-data.ts';
import { conceptKinds } from '../types.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Concepts of a taxonomy whose first labels show whether it capitalises labels. */
const SAMPLE_SIZE = 200;

const domain = conceptKinds.indexOf('domain');
/** A French verb shows in its ending, in one word. */
const INFINITIVE = /^\p{L}+(?:er|ir)$/u;

/** Recognises labels that are names. */
export function createLabelNames(terms: OpenTerms) {
  const { labels, concepts } = terms;
  const french = terms.lexicon.findLang('fr');
  const languages = new Map<number, boolean>();
  const capitalising: boolean[] = [];
  let languageNames: ReadonlySet<string> | null = null;

  function beginsWithCapital(label: number): boolean {
    const first = readString(labels.texts, label)[0] ?? '';
    return first !== first.toLowerCase();
  }

  /** Whether a taxonomy capitalises its labels, by its first ones. */
  function isCapitalising(source: number): boolean {
    let seen = 0;
    let capitals = 0;
    for (let concept = 0; concept < concepts.sourceOf.length && seen < SAMPLE_SIZE; concept++) {
      if (concepts.sourceOf[concept] !== source) continue;
      seen++;
      if (beginsWithCapital(concepts.labelStart[concept]!)) capitals++;
    }
    return capitals > seen / 2;
  }

  function isNameOfLanguage(concept: number): boolean {
    languageNames ??= listLanguageNames(terms.vocabulary.langs);
    const names = languageNames;
    return [...listConceptLabels(terms, concept)].some((label) => names.has(fold(readConceptLabelText(terms, label))));
  }

  return {
    /** Whether a concept is a language that people speak, by its labels. */
    isLanguage: (concept: number) => getOrAdd(languages, concept, () => isNameOfLanguage(concept)),
    /** Whether a label begins with a capital (`Python`), in a taxonomy whose other labels do not. */
    isName(label: number, concept: number): boolean {
      if (!beginsWithCapital(label)) return false;
      const source = concepts.sourceOf[concept]!;
      capitalising[source] ??= isCapitalising(source);
      return !capitalising[source];
    },
    /** Whether a group is named by one verb, which is no subject: `Manage`, `Utiliser`. */
    isVerb: (concept: number) =>
      concepts.kindOf[concept] === domain &&
      [...listConceptLabels(terms, concept)].some(
        (label) =>
          labels.roleOf[label] === labelRoles.preferred &&
          labels.langOf[label] === french &&
          INFINITIVE.test(readConceptLabelText(terms, label)),
      ),
    /** Whether a label is what is left of one that says in brackets what it means, as the name alone
     *  means something else, too: `Julia (programming language)`. */
    isQualified(label: number, concept: number): boolean {
      const role = labels.roleOf[label]!;
      if (role !== labelRoles.variant && role !== labelRoles.alternativeVariant) return false;
      const bare = fold(readConceptLabelText(terms, label));
      return [...listConceptLabels(terms, concept)].some((other) =>
        fold(readConceptLabelText(terms, other)).startsWith(`${bare} (`),
      );
    },
  };
}

/** The names of all languages, folded, in each of these languages. */
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
