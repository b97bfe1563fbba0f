import type { OpenTerms } from '../concept-view.ts';
import type { ReadQuery } from '../similar/parse-query.ts';
import { NONE } from '../term-data.ts';

/** Which way words and concepts point. */
export interface Meanings {
  /** The sum of the directions of a query's terms, of length 1; null when none has one. */
  directionOf(query: ReadQuery): Float32Array | null;
  /** Cosine of a direction and of a concept's labels, -1 to 1. */
  nearness(direction: Float32Array, concept: number): number;
}

/** Length of a row of the tables. */
const UNIT = 127;

export function openMeanings({ vectors, vocabulary, lexicon }: OpenTerms): Meanings {
  const { dim } = vectors;
  const terms = signed(vectors.terms);
  const concepts = signed(vectors.concepts);

  function addTerm(sum: Float32Array, term: number): void {
    const weight = vocabulary.idf[term]!;
    for (let k = 0, at = term * dim; k < dim; k++, at++) sum[k]! += weight * terms[at]!;
  }

  return {
    directionOf({ termsByLang, lang }) {
      const own = termsByLang[lexicon.findLang(lang)] ?? [];
      const known = own.some((term) => term !== NONE) ? own : termsByLang.flat();
      const sum = new Float32Array(dim);
      for (const term of known) if (term !== NONE) addTerm(sum, term);
      const length = Math.hypot(...sum);
      return length === 0 ? null : sum.map((value) => value / length);
    },
    nearness(direction, concept) {
      let product = 0;
      for (let k = 0, at = concept * dim; k < dim; k++, at++) product += direction[k]! * concepts[at]!;
      return product / UNIT;
    },
  };
}

function signed(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
