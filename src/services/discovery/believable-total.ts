/** No catalogue has more learning objects; a provider that says so does not count. */
const MAX_TOTAL = 1_000_000_000;

export interface BelievableTotal {
  readonly totalItems: number;
  readonly isTotalExact: boolean;
}

/** What a service says it has, as far as that can be true. */
export function believableTotal(totalItems: number): BelievableTotal {
  return { totalItems: Math.min(totalItems, MAX_TOTAL), isTotalExact: totalItems <= MAX_TOTAL };
}
