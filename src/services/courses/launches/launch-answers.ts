import { setTimeout as sleep } from 'node:timers/promises';
import type { Launch } from '#domain/lti/launch';
import type { Clock } from '#ports/clock';
import type { NonceRepository } from '#ports/store/store';

/** How a request is answered only once, even where several ask for the answer at the same time, or again:
 *  1. The one who sets the mark first makes the answer; a failure removes the mark, so that it can be tried again.
 *  2. The answer is kept, and the launch ends.
 *  3. Everyone else waits for the answer and gets the very same, as long as it is kept. */
export interface LaunchAnswers {
  /** As JSON; null where the request was not answered, or too long ago. */
  findAnsweredLaunch(id: string): Promise<string | null>;
  /** @param parts the launch, how an answer is made, and how the launch ends
   *  @returns null where somebody else is making it and does not finish */
  answer(id: string, parts: AnswerParts): Promise<string | null>;
}

export interface AnswerParts {
  /** Rejects where the launch is over. */
  getLaunch(): Promise<Launch>;
  make(): Promise<string>;
  endLaunch(): Promise<unknown>;
}

interface KeptAnswer {
  readonly launch: Launch;
  readonly text: string;
}

/** As long as platforms accept the answer. */
const KEPT_MS = 5 * 60_000;
/** Longer than making an answer takes; for hosts that fail in the middle of it. */
const MARK_MS = 30_000;
const LOOK_MS = 100;
const LOOKS = 100;

export function createLaunchAnswers({
  nonces,
  clock,
}: {
  readonly nonces: NonceRepository;
  readonly clock: Clock;
}): LaunchAnswers {
  const after = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);

  async function findAnswer(id: string): Promise<KeptAnswer | null> {
    const kept = await nonces.findNonce(answerNonce(id), clock.now());
    return kept === null ? null : JSON.parse(kept);
  }

  async function makeAnswer(id: string, { getLaunch, make, endLaunch }: AnswerParts): Promise<string> {
    // Somebody else may have finished just before the mark became free.
    const before = await findAnswer(id);
    if (before !== null) return before.text;
    const answer: KeptAnswer = { launch: await getLaunch(), text: await make() };
    await nonces.addNonce(answerNonce(id), JSON.stringify(answer), after(KEPT_MS));
    await endLaunch();
    return answer.text;
  }

  /** Null where somebody else is at it. */
  async function tryAnswer(id: string, parts: AnswerParts): Promise<string | null> {
    const isFirst = await nonces.addNonce(markNonce(id), '', after(MARK_MS));
    if (!isFirst) return null;
    try {
      return await makeAnswer(id, parts);
    } finally {
      await nonces.consumeNonce(markNonce(id), clock.now());
    }
  }

  return {
    async findAnsweredLaunch(id) {
      const answer = await findAnswer(id);
      return answer === null ? null : JSON.stringify(answer.launch);
    },
    async answer(id, parts) {
      for (let look = 0; look < LOOKS; look++) {
        const text = (await findAnswer(id))?.text ?? (await tryAnswer(id, parts));
        if (text !== null) return text;
        await sleep(LOOK_MS);
      }
      return null;
    },
  };
}

const answerNonce = (id: string): string => `lti-answer ${id}`;
const markNonce = (id: string): string => `lti-answering ${id}`;
