import { AppError } from '#errors';

export type Predicate = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~';

/** `field predicate 'value'`; several values of a field are alternatives. */
export interface Condition {
  readonly field: string;
  readonly predicate: Predicate;
  readonly values: readonly string[];
}

/** Alternatives, each of conditions that all hold: AND binds more than OR. */
export type Filter = readonly (readonly Condition[])[];

const MAX_CONDITIONS = 50;
const CONDITION = /\s*([A-Za-z]+(?:\.[A-Za-z]+)*)\s*(!=|>=|<=|=|>|<|~)\s*'((?:[^'\\]|\\.|'')*)'\s*/y;
const JOINT = /(AND|OR)(?=\s)/y;

/** A quote within a value is written `\'` or `''`. Errors: PARAMETERS_INVALID.
 *  @example parseFilter("search~'math' AND learningResourceType='Media/Video'") */
export function parseFilter(text: string): Filter {
  if (text.trim() === '') return [];
  const filter: Condition[][] = [[]];
  for (let at = 0, count = 0; ; count++) {
    CONDITION.lastIndex = at;
    const [, field = '', predicate = '', quoted = ''] = CONDITION.exec(text) ?? [];
    if (field === '' || count >= MAX_CONDITIONS) throw refuseFilter(`is not read from its character ${at + 1} on`);
    const value = quoted.replace(/\\(.)|''/g, (_, sign: string | undefined) => sign ?? "'");
    // Names of subjects have commas.
    const whole = field === 'search' || field === 'subject' ? [value] : [];
    const values = [...whole, ...(field === 'search' ? [] : value.split(',').map((each) => each.trim()))];
    filter.at(-1)?.push({ field, predicate: predicate as Predicate, values: [...new Set(values)] });
    at = CONDITION.lastIndex;
    if (at >= text.length) return filter;
    JOINT.lastIndex = at;
    const [, joint] = JOINT.exec(text) ?? [];
    if (joint === undefined) throw refuseFilter(`needs AND or OR at its character ${at + 1}`);
    if (joint === 'OR') filter.push([]);
    at = JOINT.lastIndex;
  }
}

const refuseFilter = (problem: string) =>
  new AppError('PARAMETERS_INVALID', `The filter ${problem}. Write it as name~'math' AND language='en'.`, {
    problems: [{ path: 'filter', problem }],
  });

/** An empty filter fits all. @param readValues the values of a field, dotted ones within lists */
export function fitsFilter(filter: Filter, readValues: (field: string) => readonly string[]): boolean {
  if (filter.length === 0) return true;
  return filter.some((conditions) => conditions.every((condition) => fits(condition, readValues(condition.field))));
}

const NULL = 'NULL';

function fits({ predicate, values }: Condition, actual: readonly string[]): boolean {
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
  const order = areNumbers ? numbers[0] - numbers[1] : a < b ? -1 : a > b ? 1 : 0;
  if (predicate === '>') return order > 0;
  if (predicate === '<') return order < 0;
  return predicate === '>=' ? order >= 0 : order <= 0;
}
