import { AppError } from '#errors';
import type { SlackContext } from './listener.ts';

type StoredState = { readonly kind: string };
type StateContext = Pick<SlackContext, 'owner' | 'savedStates'>;
type StateName<T extends StoredState> = { readonly token: string; readonly kind: T['kind'] };

/** Finds the state that a button names by its token; null if it expired or is of another kind. */
export async function findSavedState<T extends StoredState>(
  { owner, savedStates }: StateContext,
  { token, kind }: StateName<T>,
): Promise<T | null> {
  const state = await savedStates.find<T>(owner, token);
  return state?.kind === kind ? state : null;
}

/** Gets the state that a button names by its token. Errors: SLACK_STATE_OVER. */
export async function getSavedState<T extends StoredState>(context: StateContext, name: StateName<T>): Promise<T> {
  const state = await findSavedState<T>(context, name);
  if (state === null) throw createStateExpiredError();
  return state;
}

export const createStateExpiredError = (): AppError =>
  new AppError('SLACK_STATE_OVER', 'This list is from too long ago. Search again.');

/** Splits `<token>:<number>`, the value of a button; an unreadable number is 0.
 *  @example parseButtonValue('k3J:12') // { token: 'k3J', number: 12 } */
export function parseButtonValue(value: string): { readonly token: string; readonly number: number } {
  const [token = '', number = ''] = value.split(':');
  return { token, number: /^\d{1,4}$/.test(number) ? Number(number) : 0 };
}

/** Splits `<choice>:<token>:<number>`, the value of a menu. Errors: PARAMETERS_INVALID.
 *  @example parseMenuChoice('like:k3J:12', ['like']) // { choice: 'like', value: 'k3J:12' } */
export function parseMenuChoice<C extends string>(
  chosen: string,
  choices: readonly C[],
): { readonly choice: C; readonly value: string } {
  const end = chosen.indexOf(':');
  const choice = choices.find((name) => name === chosen.slice(0, end));
  if (choice !== undefined) return { choice, value: chosen.slice(end + 1) };
  throw new AppError('PARAMETERS_INVALID', 'This menu has no such choice any more. Search again.');
}
