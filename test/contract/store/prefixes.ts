import { expect } from 'vitest';
import { awkwardText } from './records.ts';

const names = [
  'slack:T1:U1',
  'slack:T1:U2',
  'slack:T10:U1',
  'Slack:T1:U1',
  'at slack:T1:U1',
  'line\nslack:T1:U1',
  'slack:T%:U1',
  'slack:T_:U1',
  'slack:T.:U1',
  'slack:T\\d:U1',
  'slack:[T]:U1',
  'élan',
  'e\u0301lan',
  '🐍 a',
  '🐍b',
  awkwardText,
] as const;

const begun: readonly (readonly [prefix: string, names: readonly string[]])[] = [
  ['slack:T1:', ['slack:T1:U1', 'slack:T1:U2']],
  ['slack:T1:U1', ['slack:T1:U1']],
  ['slack:T1:U1 ', []],
  ['slack:T1', ['slack:T1:U1', 'slack:T1:U2', 'slack:T10:U1']],
  ['SLACK:T1:', []],
  ['Slack:', ['Slack:T1:U1']],
  ['slack:t', []],
  ['slack:T%:', ['slack:T%:U1']],
  ['%', []],
  ['slack:T_:', ['slack:T_:U1']],
  ['slack:T.', ['slack:T.:U1']],
  ['slack:T.*', []],
  ['.*', []],
  ['slack:T\\d', ['slack:T\\d:U1']],
  ['slack:[T', ['slack:[T]:U1']],
  ['^slack', []],
  ['(?i)slack', []],
  ['é', ['élan']],
  ['e', ['e\u0301lan']],
  ['🐍', ['🐍 a', '🐍b']],
  [awkwardText.slice(0, 40), [awkwardText]],
  ['', names],
];

export interface NamedRecords {
  /** Stores a record of this person. */
  add(person: string): Promise<unknown>;
  /** Removes those of everyone whose name begins so, and says how many there were. */
  remove(prefix: string): Promise<number>;
  /** Names of those whose records are left. */
  list(): Promise<readonly string[]>;
}

/** Holds a removal by the beginning of names to what it promises: characters as they are, in their own case, and none with a
 *  meaning of its own. */
export async function expectPlainPrefixes({ add, remove, list }: NamedRecords): Promise<void> {
  for (const [prefix, expected] of begun) {
    for (const name of names) await add(name);
    expect(await remove(prefix), `how many begin with ${prefix}`).toBe(expected.length);
    const left = names.filter((name) => !expected.includes(name));
    expect((await list()).toSorted(), `left without ${prefix}`).toEqual(left.toSorted());
    await remove('');
  }
}
