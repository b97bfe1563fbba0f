/** Whether two words differ by at most one insertion, deletion, substitution or swap of neighbours.
 *  Source: optimal string alignment distance, Boytsov 2011, section 2.2. */
export function isWithinOneEdit(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  let shortEnd = short.length;
  let longEnd = long.length;
  while (shortEnd > start && longEnd > start && short[shortEnd - 1] === long[longEnd - 1]) {
    shortEnd--;
    longEnd--;
  }
  const shortRest = shortEnd - start;
  const longRest = longEnd - start;
  if (longRest <= 1) return true;
  return (
    shortRest === 2 && longRest === 2 && short[start] === long[start + 1] && short[start + 1] === long[start]
  );
}
