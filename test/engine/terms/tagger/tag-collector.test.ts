import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createStrengthFloor } from '../../../../src/engine/terms/tagger/tag-collector.ts';

const raises = fc.array(fc.tuple(fc.nat(9), fc.double({ min: 0.1, max: 4, noNaN: true })), { maxLength: 60 });

it('stays below the strength that the limit has reached, and near it', () => {
  const floor = createStrengthFloor();
  fc.assert(
    fc.property(raises, fc.integer({ min: 1, max: 5 }), (steps, limit) => {
      const strengths = new Map<number, number>();
      floor.start(limit);
      for (const [owner, to] of steps) {
        const from = strengths.get(owner) ?? 0;
        if (to <= from) continue;
        floor.raise(from, to);
        strengths.set(owner, to);
      }
      const limitStrongest = [...strengths.values()].sort((a, b) => b - a)[limit - 1] ?? 0;
      expect(floor.floor()).toBeLessThanOrEqual(limitStrongest);
      expect(floor.floor()).toBeGreaterThan(limitStrongest - 0.1);
    }),
  );
});
