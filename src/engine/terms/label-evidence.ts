import type { OpenTerms } from './concept-view.ts';
import type { ParsedQuery } from './query.ts';

/** What a query finds of each label. One for all calls, clean between them: a call touches few of the labels and wipes only
 *  those. The arrays are open because the scorer reads them for thousands of labels. */
export interface LabelEvidence {
  /** By label: mass of the query found in it, in the weights of its language. */
  readonly found: Float32Array;
  /** By label: mass of it found in the query. */
  readonly covered: Float32Array;
  /** By label: how far from the query the farthest of its words is. */
  readonly stageOf: Uint8Array;
  /** Look for the words of a query; gives the labels that have any. */
  collect(query: ParsedQuery): Uint32Array;
  wipe(touched: Uint32Array): void;
}

export function createLabelEvidence({ labels, vocabulary, postings }: OpenTerms): LabelEvidence {
  const labelCount = labels.conceptOf.length;
  const found = new Float32Array(labelCount);
  const covered = new Float32Array(labelCount);
  const stageOf = new Uint8Array(labelCount);
  const slotOf = new Uint16Array(labelCount);
  const touchedLabels = new Uint32Array(labelCount);

  return {
    found,
    covered,
    stageOf,
    /** Term at a time: each slot adds to a label once, by its best match. */
    collect({ slots }) {
      let count = 0;
      for (const [i, { matches, weightByLang }] of slots.entries()) {
        for (const { term, weight, stage } of matches) {
          const inQuery = weightByLang[vocabulary.termLang[term]!]! * weight;
          if (inQuery === 0) continue;
          const inLabel = vocabulary.idf[term]! * weight;
          const end = postings.start[term + 1]!;
          for (let at = postings.start[term]!; at < end; at++) {
            const label = postings.labels[at]!;
            if (slotOf[label] === i + 1) continue;
            if (slotOf[label] === 0) touchedLabels[count++] = label;
            slotOf[label] = i + 1;
            found[label]! += inQuery;
            covered[label]! += inLabel;
            if (stageOf[label]! < stage) stageOf[label] = stage;
          }
        }
      }
      return touchedLabels.subarray(0, count);
    },
    wipe(touched) {
      for (const label of touched) {
        found[label] = 0;
        covered[label] = 0;
        stageOf[label] = 0;
        slotOf[label] = 0;
      }
    },
  };
}
