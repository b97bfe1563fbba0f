import { learningObjectTypes } from '#domain/learning-object';
import {
  applyInspectionRules,
  findNestedItem,
  findRuleItems,
  type Item,
  makeConstantRule,
  makeRuleDeviation,
  makeRuleNote,
  makeUrlRule,
  type Remark,
  type Rule,
  readFields,
} from './rules.ts';

/** What the specification says of learning objects beyond the types of their fields.
 *  @param blooms what the `bloom` list names */
export function checkObjects(objects: readonly Item[], blooms: readonly string[]): readonly Remark[] {
  const prices = objects.flatMap((object) => findNestedItem(object, 'PriceSpecification'));
  return [
    ...applyInspectionRules(objects, [...objectRules, bloomRule(blooms)]),
    ...applyInspectionRules(prices, priceRules),
  ];
}

const isKnownType = (value: unknown) =>
  learningObjectTypes.some((type) => type === String(value).toLowerCase());

const objectRules: readonly Rule[] = [
  makeUrlRule('picture'),
  makeUrlRule('embed'),
  {
    name: 'type',
    rule: 'expected upper case',
    holds: (value) => String(value) === String(value).toUpperCase(),
  },
  {
    name: 'type',
    rule: 'is not among the types that the specification lists',
    holds: isKnownType,
    severity: 'note',
  },
  {
    name: 'level',
    rule: 'expected a decimal from -1 to 1',
    holds: (value) => typeof value !== 'number' || (value >= -1 && value <= 1),
  },
  {
    name: 'learningTimeUnit',
    rule: 'expected h or min',
    holds: (value) => value === 'h' || value === 'min',
  },
];

function bloomRule(blooms: readonly string[]): Rule {
  return {
    name: 'bloom',
    rule: 'is not in the bloom list',
    holds: (value) => blooms.some((bloom) => bloom === value),
    severity: 'note',
  };
}

const priceRules: readonly Rule[] = [
  makeConstantRule('@type', 'PriceSpecification'),
  makeUrlRule('@context'),
];

/** The page that was asked for. */
export interface PageAsked {
  readonly page: number;
  readonly max: number;
}

interface PageSeen extends PageAsked {
  readonly count: number;
}

/** Whether a page of results agrees with itself and with what was asked for. The schemas check types. */
export function checkObjectsPage(body: unknown, asked: PageAsked): readonly Remark[] {
  const response = readFields(readFields(body).response);
  const count = Array.isArray(response.content) ? response.content.length : 0;
  return [
    ...checkCounts(response.metadata, { ...asked, count }),
    ...checkQuality(response.msg, { ...asked, count }),
    ...checkRequestId(readFields(body).request),
  ];
}

function checkCounts(metadata: unknown, { page, max, count }: PageSeen): readonly Remark[] {
  const counts = readFields(metadata);
  const { page: given, 'number item per page': perPage, 'total number item': total, hasMore } = counts;
  const at = (name: string) => `response.metadata.${name}`;
  const remarks: Remark[] = [];
  if (count > max)
    remarks.push(makeRuleDeviation('response.content', `expected at most ${max} items`, count));
  if (typeof given === 'number' && given !== page)
    remarks.push(makeRuleDeviation(at('page'), `expected what was asked, ${page}`, given));
  if (typeof perPage === 'number' && perPage !== max)
    remarks.push(makeRuleNote(at('number item per page'), `expected what was asked, ${max}`, perPage));
  if (typeof total !== 'number') return remarks;
  const isMore = (page + 1) * max < total;
  if (typeof hasMore === 'boolean' && hasMore !== isMore)
    remarks.push(
      makeRuleDeviation(at('hasMore'), `expected ${isMore} after page ${page} of ${total} items`, hasMore),
    );
  const expected = Math.max(0, Math.min(max, total - page * max));
  if (count < expected)
    remarks.push(
      makeRuleDeviation('response.content', `expected ${expected} of ${total} items on page ${page}`, count),
    );
  if (page * max + count > total && count > 0)
    remarks.push(
      makeRuleDeviation(at('total number item'), `expected at least ${page * max + count}`, total),
    );
  return remarks;
}

/** The code is about what is found, so only the first page can contradict it. */
function checkQuality(msg: unknown, { page, count }: PageSeen): readonly Remark[] {
  if (typeof msg !== 'string' || page > 0) return [];
  const saysNothing = msg.startsWith('C00');
  if (saysNothing === (count === 0)) return [];
  const rule = saysNothing ? `expected A00 or B00 with ${count} items` : 'expected C00 without items';
  return [makeRuleDeviation('response.msg', rule, msg)];
}

function checkRequestId(request: unknown): readonly Remark[] {
  const { id } = readFields(request);
  return id === '' ? [makeRuleDeviation('request.id', 'expected an identifier', id)] : [];
}

/** Whether a page has other objects than the one before. */
export function checkNextObjectsPage(body: unknown, before: unknown): readonly Remark[] {
  const [urls, earlier] = [urlsIn(body), new Set(urlsIn(before))];
  const repeated = urls.filter((url) => earlier.has(url)).length;
  if (urls.length === 0 || repeated === 0) return [];
  const rule = 'expected other objects than on the page before';
  const found = `${repeated} of ${urls.length} again`;
  // Objects may move between pages; but a service that repeats a whole page has ignored the page number.
  return [
    repeated === urls.length
      ? makeRuleDeviation('response.content', rule, found)
      : makeRuleNote('response.content', rule, found),
  ];
}

function urlsIn(body: unknown): readonly unknown[] {
  return findRuleItems(body, 'response.content').map(({ fields }) => fields.url);
}
