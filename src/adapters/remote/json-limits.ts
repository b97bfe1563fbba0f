/** Far more than an answer has: parsing it would keep the host from everything else. */
const MAX_DEPTH = 64;
const MAX_VALUES = 200_000;
const MAX_NAMES = 2_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Whether JSON nests more than 64 deep, has more than 200,000 values, or an object of more than
 *  2,000 names. Reads bytes without parsing them, in a few milliseconds for each megabyte.
 *  @param json in UTF-8; other text may give either answer */
export function isExcessiveJson(json: Uint8Array): boolean {
  // Of each open list or object, how many names it may still have; lists have any number.
  const namesLeft: number[] = [];
  let values = 1;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) {
      const left = (namesLeft.pop() ?? Number.POSITIVE_INFINITY) - 1;
      namesLeft.push(left);
      if (++values > MAX_VALUES || left <= 0) return true;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      namesLeft.push(byte === OPEN_OBJECT ? MAX_NAMES : Number.POSITIVE_INFINITY);
      if (++values > MAX_VALUES || namesLeft.length > MAX_DEPTH) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) namesLeft.pop();
  }
  return false;
}
