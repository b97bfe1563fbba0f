import type { Misfit } from '#contract/index';
import type { Finding } from '#ports/upstream';

/** A finding before equal ones are counted together. */
export interface Remark extends Pick<Finding, 'severity' | 'path'> {
  /** What should be so; the same for every item that breaks it. */
  readonly rule: string;
  /** What is there instead, in words; undefined where there is nothing to show. */
  readonly found?: string;
}

export function makeRuleDeviation(path: string, rule: string, found?: unknown): Remark {
  return { severity: 'deviation', path, rule, ...(found !== undefined && { found: describe(found) }) };
}

export function makeRuleNote(path: string, rule: string, found?: unknown): Remark {
  return { ...makeRuleDeviation(path, rule, found), severity: 'note' };
}

export function toRuleRemark({ path, rule, found, isUnspecified }: Misfit): Remark {
  const where = writePath(path);
  if (found === undefined) return makeRuleDeviation(where, `is missing; ${rule}`);
  return (isUnspecified ? makeRuleNote : makeRuleDeviation)(where, rule, found);
}

/** `response.content[3].price-free`. */
function writePath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').replace(/^\./, '') || 'body';
}

const MAX_SHOWN = 80;

/** `string "true"`, `array of 3`, `null`. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (value === null || typeof value === 'object') return value === null ? 'null' : 'object';
  const shown = JSON.stringify(value);
  const cut = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
  return `${typeof value} ${cut}`;
}

/** Remarks that many items share, each once with its count.
 *  @param clean takes keys and control characters out of a text of the other side */
export function countRuleRemarks(remarks: readonly Remark[], clean: (text: string) => string): Finding[] {
  const byKind = new Map<string, { readonly first: Remark; times: number }>();
  for (const remark of remarks) {
    const kind = [remark.severity, remark.path.replaceAll(/\[\d+\]/g, '[]'), remark.rule].join('\n');
    const alike = byKind.get(kind);
    if (alike === undefined) byKind.set(kind, { first: remark, times: 1 });
    else alike.times += 1;
  }
  return [...byKind.values()].map(({ first: { severity, path, rule, found }, times }) => {
    const problem = found === undefined ? rule : `${rule}, found ${found}`;
    return { severity, path: clean(path), problem: clean(problem), times };
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** An object within an answer. */
export interface Item {
  /** Where it is: `response.content[3]`. */
  readonly path: string;
  readonly fields: Fields;
}

/** What the specification says about a field beyond its type, which the schemas check. */
export interface Rule {
  readonly name: string;
  /** `expected h or min`. */
  readonly rule: string;
  /** Called for each entry if the field is an array, and only for plain values. */
  holds(value: string | number | boolean): boolean;
  /** `deviation` by default. */
  readonly severity?: 'note';
}

/** The objects of an array of an answer; none where there is no such array.
 *  @param path dotted, such as `response.content`; empty for the body itself */
export function findRuleItems(body: unknown, path: string): readonly Item[] {
  const list = path === '' ? body : path.split('.').reduce<unknown>((at, step) => readFields(at)[step], body);
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry, index) =>
    isObject(entry) ? [{ path: `${path}[${index}]`, fields: entry }] : [],
  );
}

/** The object in a field of another one; empty where there is none. */
export function findNestedItem({ path, fields }: Item, name: string): readonly Item[] {
  const value = fields[name];
  return isObject(value) ? [{ path: `${path}.${name}`, fields: value }] : [];
}

/** The fields of an object; empty for anything else. */
export function readFields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function applyInspectionRules(items: readonly Item[], rules: readonly Rule[]): readonly Remark[] {
  return items.flatMap((item) => rules.flatMap((rule) => applyRule(item, rule)));
}

function applyRule({ path, fields }: Item, { name, rule, holds, severity }: Rule): readonly Remark[] {
  const field = `${path}.${name}`.replace(/^\./, '');
  const value = fields[name];
  const values = Array.isArray(value)
    ? value.map((entry, index) => [`${field}[${index}]`, entry] as const)
    : [[field, value] as const];
  const remark = severity === 'note' ? makeRuleNote : makeRuleDeviation;
  return values.flatMap(([where, each]) =>
    isPlain(each) && !holds(each) ? [remark(where, rule, each)] : [],
  );
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Fields that the specification lists without saying that they may be absent. */
export function noteAbsent(items: readonly Item[], names: readonly string[]): readonly Remark[] {
  return items.flatMap(({ path, fields }) =>
    names
      .filter((name) => fields[name] === undefined)
      .map((name) => makeRuleNote(`${path}.${name}`, 'is absent; the specification lists it')),
  );
}

export const isUrl = (value: unknown) => typeof value !== 'string' || URL.canParse(value);

export const makeUrlRule = (name: string): Rule => ({ name, rule: 'expected a URL', holds: isUrl });

export const makeConstantRule = (name: string, constant: string): Rule => ({
  name,
  rule: `expected ${JSON.stringify(constant)}`,
  holds: (value) => value === constant,
});
