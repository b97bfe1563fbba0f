import type { Message } from './block-kit.ts';
import { section } from './elements.ts';

/** A sentence as a message, mrkdwn. */
export const notice = (text: string): Message => ({ text, blocks: [section(text)] });
