import type { levels } from './learning-object-query.ts';

export const locales = ['en', 'fr', 'de', 'es'] as const;
export type Locale = (typeof locales)[number];

/** Preferences of a person. Null and empty values use the settings of the workspace and tenant. */
export interface Preferences {
  /** Language of texts of the host. */
  readonly locale: Locale | null;
  /** Two-letter code of the language of objects. */
  readonly lang: string | null;
  readonly level: keyof typeof levels | null;
  readonly types: readonly string[];
  /** IDs of providers. */
  readonly providers: readonly string[];
  /** 3, 5 or 10. */
  readonly itemsPerPage: number | null;
}

export const noPreferences: Preferences = {
  locale: null,
  lang: null,
  level: null,
  types: [],
  providers: [],
  itemsPerPage: null,
};

/** A search as typed: `docker type:video`. */
export type RecentSearch = { readonly text: string; readonly searchedAt: Date };
