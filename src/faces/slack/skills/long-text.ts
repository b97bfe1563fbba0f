/** Names of skills and jobs are shorter. */
const MAX_NAME_LENGTH = 80;
/** "Sr. developer" has none. */
const SENTENCE_END = /(?:\p{L}+['’\-\s]+){2,}\p{L}+[.!?…](?=\s+\S)/u;

/** Whether it is a text to be read for its skills, and not the name of one: it goes on for more than a line, or has more than
 *  one sentence. */
export function isLongText(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length > MAX_NAME_LENGTH || /[\r\n]/.test(trimmed) || SENTENCE_END.test(trimmed);
}
