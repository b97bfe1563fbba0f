import { noPreferences, type Preferences } from '../../../domain/person.ts';
import type { ObjectWords } from '../../object-view/facts.ts';

export interface Erased {
  /** How many were saved. */
  readonly objects: number;
  /** How many were saved or remembered. */
  readonly searches: number;
  readonly preferences: Preferences;
}

export function erasedText({ objects, searches, preferences }: Erased, { t, locale }: ObjectWords): string {
  const what = [
    ...(objects > 0 ? [t('slackHome.data.objects', { count: objects })] : []),
    ...(searches > 0 ? [t('slackHome.data.searches', { count: searches })] : []),
    ...(hasAny(preferences) ? [t('slackHome.data.preferences')] : []),
  ];
  if (what.length === 0) return t('slackHome.data.nothing');
  return t('slackHome.data.cleared', { what: new Intl.ListFormat(locale).format(what) });
}

const hasAny = (preferences: Preferences): boolean =>
  JSON.stringify({ ...noPreferences, ...preferences }) !== JSON.stringify(noPreferences);
