import { getOrAdd } from '#engine/maps';
import { fold } from '#engine/text/fold';
import { listConceptLabels, type OpenTerms, readLabelText } from '../concept-view.ts';
import { labelRoles } from '../term-data.ts';
import { conceptKinds } from '../types.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** The number of concepts whose first labels show whether a taxonomy capitalises labels. */
const SAMPLE_SIZE = 200;

const domain = conceptKinds.indexOf('domain');
/** French verbs are recognised by their ending, in one word. */
const INFINITIVE = /^\p{L}+(?:er|ir)$/u;

export type LabelNames = ReturnType<typeof openLabelNames>;

/** Remembers which labels are names. */
export function openLabelNames(terms: OpenTerms) {
  return {
    terms,
    /** By concept: whether its labels name a language. */
    languages: new Map<number, boolean>(),
    /** By taxonomy: whether it capitalises its labels. */
    capitalising: new Map<number, boolean>(),
    /** The names of all languages in the languages of the labels; null until they are needed. */
    languageNames: null as ReadonlySet<string> | null,
  };
}

export function isLanguageName(names: LabelNames, concept: number): boolean {
  const { terms, languages } = names;
  return getOrAdd(languages, concept, () => {
    names.languageNames ??= listLanguageNames(terms.vocabulary.langs);
    const { languageNames } = names;
    return listLabelTexts(terms, concept).some((text) => languageNames.has(fold(text)));
  });
}

/** Tells whether a label begins with a capital (`Python`), where most of its taxonomy do not. */
export function isNameLabel({ terms, capitalising }: LabelNames, label: number, concept: number): boolean {
  if (!isCapitalisedLabel(terms, label)) return false;
  const source = terms.concepts.sourceOf[concept]!;
  return !getOrAdd(capitalising, source, () => isCapitalising(terms, source));
}

function isCapitalising(terms: OpenTerms, source: number): boolean {
  const { sourceOf, labelStart } = terms.concepts;
  let count = 0;
  let capitals = 0;
  for (let concept = 0; concept < sourceOf.length && count < SAMPLE_SIZE; concept++) {
    if (sourceOf[concept] !== source) continue;
    count++;
    if (isCapitalisedLabel(terms, labelStart[concept]!)) capitals++;
  }
  return capitals > count / 2;
}

function isCapitalisedLabel(terms: OpenTerms, label: number): boolean {
  const first = readLabelText(terms, label)[0] ?? '';
  return first !== first.toLowerCase();
}

/** Tells whether a group is named by one verb, which is not a subject: `Manage`, `Utiliser`. */
export function isVerbLabel(terms: OpenTerms, concept: number): boolean {
  const { labels, lexicon } = terms;
  if (terms.concepts.kindOf[concept] !== domain) return false;
  const french = lexicon.findLang('fr');
  return [...listConceptLabels(terms, concept)].some(
    (label) =>
      labels.roleOf[label] === labelRoles.preferred &&
      labels.langOf[label] === french &&
      INFINITIVE.test(readLabelText(terms, label)),
  );
}

/** Tells whether the full label explains a name in brackets: `Julia (programming language)`. */
export function isQualifiedLabel(terms: OpenTerms, label: number, concept: number): boolean {
  const role = terms.labels.roleOf[label]!;
  if (role !== labelRoles.variant && role !== labelRoles.alternativeVariant) return false;
  const bare = fold(readLabelText(terms, label));
  return listLabelTexts(terms, concept).some((text) => fold(text).startsWith(`${bare} (`));
}

const listLabelTexts = (terms: OpenTerms, concept: number) =>
  Array.from(listConceptLabels(terms, concept), (label) => readLabelText(terms, label));

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
