import type { z } from 'zod';
import type { Grant } from '../grants.ts';

/** One method of the Web API. */
export interface Method<Args = unknown> {
  /** Absent where no token is needed. */
  readonly scope?: string | null;
  /** Of what is sent beside the token; anything else is a problem. */
  readonly args: z.ZodType<Args>;
  /** @returns what is answered beside `ok`; throws refusals */
  run(call: { readonly args: Args; readonly grant: Grant | null }): object;
}

/** One that works in the name of the app in a workspace; null needs no scope. */
export const method = <Args>(
  scope: string | null,
  args: z.ZodType<Args>,
  run: (args: Args, grant: Grant) => object,
): Method => ({
  scope,
  args,
  run: ({ args: given, grant }) => run(given as Args, grant!),
});

/** One that needs no token. */
export const openMethod = <Args>(args: z.ZodType<Args>, run: (args: Args) => object): Method => ({
  args,
  run: ({ args: given }) => run(given as Args),
});

export type Methods = Readonly<Record<string, Method>>;
