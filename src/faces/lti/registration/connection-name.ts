import { cleanName, findNameProblem, MAX_NAME_LENGTH } from '#domain/text';
import type { LtiRegistrations } from '#services/courses/lti-registrations/lti-registrations';
import type { PlatformConfiguration } from './platform-configuration.ts';

/** What administrators typed; null where it cannot be a name. */
export function readConnectionName(typed: string | null): string | null {
  const name = cleanName(typed ?? '');
  return findNameProblem(name) === null ? name : null;
}

/** What a connection is called until somebody names it: the site's title, else its address with its path, as several sites may be
 *  below one host. Numbered where the tenant has a connection of that name.
 *  @example 'learn.school.example/moodle (2)' */
export async function chooseConnectionName(
  registrations: Pick<LtiRegistrations, 'listRegistrations'>,
  { account, issuer }: PlatformConfiguration,
  tenantId: string,
): Promise<string> {
  const name = readConnectionName(account) ?? describeSite(issuer);
  const request = { page: 0, pageSize: 100, sort: 'name', descending: false } as const;
  const { items } = await registrations.listRegistrations({ ...request, scope: [tenantId], search: name });
  const taken = new Set(items.map((registration) => registration.name));
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name} (${number})`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** Room for a number. */
const MAX_SITE_LENGTH = MAX_NAME_LENGTH - 6;

function describeSite(issuer: string): string {
  const { host, pathname } = new URL(issuer);
  return (host + pathname.replace(/\/+$/, '')).slice(0, MAX_SITE_LENGTH);
}
