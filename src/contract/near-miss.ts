/** Names shorter than this are too near to too many words. */
const MIN_LENGTH = 3;

/** Whether two parameter names differ by case, or by one letter: left out, added, changed, or swapped with its neighbour. */
export function isNearMiss(given: string, known: string): boolean {
  const a = given.toLowerCase();
  const b = known.toLowerCase();
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < MIN_LENGTH) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB || restB.slice(1) === restA || restA.slice(1) === restB.slice(1)) return true;
  return restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0];
}
