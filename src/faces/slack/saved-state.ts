import { AppError } from '#errors';
import type { SlackContext } from './listener.ts';

interface Kept {
  readonly kind: string;
}

type StateContext = Pick<SlackContext, 'owner' | 'savedStates'>;

/** @param token of a button; null where it is invalid, expired, or of another kind */
export async function findSavedState<T extends Kept>(
  { owner, savedStates }: StateContext,
  { token, kind }: { readonly token: string; readonly kind: T['kind'] },
): Promise<T | null> {
  const state = await savedStates.find<T>(owner, token);
  return state?.kind === kind ? state : null;
}

/** The same. Errors: SLACK_STATE_OVER. */
export async function readSavedState<T extends Kept>(
  context: StateContext,
  named: { readonly token: string; readonly kind: T['kind'] },
): Promise<T> {
  const state = await findSavedState<T>(context, named);
  if (state === null) throw createStateExpiredError();
  return state;
}

export const createStateExpiredError = (): AppError =>
  new AppError('SLACK_STATE_OVER', 'This list is from too long ago. Search again.');

/** `<token>:<number>`; 0 for an unreadable number.
 *  @example readStateButton('k3J:12') // { token: 'k3J', number: 12 } */
export function readStateButton(value: string): { readonly token: string; readonly number: number } {
  const [token = '', number = ''] = value.split(':');
  return { token, number: /^\d{1,4}$/.test(number) ? Number(number) : 0 };
}

/** `<choice>:<token>:<number>`. Errors: PARAMETERS_INVALID.
 *  @example readStateMenuChoice('like:k3J:12', ['like']) // { choice: 'like', value: 'k3J:12' } */
export function readStateMenuChoice<C extends string>(
  chosen: string,
  choices: readonly C[],
): { readonly choice: C; readonly value: string } {
  const end = chosen.indexOf(':');
  const choice = choices.find((each) => each === chosen.slice(0, end));
  if (choice !== undefined) return { choice, value: chosen.slice(end + 1) };
  throw new AppError('PARAMETERS_INVALID', 'This menu has no such choice any more. Search again.');
}
