import { setTimeout as sleep } from 'node:timers/promises';
import type { Launch } from '#domain/lti/launch';
import type { Clock } from '#ports/clock';
import type { NonceRepository } from '#ports/store/store';

/** Answers a deep-linking request once, even where several calls ask for the answer:
 *  1. The call that sets the mark first makes the answer. If it fails, the mark is removed, so that
 *     another call can try.
 *  2. The answer is stored, and the launch ends.
 *  3. All other calls wait for the stored answer and return it, for as long as it is stored. */
export type LaunchAnswers = ReturnType<typeof createLaunchAnswers>;

export interface AnswerSteps {
  /** Rejects where the launch is over. */
  getLaunch(): Promise<Launch>;
  makeAnswer(): Promise<string>;
  endLaunch(): Promise<unknown>;
}

interface StoredAnswer {
  readonly launch: Launch;
  readonly text: string;
}

/** As long as platforms accept the answer. */
const STORED_MS = 5 * 60_000;
/** Longer than making an answer takes; for hosts that stop in the middle of it. */
const MARK_MS = 30_000;
const POLL_MS = 100;
const MAX_POLLS = 100;

export function createLaunchAnswers(nonces: NonceRepository, clock: Clock) {
  const after = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);

  async function findAnswer(id: string): Promise<StoredAnswer | null> {
    const json = await nonces.findNonce(answerNonce(id), clock.now());
    return json === null ? null : JSON.parse(json);
  }

  async function storeAnswer(id: string, { getLaunch, makeAnswer, endLaunch }: AnswerSteps): Promise<string> {
    // Another call may have finished just before the mark became free.
    const before = await findAnswer(id);
    if (before !== null) return before.text;
    const answer: StoredAnswer = { launch: await getLaunch(), text: await makeAnswer() };
    await nonces.addNonce(answerNonce(id), JSON.stringify(answer), after(STORED_MS));
    await endLaunch();
    return answer.text;
  }

  /** Null where another call has the mark. */
  async function tryAnswer(id: string, steps: AnswerSteps): Promise<string | null> {
    const isFirst = await nonces.addNonce(markNonce(id), '', after(MARK_MS));
    if (!isFirst) return null;
    try {
      return await storeAnswer(id, steps);
    } finally {
      await nonces.consumeNonce(markNonce(id), clock.now());
    }
  }

  return {
    /** The launch as JSON; null where the request was not answered, or too long ago. */
    async findAnsweredLaunch(id: string): Promise<string | null> {
      const answer = await findAnswer(id);
      return answer === null ? null : JSON.stringify(answer.launch);
    },
    /** @returns null where another call is making the answer and does not finish */
    async answer(id: string, steps: AnswerSteps): Promise<string | null> {
      for (let poll = 0; poll < MAX_POLLS; poll++) {
        const text = (await findAnswer(id))?.text ?? (await tryAnswer(id, steps));
        if (text !== null) return text;
        await sleep(POLL_MS);
      }
      return null;
    },
  };
}

const answerNonce = (id: string): string => `lti-answer ${id}`;
const markNonce = (id: string): string => `lti-answering ${id}`;
