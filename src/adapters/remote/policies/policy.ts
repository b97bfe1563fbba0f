import type { Answer, Call, Send } from '../send.ts';

/** What stands around a call: it may wait, refuse, repeat, or learn from the answer. */
export type Policy = (call: Call, send: Send) => Promise<Answer>;
