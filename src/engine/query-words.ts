/** Words of a query beyond this many are not searched for. */
export const MAX_QUERY_WORDS = 24;

/** Inverse document frequency, always positive. Source: Robertson & Zaragoza 2009, eq. 3.2 plus one. */
export function idf(documents: number, withTerm: number): number {
  return Math.log(1 + (documents - withTerm + 0.5) / (withTerm + 0.5));
}
