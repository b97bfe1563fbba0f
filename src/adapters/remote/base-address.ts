import { AppError } from '../../errors.ts';

/** Read the address of a service as an administrator entered it.
 *  Errors: UPSTREAM_ADDRESS_REFUSED, without repeating what was entered, because it may hold a password or a key. */
export function readBaseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refused('is not a web address. Enter one such as https://api.example.org.');
  if (url.username !== '' || url.password !== '')
    throw refused('has a user name or password in it. Leave them out; keys have fields of their own.');
  if (url.search !== '' || url.hash !== '')
    throw refused('has a ? or # in it. Enter only what stands before.');
  return url;
}

function refused(problem: string): AppError {
  return new AppError('UPSTREAM_ADDRESS_REFUSED', `The address of the service ${problem}`);
}
