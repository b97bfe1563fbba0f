import type { ObjectDocument, ObjectQuery } from '../../../src/engine/objects/types.ts';
import { MIN_DOCUMENTS_FOR_NEARNESS, meaningWeights } from '../../../src/engine/objects/weights.ts';
import { measureCosines } from '../../../src/engine/vectors/scan.ts';
import { createVectorRows } from '../../../src/engine/vectors/vector-rows.ts';

/** How near a document is; 0 where words alone decide. */
export interface NaiveNearness {
  readonly likeness: number;
  readonly evidence: number;
  /** Some of the words are not enough. */
  readonly isUnlike: boolean;
}

/** The nearness of DESIGN.md, each document by itself.
 *  @param lang language of the query */
export function naiveMeaning(
  documents: readonly ObjectDocument[],
  { meaning, keywords, model, filters }: ObjectQuery,
  lang: string | null,
): (document: ObjectDocument) => NaiveNearness {
  const nothing = () => ({ likeness: 0, evidence: 0, isUnlike: false });
  if (meaning === undefined || model === 'strict') return nothing;
  const { langs } = meaning;
  const asked = meaning.encode(keywords);
  if (asked.every((value) => value === 0)) return nothing;
  const rowOf = ({ vector }: ObjectDocument) => {
    if (vector === undefined || vector.every((value) => value === 0)) return undefined;
    const rows = createVectorRows(vector.length);
    rows.push(vector);
    return rows.finish();
  };
  const rows = documents.flatMap((document) => rowOf(document) ?? []);
  // In whole steps, so that the order of the documents makes no difference.
  const total = Array.from(asked, (_, k) =>
    rows.reduce((sum, { bytes, scales }) => sum + Math.round(scales[0]! * 2 ** 30) * bytes[k]!, 0),
  );
  const isUsual = rows.length >= MIN_DOCUMENTS_FOR_NEARNESS;
  const sum = total.reduce((all, value, k) => all + value * asked[k]!, 0);
  const usual = isUsual ? Math.max(0, sum / 2 ** 30 / rows.length) : 0;
  const cosines = new Map(
    documents.map((document) => {
      const row = rowOf(document);
      return [document.id, row && measureCosines(row, [asked])[0]];
    }),
  );
  const reads = (one: string) => langs.includes(one);
  const isRead = isUsual && (lang === null ? (filters.lang?.values ?? []) : [lang]).every(reads);
  return (document) => {
    const cosine = cosines.get(document.id);
    if (cosine === undefined) return nothing();
    const likeness = Math.fround(Math.max(0, (cosine - usual) * (1 / (1 - usual || 1))));
    const isEvidence = isRead && reads(document.lang);
    return {
      likeness,
      evidence: isEvidence ? likeness : 0,
      isUnlike: isEvidence && likeness < meaningWeights.close,
    };
  };
}
