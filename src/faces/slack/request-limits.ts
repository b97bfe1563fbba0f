/** Lists of types, languages and providers that take longer are as if they were not there: Slack lets a modal be opened, and
 *  shows options while somebody types, within three seconds. */
export const LISTS_MS = 700;

export { MAX_WORDS_LENGTH } from '../../domain/learning-object-query.ts';
