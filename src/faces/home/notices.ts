import type { Provider } from '../../domain/catalog.ts';
import type { MissingProvider, SearchResult } from '../../services/discovery/discovery.ts';

const MAX_NAMES = 5;
const names = new Intl.ListFormat('en');

/** What people should know of results that are of other words than theirs, not all there, or not of now. Asked again, there may be more. */
export function readNotices(
  { missing, source, corrected }: Pick<SearchResult, 'missing' | 'source' | 'corrected'>,
  providers: readonly Provider[],
): string[] {
  const notices: string[] = [];
  if (corrected !== undefined) notices.push(`Results for “${corrected}”.`);
  const late = missing.filter(({ why }) => why === 'late');
  const failed = missing.filter(({ why }) => why === 'failed');
  const notAsked = missing.filter(({ why }) => why === 'not-asked').length;
  if (source.freshness === 'stale')
    notices.push(
      `${source.upstream} cannot be asked right now. These are its results of ${at(source.answeredAt)}.`,
    );
  if (late.length > 0) notices.push(`${nameAll(late, providers)} did not answer in time.`);
  if (failed.length > 0) notices.push(`${nameAll(failed, providers)} cannot be searched right now.`);
  if (notAsked > 0) {
    const who =
      notAsked === 1 ? '1 more provider was' : `${notAsked.toLocaleString('en')} more providers were`;
    notices.push(`${who} not asked; choose one to search it.`);
  }
  return notices;
}

function nameAll(missing: readonly MissingProvider[], providers: readonly Provider[]): string {
  const nameOf = (id: string) => providers.find((provider) => provider.id === id)?.name ?? id;
  const shown = missing.slice(0, MAX_NAMES).map(({ id }) => nameOf(id));
  const rest = missing.length - shown.length;
  return names.format(rest === 0 ? shown : [...shown, `${rest} more`]);
}

function at(instant: Date): string {
  return `${instant.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}
