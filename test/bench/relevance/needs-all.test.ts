import { describe, expect, test } from 'vitest';
import { compareNeeds, type Measured } from '../../../bench/relevance/needs-all.ts';

/** Needs of two sets with the same ids, with these gains by set. */
function needsWith(gains: readonly [number, number], change: Partial<Measured> = {}): Measured[] {
  return Array.from({ length: 40 }, (_, i): Measured => {
    const id = `en-${i >> 1}`;
    const set = i % 2 === 0 ? '.' : 'four-languages';
    return { id, set, shown: 5, judged: 1, wrong: 0.2, gain: gains[i % 2]!, gradedGain: 1, first: 1, ...change };
  });
}

const differenceOf = (after: readonly Measured[], before: readonly Measured[], measure: string) =>
  compareNeeds('all', after, before).find(({ name }) => name === `all: ${measure}, difference`)!;

describe('the difference of two rankings', () => {
  test('is by need of its set, so that needs which are met well and badly do not widen it', () => {
    const { cases, values } = differenceOf(needsWith([0.3, 0.9]), needsWith([0.2, 0.8]), 'nDCG@5');
    expect(cases).toBe(40);
    for (const value of Object.values(values)) expect(value).toBeCloseTo(0.1);
  });

  test('has an interval around 0 where some gain what others lose', () => {
    const { values } = differenceOf(needsWith([0.3, 0.7]), needsWith([0.5, 0.5]), 'nDCG@5');
    expect(values.difference).toBeCloseTo(0);
    expect(values.from).toBeLessThan(-0.02);
    expect(values.to).toBeGreaterThan(0.02);
  });

  test('leaves out needs that the other ranking was not measured on, and those that cannot be met', () => {
    const before = needsWith([0.5, 0.5]).filter(({ set }) => set === '.');
    expect(differenceOf(needsWith([0.5, 0.5]), before, 'nDCG@5').cases).toBe(20);
    const beyond = needsWith([0, 0]).map(({ id, set, judged }): Measured => ({ id, set, judged, shown: 3 }));
    const fewer = beyond.map((each) => ({ ...each, shown: 1 }));
    expect(differenceOf(fewer, beyond, 'shown where nothing is').values.difference).toBe(-2);
    expect(differenceOf(fewer, beyond, 'nDCG@5').cases).toBe(0);
  });
});
