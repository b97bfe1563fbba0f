/** A concept that an object teaches: its address in a taxonomy, a label, or both. */
export interface TaughtConcept {
  readonly uri?: string;
  readonly label?: string;
}

/** Types of the values of facts. */
interface FactTypes {
  /** An SPDX identifier or the address of a licence. */
  license: string;
  /** YYYY-MM-DD. */
  date: string;
  text: string;
  /** One or more. */
  texts: readonly string[];
  /** One or more. */
  concepts: readonly TaughtConcept[];
}
export type FactKind = keyof FactTypes;

/** Facts of a learning object that its maker states, by their names in schema.org. None is ever
 *  guessed, and an absent fact is unknown. Record, contract, imports, pages and exports are made
 *  from this table. */
export const objectFacts = {
  license: 'license',
  published: 'date',
  modified: 'date',
  teaches: 'concepts',
  educationalLevel: 'texts',
  accessibilityFeature: 'texts',
  accessMode: 'texts',
  accessibilityHazard: 'texts',
  accessibilitySummary: 'text',
} as const satisfies Readonly<Record<string, FactKind>>;

export type FactName = keyof typeof objectFacts;
export type ObjectFacts = { readonly [Name in FactName]?: FactTypes[(typeof objectFacts)[Name]] };

export const factNames = Object.keys(objectFacts) as FactName[];
