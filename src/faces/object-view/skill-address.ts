/** Whether concepts have pages on this host. */
export type SkillPages = { readonly publishes: { readonly skills: boolean } };

/** Without slashes of the URI, which proxies would change in a path.
 *  @example writeSkillAddress('skilldock:python') // '/skills/skilldock:python' */
export const writeSkillAddress = (uri: string): string =>
  /^[\w.:-]+$/.test(uri) ? `/skills/${uri}` : `/skills?uri=${encodeURIComponent(uri)}`;

/** Null if concepts have no pages here. */
export const linkSkillPage = ({ publishes }: SkillPages, uri: string | undefined): string | null =>
  publishes.skills && uri !== undefined ? writeSkillAddress(uri) : null;
