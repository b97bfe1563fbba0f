const MAX_LENGTH = 500;
/** What people copy along from the documentation of the service. */
const SPECIFIED_PATHS = /\/(?:learningobject|domcomp)(?:\/.*)?$/;

/** The address of a service as it is saved, without a slash at its end, or the key of what is wrong with it.
 *  @param isGateway the paths behind a gateway are its own */
export function readAddress(
  text: string,
  isGateway: boolean,
): { readonly address: string } | { readonly problem: string } {
  const typed = text.trim();
  if (typed === '') return { problem: 'addressMissing' };
  if (typed.length > MAX_LENGTH) return { problem: 'addressTooLong' };
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (url === null || !/^https?:\/\//i.test(typed)) return { problem: 'addressNotWeb' };
  if (url.username !== '' || url.password !== '') return { problem: 'addressPassword' };
  if (/[?#]/.test(typed)) return { problem: 'addressQuery' };
  if (!isGateway && SPECIFIED_PATHS.test(url.pathname)) return { problem: 'addressPath' };
  return { address: url.origin + url.pathname.replace(/\/+$/, '') };
}
