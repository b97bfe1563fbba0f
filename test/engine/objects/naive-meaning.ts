import type { ObjectDocument, ObjectQuery } from '../../../src/engine/objects/types.ts';
import { LEAST_USUAL } from '../../../src/engine/objects/weights.ts';
import { measureCosines } from '../../../src/engine/vectors/scan.ts';
import { createVectorRows } from '../../../src/engine/vectors/vector-rows.ts';

/** How near a document is; both 0 where words alone decide. */
export interface NaiveNearness {
  readonly likeness: number;
  readonly evidence: number;
}

/** The nearness of DESIGN.md, each document by itself.
 *  @param lang language of the query */
export function naiveMeaning(
  documents: readonly ObjectDocument[],
  { meaning, keywords, model, filters }: ObjectQuery,
  lang: string | null,
): (document: ObjectDocument) => NaiveNearness {
  const nothing = () => ({ likeness: 0, evidence: 0 });
  if (meaning === undefined || model === 'strict') return nothing;
  const { langs } = meaning;
  const asked = meaning.encode(keywords);
  if (asked.every((value) => value === 0)) return nothing;
  const cosineOf = ({ vector }: ObjectDocument) => {
    if (vector === undefined || vector.every((value) => value === 0)) return undefined;
    const rows = createVectorRows(vector.length);
    rows.push(vector);
    return measureCosines(rows.finish(), [asked])[0];
  };
  const cosines = new Map(documents.map((document) => [document.id, cosineOf(document)]));
  const known = [...cosines.values()].filter((cosine) => cosine !== undefined);
  const isUsual = known.length >= LEAST_USUAL;
  const steps = known.map((cosine) => Math.round(cosine * 2 ** 20));
  const usual = isUsual ? steps.reduce((sum, own) => sum + own, 0) / 2 ** 20 / known.length : 0;
  const reads = (one: string) => langs.includes(one);
  const isRead = isUsual && (lang === null ? (filters.lang?.values ?? []) : [lang]).every(reads);
  return (document) => {
    const cosine = cosines.get(document.id);
    if (cosine === undefined) return nothing();
    const likeness = Math.fround(Math.max(0, (cosine - usual) * (1 / (1 - usual || 1))));
    return { likeness, evidence: isRead && reads(document.lang) ? likeness : 0 };
  };
}
