/** Place of the first document not below `doc` in an ascending list, at or after `from`. Gallops: what is near costs
 *  little and long lists cost a logarithm.
 *  Source: Bentley & Yao, "An almost optimal algorithm for unbounded searching", 1976. */
export function seekDoc(docs: Uint32Array, doc: number, from: number): number {
  if (from >= docs.length || docs[from]! >= doc) return from;
  let low = from;
  let step = 1;
  while (low + step < docs.length && docs[low + step]! < doc) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, docs.length);
  low++;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}
