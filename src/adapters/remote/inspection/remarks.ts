import type { Misfit } from '../../../contract/index.ts';
import type { Finding } from '../../../ports/upstream.ts';

/** A finding before those that are alike are counted together. */
export interface Remark extends Pick<Finding, 'severity' | 'path'> {
  /** What should be so; the same for every item that breaks it. */
  readonly rule: string;
  /** What is there instead, in words; undefined where there is nothing to show. */
  readonly found?: string;
}

const MAX_SHOWN = 80;

export function deviation(path: string, rule: string, found?: unknown): Remark {
  return { severity: 'deviation', path, rule, ...(found !== undefined && { found: describe(found) }) };
}

export function note(path: string, rule: string, found?: unknown): Remark {
  return { ...deviation(path, rule, found), severity: 'note' };
}

export function toRemark({ path, rule, found, isUnspecified }: Misfit): Remark {
  const where = writePath(path);
  if (found === undefined) return deviation(where, `is missing; ${rule}`);
  return (isUnspecified ? note : deviation)(where, rule, found);
}

/** `response.content[3].price-free`. */
function writePath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').replace(/^\./, '') || 'body';
}

/** `string "true"`, `array of 3`, `null`. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (value === null || typeof value === 'object') return value === null ? 'null' : 'object';
  const shown = JSON.stringify(value);
  const cut = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
  return `${typeof value} ${cut}`;
}

/** What is alike in many items, once.
 *  @param clean takes keys and control characters out of a text of the other side */
export function countTogether(remarks: readonly Remark[], clean: (text: string) => string): Finding[] {
  const byKind = new Map<string, Remark[]>();
  for (const remark of remarks) {
    const kind = [remark.severity, remark.path.replaceAll(/\[\d+\]/g, '[]'), remark.rule].join('\n');
    const alike = byKind.get(kind);
    if (alike === undefined) byKind.set(kind, [remark]);
    else alike.push(remark);
  }
  return [...byKind.values()].map((alike) => {
    const { severity, path, rule, found } = alike[0]!;
    const problem = found === undefined ? rule : `${rule}, found ${found}`;
    return { severity, path: clean(path), problem: clean(problem), times: alike.length };
  });
}
