type Bound<S, F> = {
  readonly [K in keyof F]: F[K] extends (state: S, ...args: infer A) => infer R ? (...args: A) => R : never;
};

/** Binds functions to the state that is their first parameter, so that callers need not have it. A
 *  generic function loses its type parameters: bind it by hand.
 *  @example
 *  const counter = bindState({ count: 0 }, { add: (state, by: number) => (state.count += by) });
 *  counter.add(2); // 2 */
export function bindState<S, F extends Readonly<Record<string, (state: S, ...args: never[]) => unknown>>>(
  state: S,
  functions: F,
): Bound<S, F> {
  const bound = Object.entries(functions).map(([name, run]) => [name, (...args: never[]) => run(state, ...args)]);
  return Object.fromEntries(bound);
}
