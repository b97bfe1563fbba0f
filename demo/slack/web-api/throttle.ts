/** Calls that are told to wait, for tests of patience. */
export interface Throttling {
  /** Absent: any. */
  readonly method?: string | undefined;
  readonly token?: string | undefined;
  readonly retryAfterSeconds: number;
  /** How many calls; 1 when absent. */
  readonly times?: number | undefined;
}

export function createThrottle() {
  let scripted: Throttling[] = [];
  return {
    add: (throttling: Throttling) => void scripted.push(throttling),
    /** Seconds that this call is told to wait; null where it may pass. */
    take(method: string, token: string | null): number | null {
      const found = scripted.find((each) => (each.method ?? method) === method && (each.token ?? token) === token);
      if (found === undefined) return null;
      const times = (found.times ?? 1) - 1;
      scripted = scripted.flatMap((each) => (each !== found ? [each] : times > 0 ? [{ ...found, times }] : []));
      return found.retryAfterSeconds;
    },
  };
}

export type Throttle = ReturnType<typeof createThrottle>;
