import type { AnswerSource } from '../../domain/answer.ts';
import type { Provider } from '../../domain/catalog.ts';
import type { MissingPart } from '../../ports/learning-service.ts';
import type { ObjectWords } from './facts.ts';

const MAX_NAMES = 5;

interface NoticedResult {
  readonly missing: readonly MissingPart[];
  readonly source: AnswerSource;
  readonly corrected?: string;
}

/** What people should know of results that are of other words than theirs, not all there, or not of now. */
export function readNotices(
  { missing, source, corrected }: NoticedResult,
  providers: readonly Provider[],
  { t, locale }: ObjectWords,
): string[] {
  const namesOf = (why: MissingPart['why']) =>
    missing.filter((provider) => provider.why === why).map(({ id }) => nameOf(id, providers));
  const join = (names: readonly string[]) => new Intl.ListFormat(locale).format(names);
  const nameAll = (names: readonly string[]) => {
    const rest = names.length - MAX_NAMES;
    return rest <= 0
      ? join(names)
      : join([...names.slice(0, MAX_NAMES), t('picker.notices.more', { count: rest })]);
  };
  const [late, failed, notAsked] = [namesOf('late'), namesOf('failed'), namesOf('not-asked')];
  const notices: string[] = [];
  if (corrected !== undefined) notices.push(t('picker.notices.corrected', { words: corrected }));
  if (source.freshness === 'stale')
    notices.push(t('picker.notices.stale', { at: formatTime(source.answeredAt, locale) }));
  if (late.length > 0) notices.push(t('picker.notices.late', { names: nameAll(late) }));
  if (failed.length > 0) notices.push(t('picker.notices.failed', { names: nameAll(failed) }));
  if (notAsked.length > 0) notices.push(t('picker.notices.notAsked', { count: notAsked.length }));
  return notices;
}

function nameOf(id: string, providers: readonly Provider[]): string {
  return providers.find((provider) => provider.id === id)?.name ?? id;
}

function formatTime(at: Date, locale: string): string {
  return `${at.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}
