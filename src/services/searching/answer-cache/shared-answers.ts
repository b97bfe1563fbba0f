import { createHash } from 'node:crypto';
import { finishInTime } from '#domain/async/deadline';
import type { Clock } from '#ports/clock';
import type { AnswerRepository, SharedAnswer } from '#ports/store/store';

/** Marks a `Map` among plain data; no service calls a field like this. */
const MAP = '\u0000map';

/** Answers that hosts share. A host whose store is slow or broken gets on without them. */
export interface SharedAnswers {
  /** Null also where the store fails or takes too long. */
  findAnswer(key: string): Promise<SharedAnswer | null>;
  /** Writes after the answer is given. */
  keepAnswer(key: string, answer: SharedAnswer): void;
}

export interface SharedAnswersDeps {
  readonly shared: AnswerRepository;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

/** A store that is slower than this is of no help: the upstream answers about as fast. */
const MAX_WAIT_MS = 250;

export function createSharedAnswers({ shared, clock, onProblem }: SharedAnswersDeps): SharedAnswers {
  async function find(key: string): Promise<SharedAnswer | null> {
    try {
      return await shared.findAnswer(hash(key), clock.now());
    } catch (error) {
      onProblem(error);
      return null;
    }
  }

  async function keep(key: string, answer: SharedAnswer): Promise<void> {
    try {
      await shared.keepAnswer(hash(key), answer);
    } catch (error) {
      onProblem(error);
    }
  }

  return {
    findAnswer: (key) => finishInTime(find(key), MAX_WAIT_MS),
    // Those who wait for the answer are served first: some stores work in this very process.
    keepAnswer: (key, answer) => void setImmediate(keep, key, answer),
  };
}

/** Keys contain what people asked, which nobody else needs to see. */
function hash(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** An answer as JSON. Facets are Maps, which JSON does not know. */
export function stringifySharedAnswer(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    each instanceof Map ? { [MAP]: [...each.entries()] } : each,
  );
}

/** What was written, as it was. Throws where the text is no JSON. */
export function parseSharedAnswer(text: string): unknown {
  return JSON.parse(text, (_name, each: unknown) => (isWrittenMap(each) ? new Map(each[MAP]) : each));
}

function isWrittenMap(value: unknown): value is { readonly [MAP]: [unknown, unknown][] } {
  return typeof value === 'object' && value !== null && MAP in value;
}
