import { AppError } from '../../errors.ts';
import type { Message } from './blocks/block-kit.ts';
import { withoutPictures } from './blocks/elements.ts';

/** What Slack says where it cannot fetch a picture, or where blocks are wrong in another way. */
const WRONG_BLOCKS: ReadonlySet<unknown> = new Set(['invalid_blocks', 'invalid_arguments']);

export interface Pictured {
  readonly message: Message;
  onProblem(error: unknown): void;
}

/** A picture that is gone fails all that is sent with it: it is sent without any then. Errors: those of `send`. */
export async function withPictures(
  { message, onProblem }: Pictured,
  send: (message: Message) => Promise<void>,
): Promise<void> {
  try {
    await send(message);
  } catch (error) {
    if (!(error instanceof AppError && WRONG_BLOCKS.has(error.data.said))) throw error;
    onProblem(error);
    await send(withoutPictures(message));
  }
}
