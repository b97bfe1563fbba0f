import { randomBytes } from 'node:crypto';

const RANDOM_BYTES = 6;

/** Ids that sort as they were made, in this process even within one millisecond.
 *  Shape: `<milliseconds>-<number>-<random>`, hexadecimal. */
export function createOrderedIds(): (now: Date) => string {
  let made = 0;
  return (now) => {
    made++;
    const random = randomBytes(RANDOM_BYTES).toString('hex');
    return `${hex(now.getTime(), 12)}-${hex(made, 8)}-${random}`;
  };
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}
