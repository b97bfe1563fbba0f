import { measureCosines } from '../vectors/scan.ts';
import { readVectorRow } from '../vectors/vector-rows.ts';
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

/** Labels whose cosines with each other are measured. */
const SAMPLE = 64;
/** So many of the cosines are lower still. Measured: a tenth, or half, is worse. */
const FAR_SHARE = 0.01;
const farCosines = new WeakMap<LabelVectors, number>();

/** The cosine of labels that are as far from each other as labels can be: about 0 with some models, 0.8 with others. */
export function measureFarCosine(vectors: LabelVectors): number {
  const known = farCosines.get(vectors);
  if (known !== undefined) return known;
  const { rows, rowOf } = vectors;
  const all = rowOf.filter((row) => row < rows.scales.length);
  const count = Math.min(SAMPLE, all.length);
  const sample = Uint32Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!);
  const own = Array.from(sample, (row) => readVectorRow(rows, row));
  const others = measureCosines(rows, own, sample).filter((_, i) => i % (count + 1) !== 0);
  const far = Math.max(0, others.sort()[Math.floor(others.length * FAR_SHARE)] ?? 0);
  farCosines.set(vectors, far);
  return far;
}

/** A cosine on a scale that is the same for all models: 0 for what has nothing to do with it, 1 for the same. */
export function toNearness(cosine: number, far: number): number {
  return (cosine - far) / (1 - Math.min(far, 0.99));
}
