import { cleanText, cutAtWord } from './plain-text.ts';

const MAX_URL = 2_000;
const MAX_SHOWN = 60;

/** As it is compared and kept; null where it is none of the web. */
export function webAddress(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_URL || !URL.canParse(trimmed)) return null;
  const { protocol, hostname, username, password, href } = new URL(trimmed);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && hostname !== '' && username === '' && password === '' ? href : null;
}

/** What is wrong with a text that is no address. */
export function addressProblem(text: string): string {
  const shown = cutAtWord(cleanText(text), MAX_SHOWN);
  if (shown === '') return 'has no address. Give one that begins with https';
  return `has the address ${shown}, which cannot be opened in a browser. Give one that begins with https`;
}
