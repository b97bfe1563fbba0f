import { AppError } from '../../../errors.ts';

/** The one address that platforms launch us at, and send people back to after a login. */
export const launchUrlOf = (publicUrl: string): string => `${publicUrl}/lti/launch`;

/** Errors: LTI_TARGET_UNKNOWN for every other address, also one that differs by its query alone: what an item is stands in
 *  its custom parameters. A slash at the end makes no other address of it. */
export function requireOurTarget(target: string, publicUrl: string): void {
  const ours = launchUrlOf(publicUrl);
  if (target === ours || target === `${ours}/`) return;
  throw new AppError(
    'LTI_TARGET_UNKNOWN',
    'The platform opens an address that is none of this tool. Its settings, or those of the activity, have another one than they should.',
    { data: { facts: { expected: ours, given: target.slice(0, 500) } } },
  );
}
