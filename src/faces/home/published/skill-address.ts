import type { HomeFaceDeps } from '../deps.ts';

/** Path of the page of a concept. Proxies change the slashes of an address that is in a path.
 *  @example writeSkillAddress('skilldock:python') // '/skills/skilldock:python' */
export const writeSkillAddress = (uri: string): string =>
  /^[\w.:-]+$/.test(uri) ? `/skills/${uri}` : `/skills?uri=${encodeURIComponent(uri)}`;

/** The same; null where concepts have no pages here. */
export const linkConcept = ({ publishes }: Pick<HomeFaceDeps, 'publishes'>, uri: string | undefined): string | null =>
  publishes.skills && uri !== undefined ? writeSkillAddress(uri) : null;
