import { AppError } from '#errors';

type Predicate = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~';

/** Stands for `field predicate 'value'`; several values of a field are alternatives. */
export interface Condition {
  readonly field: string;
  readonly predicate: Predicate;
  readonly values: readonly string[];
}

/** A list of alternatives, each a list of conditions that must all hold, as AND binds before OR. */
export type Filter = readonly (readonly Condition[])[];

const MAX_CONDITIONS = 50;
const CONDITION = /\s*([A-Za-z]+(?:\.[A-Za-z]+)*)\s*(!=|>=|<=|=|>|<|~)\s*'((?:[^'\\]|\\.|'')*)'\s*/y;
const CONJUNCTION = /(AND|OR)(?=\s)/y;

/** Reads a filter; a quote within a value is written `\'` or `''`. Errors: PARAMETERS_INVALID.
 *  @example parseFilter("search~'math' AND learningResourceType='Media/Video'") */
export function parseFilter(text: string): Filter {
  if (text.trim() === '') return [];
  const filter: Condition[][] = [[]];
  for (let position = 0, count = 0; ; count++) {
    CONDITION.lastIndex = position;
    const [, field = '', predicate = '', quoted = ''] = CONDITION.exec(text) ?? [];
    if (field === '' || count >= MAX_CONDITIONS)
      throw refuseFilter(`is not read from its character ${position + 1} on`);
    const value = quoted.replace(/\\(.)|''/g, (_, sign: string | undefined) => sign ?? "'");
    filter.at(-1)?.push({ field, predicate: predicate as Predicate, values: splitFilterValue(field, value) });
    position = CONDITION.lastIndex;
    if (position >= text.length) return filter;
    CONJUNCTION.lastIndex = position;
    const [, conjunction] = CONJUNCTION.exec(text) ?? [];
    if (conjunction === undefined) throw refuseFilter(`needs AND or OR at its character ${position + 1}`);
    if (conjunction === 'OR') filter.push([]);
    position = CONJUNCTION.lastIndex;
  }
}

/** Splits a value at commas, except words of a search. Names of subjects may have commas, too. */
function splitFilterValue(field: string, value: string): readonly string[] {
  if (field === 'search') return [value];
  const values = value.split(',').map((part) => part.trim());
  return [...new Set(field === 'subject' ? [value, ...values] : values)];
}

const refuseFilter = (problem: string) =>
  new AppError('PARAMETERS_INVALID', `The filter ${problem}. Write it as name~'math' AND language='en'.`, {
    problems: [{ path: 'filter', problem }],
  });

/** Tells whether the values of fields fit a filter. All fit an empty one. */
export function fitsFilter(filter: Filter, readValues: (field: string) => readonly string[]): boolean {
  if (filter.length === 0) return true;
  return filter.some((conditions) =>
    conditions.every((condition) => fitsCondition(condition, readValues(condition.field))),
  );
}

const NULL = 'NULL';

function fitsCondition({ predicate, values }: Condition, actual: readonly string[]): boolean {
  const isMet = (value: string) =>
    value === NULL && (predicate === '=' || predicate === '!=')
      ? actual.length === 0
      : actual.some((each) => compareFilterValue(predicate === '!=' ? '=' : predicate, each, value));
  return predicate === '!=' ? !values.some(isMet) : values.some(isMet);
}

function compareFilterValue(predicate: Predicate, actual: string, expected: string): boolean {
  const [a, b] = [actual.toLowerCase(), expected.toLowerCase()];
  if (predicate === '=') return a === b;
  if (predicate === '~') return a.includes(b);
  const numbers = [Number(actual), Number(expected)] as const;
  const areNumbers = actual !== '' && expected !== '' && numbers.every((number) => !Number.isNaN(number));
  const order = areNumbers ? numbers[0] - numbers[1] : Number(a > b) - Number(a < b);
  if (predicate === '>') return order > 0;
  if (predicate === '<') return order < 0;
  return predicate === '>=' ? order >= 0 : order <= 0;
}
