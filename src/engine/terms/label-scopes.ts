import type { LabelVectors } from '../vectors/vectors.ts';
import type { OpenTerms } from './concept-view.ts';
import { labelRoles, NONE } from './term-data.ts';

/** Which labels are looked at. */
export interface ScopeOptions {
  /** Ordinal of their language; of every one when absent. */
  readonly lang?: number;
  /** Ordinal of their taxonomy; of every one when absent. */
  readonly source?: number;
  /** Preferred ones only. */
  readonly isPreferred?: boolean;
  /** Ordinals of the kinds of their concepts; of every one when absent. */
  readonly kinds?: readonly number[];
}

/** Rows of vectors, each once, and whose they are: many labels are the same text. */
export interface LabelScope {
  readonly rows: Uint32Array;
  /** The labels that have a row of the scope. */
  labelsOf(row: number): ArrayLike<number>;
}

/** Vectors of labels stay as they are, so what is listed of them is listed once. One for all calls. */
export function createLabelScopes(terms: OpenTerms) {
  const known = new WeakMap<LabelVectors, Map<string, LabelScope>>();
  return (vectors: LabelVectors, options: ScopeOptions): LabelScope => {
    const own = known.get(vectors) ?? new Map<string, LabelScope>();
    known.set(vectors, own);
    const key = JSON.stringify(options);
    const scope = own.get(key) ?? listScope(terms, vectors, options);
    own.set(key, scope);
    return scope;
  };
}

function listScope(terms: OpenTerms, { rows, rowOf }: LabelVectors, options: ScopeOptions): LabelScope {
  const firstOf = new Uint32Array(rows.scales.length).fill(NONE);
  const nextOf = new Uint32Array(rowOf.length).fill(NONE);
  // From the last, so that those of a row come in their order.
  for (let label = Math.min(rowOf.length, terms.labels.roleOf.length) - 1; label >= 0; label--) {
    const row = rowOf[label]!;
    if (row >= firstOf.length || !isInScope(terms, label, options)) continue;
    nextOf[label] = firstOf[row]!;
    firstOf[row] = label;
  }
  return {
    rows: Uint32Array.from(firstOf.keys()).filter((row) => firstOf[row] !== NONE),
    labelsOf(row) {
      const found: number[] = [];
      for (let label = firstOf[row]!; label !== NONE; label = nextOf[label]!) found.push(label);
      return found;
    },
  };
}

function isInScope({ labels, concepts }: OpenTerms, label: number, options: ScopeOptions): boolean {
  const { lang, source, isPreferred = false, kinds } = options;
  const role = labels.roleOf[label]!;
  if (role > (isPreferred ? labelRoles.preferred : labelRoles.alternative)) return false;
  const concept = labels.conceptOf[label]!;
  return (
    (lang === undefined || labels.langOf[label] === lang) &&
    (source === undefined || concepts.sourceOf[concept] === source) &&
    (kinds === undefined || kinds.includes(concepts.kindOf[concept]!))
  );
}
