export type SkillPages = { readonly publishes: { readonly skills: boolean } };

/** Writes the path of a concept's page. A URI with slashes is in the query, as proxies would change
 *  it in a path.
 *  @example writeSkillAddress('skilldock:python') // '/skills/skilldock:python' */
export const writeSkillAddress = (uri: string): string =>
  /^[\w.:-]+$/.test(uri) ? `/skills/${uri}` : `/skills?uri=${encodeURIComponent(uri)}`;

/** Like `writeSkillAddress`; null without a concept, or if concepts have no pages on this host. */
export const linkSkillPage = ({ publishes }: SkillPages, uri: string | undefined): string | null =>
  publishes.skills && uri !== undefined ? writeSkillAddress(uri) : null;
