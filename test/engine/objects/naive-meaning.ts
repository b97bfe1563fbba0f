import type { ObjectDocument, ObjectQuery } from '../../../src/engine/objects/types.ts';
import { LEAST_USUAL } from '../../../src/engine/objects/weights.ts';
import { measureCosines } from '../../../src/engine/vectors/scan.ts';

/** How near a document is; both 0 where words alone decide. */
export interface NaiveNearness {
  readonly likeness: number;
  readonly evidence: number;
}

/** The nearness of DESIGN.md, each document by itself.
 *  @param lang language of the query */
export function naiveMeaning(
  documents: readonly ObjectDocument[],
  { meaning, model, filters }: ObjectQuery,
  lang: string | null,
): (document: ObjectDocument) => NaiveNearness {
  if (meaning === undefined || model === 'strict') return () => ({ likeness: 0, evidence: 0 });
  const { vectors, vector, langs } = meaning;
  const cosineOf = ({ id }: ObjectDocument) => {
    const row = vectors.rowOf(id);
    return row < 0 ? undefined : measureCosines(vectors.rows, [vector], Uint32Array.of(row))[0];
  };
  const known = documents.map(cosineOf).filter((cosine) => cosine !== undefined);
  const isUsual = known.length >= LEAST_USUAL;
  const steps = known.map((cosine) => Math.round(cosine * 2 ** 20));
  const usual = isUsual ? steps.reduce((sum, own) => sum + own, 0) / 2 ** 20 / known.length : 0;
  const reads = (one: string) => langs === null || langs.includes(one);
  const isRead = isUsual && (lang === null ? (filters.lang?.values ?? []) : [lang]).every(reads);
  return (document) => {
    const cosine = cosineOf(document);
    if (cosine === undefined) return { likeness: 0, evidence: 0 };
    const likeness = Math.fround(Math.max(0, (cosine - usual) / (1 - usual || 1)));
    return { likeness, evidence: isRead && reads(document.lang) ? likeness : 0 };
  };
}
