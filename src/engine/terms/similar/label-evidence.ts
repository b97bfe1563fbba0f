import type { OpenTerms } from '../concept-view.ts';
import type { ParsedQuery } from './parse-query.ts';

/** What a query has in common with each label. One for all calls: each touches few labels and wipes only those. The array is
 *  exposed because the scorer reads it for thousands of labels. */
export interface LabelEvidence {
  /** By label: product of its vector of n-grams with the query's, over the pairs of words that are alike. */
  readonly product: Float32Array;
  /** Multiply a query with the labels; returns those that share anything with it. */
  collect(query: ParsedQuery): Uint32Array;
  wipe(touched: Uint32Array): void;
}

export function createLabelEvidence({ labels, grams }: OpenTerms): LabelEvidence {
  const labelCount = labels.conceptOf.length;
  const product = new Float32Array(labelCount);
  const touchedLabels = new Uint32Array(labelCount);
  const { start, labels: labelsOfWord } = grams.wordLabels;

  return {
    product,
    collect({ slots }) {
      let count = 0;
      for (const { near, isIgnoredIn } of slots) {
        const isIgnoredAnywhere = isIgnoredIn.includes(true);
        for (const { word, product: worth } of near) {
          const end = start[word + 1]!;
          for (let at = start[word]!; at < end; at++) {
            const label = labelsOfWord[at]!;
            if (isIgnoredAnywhere && isIgnoredIn[labels.langOf[label]!]) continue;
            if (product[label] === 0) touchedLabels[count++] = label;
            product[label]! += worth;
          }
        }
      }
      return touchedLabels.subarray(0, count);
    },
    wipe(touched) {
      for (const label of touched) product[label] = 0;
    },
  };
}
