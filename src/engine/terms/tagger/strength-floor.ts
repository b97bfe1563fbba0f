/** Strengths are told apart by steps of this. */
const STEPS_PER_UNIT = 64;
const STEPS = 1024;

/** The strength that at least so many have reached: what is below it is not among them. Made once for all calls. */
export function createStrengthFloor() {
  /** How many are at each step now. */
  const counts = new Uint32Array(STEPS);
  let limit = 0;
  let floorStep = 0;
  let above = 0;

  return {
    /** @param wanted how many are of use */
    start(wanted: number) {
      counts.fill(0);
      limit = wanted;
      floorStep = 0;
      above = 0;
    },
    /** Moves one from its strength (0 when new) to a higher one. */
    raise(from: number, to: number) {
      const fromStep = stepOf(from);
      const toStep = stepOf(to);
      if (counts[fromStep]! > 0 && fromStep > 0) {
        counts[fromStep]!--;
        if (fromStep > floorStep) above--;
      }
      counts[toStep]!++;
      if (toStep > floorStep) above++;
      while (above - counts[floorStep + 1]! >= limit) above -= counts[++floorStep]!;
    },
    floor: () => (floorStep === 0 ? 0 : (floorStep + 1) / STEPS_PER_UNIT),
  };
}

function stepOf(strength: number): number {
  return Math.min(STEPS - 2, Math.floor(strength * STEPS_PER_UNIT));
}
