import { bloomObjectives, learningObjectTypes } from '#domain/learning-object';
import { writeBloomFact, writeTypeFact } from '#faces/object-view/facts';
import { type Languages, type Locale, locales } from '#faces/words/i18n';
import { findLanguageName } from '#faces/words/language-names';
import type { Lists } from '#services/searching/discovery/results';
import type { Named } from './match-names.ts';

/** What can be given for a filter, with what it is called in every language that people are answered in. */
export interface ValueNames {
  readonly types: readonly Named[];
  readonly blooms: readonly Named[];
  /** With what each language calls itself. */
  readonly languages: readonly Named[];
  readonly providers: readonly Named[];
}

/** For lists that cannot be read now, the values of the specification, if it has any. */
export function nameValues(lists: Lists, { translatorOf }: Pick<Languages, 'translatorOf'>): ValueNames {
  const values = (list: readonly { readonly value: string }[], usual: readonly string[]) =>
    list.length > 0 ? list.map(({ value }) => value) : usual;
  return {
    types: values(lists.types, learningObjectTypes).map((value) =>
      named(value, (locale) => writeTypeFact(value, translatorOf(locale))),
    ),
    blooms: values(lists.blooms, bloomObjectives).map((value) =>
      named(value, (locale) => writeBloomFact(value, translatorOf(locale))),
    ),
    languages: values(lists.languages, locales).map((value) =>
      named(value, (locale) => findLanguageName(value, locale), [ownName(value)]),
    ),
    providers: lists.providers.map(({ id, name }) => named(id, () => name)),
  };
}

function named(value: string, nameIn: (locale: Locale) => string, others: readonly string[] = []): Named {
  const shown = Object.fromEntries(locales.map((locale) => [locale, nameIn(locale)]));
  return { value, shown, names: [...Object.values(shown), ...others] };
}

/** A service may send codes that are none. */
const ownName = (code: string): string => (/^[a-z]{2,3}$/i.test(code) ? findLanguageName(code, code) : code);

/** Folded, in English and French. */
export const levelNames: readonly Named[] = [
  {
    value: 'beginner',
    names: ['beginners', 'basic', 'easy', 'débutant', 'facile'],
    shown: { fr: 'débutant' },
  },
  { value: 'intermediate', names: ['medium', 'intermédiaire', 'moyen'], shown: { fr: 'intermédiaire' } },
  {
    value: 'advanced',
    names: ['expert', 'avancé', 'difficult', 'difficile'],
    shown: { fr: 'avancé' },
  },
];

/** Also what is said to `free:`. */
export const priceNames: readonly Named[] = [
  { value: 'free', names: ['gratuit', 'gratuite', 'yes', 'oui', 'true'], shown: { fr: 'gratuit' } },
  { value: 'paid', names: ['payant', 'payante', 'no', 'non', 'false'], shown: { fr: 'payant' } },
];

export const sortNames: readonly Named[] = [
  {
    value: 'popularity',
    names: ['popular', 'best', 'popularité', 'meilleur'],
    shown: { fr: 'popularité' },
  },
  { value: 'random', names: ['hasard', 'aléatoire'], shown: { fr: 'hasard' } },
];
