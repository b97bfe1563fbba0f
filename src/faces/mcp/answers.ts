import { toForeignText } from '#domain/text';

/** Bytes of an answer that lists ten things or fewer, and as much for each ten more, up to the
 *  most. */
const TEN_BYTES = 6_000;
const MAX_BYTES = 30_000;
/** Characters of any text in it; an address of more is none that a tool takes. */
const MAX_TEXT = 2_000;

/** Everything that an assistant is told goes through here: no text has what cannot be seen, and the
 *  whole is small. Where there is no room, descriptions go first, then the ends of titles, then
 *  what can be done without, and then the last entries of the longest lists.
 *  @param write what is sent of the data, from which so many entries are left out */
export function fitAnswer<T extends object, R>(data: T, write: (data: T, leftOut: number) => R): R {
  let fitting = clean(data);
  let leftOut = 0;
  const room = Math.min(MAX_BYTES, TEN_BYTES * Math.max(1, countEntries(fitting) / 10));
  let written = write(fitting, leftOut);
  let size = countBytes(written);
  for (const shrink of shrinkings) {
    if (size <= room) return written;
    fitting = rewrite(fitting, shrink);
    written = write(fitting, leftOut);
    size = countBytes(written);
  }
  for (const isEntry of [isObject, () => true])
    for (
      let list = findLongest(fitting, isEntry);
      size > room && list;
      list = findLongest(fitting, isEntry)
    ) {
      leftOut += list.splice(-Math.ceil((list.length * (1 - room / size)) / 2)).length;
      written = write(fitting, leftOut);
      size = countBytes(written);
    }
  return written;
}

/** What becomes of a field of an object; undefined where it goes. */
type Rewrite = (value: unknown, name: string) => unknown;

const clean = <T>(data: T): T =>
  rewrite(data, (value) => (typeof value === 'string' ? toForeignText(value, MAX_TEXT) : value));

const cut =
  (field: string, max: number): Rewrite =>
  (value, name) =>
    name === field && typeof value === 'string' ? toForeignText(value, max) : value;
const drop =
  (...fields: readonly string[]): Rewrite =>
  (value, name) =>
    fields.includes(name) ? undefined : value;

const shrinkings: readonly Rewrite[] = [
  cut('description', 120),
  cut('description', 60),
  drop('description', 'quote'),
  cut('title', 60),
  cut('title', 30),
  drop('type', 'bloom', 'provider'),
];

function rewrite<T>(value: T, change: Rewrite, name = ''): T {
  const changed = change(value, name);
  if (Array.isArray(changed)) return changed.map((each) => rewrite(each, change)) as T;
  if (!isObject(changed)) return changed as T;
  const fields = Object.entries(changed).map(([field, each]) => [field, rewrite(each, change, field)]);
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined)) as T;
}

/** The innermost lists with such entries: of a plan, those of the objects of each skill. */
function findLists(value: unknown, isEntry: (value: unknown) => boolean): unknown[][] {
  if (!isObject(value)) return [];
  const inner = Object.values(value).flatMap((each) => findLists(each, isEntry));
  return inner.length === 0 && Array.isArray(value) && value.some(isEntry) ? [value] : inner;
}

const findLongest = (value: unknown, isEntry: (value: unknown) => boolean) =>
  findLists(value, isEntry)
    .map((list) => ({ list, size: countBytes(list) }))
    .reduce((one, other) => (other.size > one.size ? other : one), {
      list: undefined as unknown[] | undefined,
      size: 0,
    }).list;

const countEntries = (data: object) =>
  findLists(data, isObject).reduce((count, { length }) => count + length, 0);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const countBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
