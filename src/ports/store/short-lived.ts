import { describeRecord, field, is, type OpenRecords } from './record.ts';
export interface WindowCount {
  readonly points: number;
  readonly expiresAt: Date;
}

/** Maximum difference between the clocks of hosts. */
const CLOCK_DIFFERENCE_MS = 2_000;

/** The latest plausible end of a window or claim that would now end at `expiresAt`. A later end was
 *  set by a fast clock and is ignored, as it would last too long. */
export const latestEndOf = (expiresAt: Date): Date => new Date(expiresAt.getTime() + CLOCK_DIFFERENCE_MS);

/** Counts that hosts share. They survive a restart of a host, but may be lost with the machine. */
export interface RateCounterRepository {
  /** Adds points to a window, in one step. A window that has expired at `now`, or ends after
   *  `latestEndOf(expiresAt)`, starts again and lasts until `expiresAt`. */
  addRatePoints(window: string, points: number, times: { now: Date; expiresAt: Date }): Promise<WindowCount>;
}

/** Values that expire, most of them used once, such as the state of a sign-in or a launch. The last
 *  changes may be lost with the machine, never with a restart of a host. */
export type NonceRepository = ReturnType<typeof createNonceRepository>;

/** Answers of upstreams that hosts share; they may be lost at any time. */
export type AnswerRepository = ReturnType<typeof createAnswerRepository>;

export interface SharedAnswer {
  /** JSON. */
  readonly text: string;
  readonly answeredAt: Date;
  readonly expiresAt: Date;
}

export const rateWindowRecords = describeRecord<WindowCount & { readonly name: string }>('rateWindows', {
  fields: { name: field.text(), points: field.integer, expiresAt: field.instant },
  key: ['name'],
  expiry: 'expiresAt',
  loss: 'any',
  hasShortRows: true,
});

/** The data of a launch is long, so rows are not short. */
export const nonceRecords = describeRecord('nonces', {
  fields: {
    nonce: field.text(),
    data: field.text(),
    expiresAt: field.instant,
  },
  key: ['nonce'],
  expiry: 'expiresAt',
  loss: 'moments',
});

export function createNonceRepository(open: OpenRecords) {
  const records = open(nonceRecords);
  return {
    /** False when the value exists. */
    addNonce: (nonce: string, data: string, expiresAt: Date) => records.putIf({ nonce, data, expiresAt }, null),
    /** Null also after it has expired at `now`. */
    findNonce: async (nonce: string, now: Date) =>
      (await records.get({ nonce, expiresAt: is.above(now) }))?.data ?? null,
    /** Removes a value and returns its data; null when missing, used, or expired at `now`. */
    consumeNonce: async (nonce: string, now: Date) =>
      (await records.take({ nonce, expiresAt: is.above(now) }))?.data ?? null,
    /** Claims a value for `by` (nobody when absent). Takes over a claim that has expired at `now`,
     *  ends after `latestEndOf(expiresAt)` or has the same claimer. False while another one has
     *  it. */
    async claimNonce(
      nonce: string,
      { now, expiresAt, by = '' }: { now: Date; expiresAt: Date; by?: string },
    ): Promise<boolean> {
      if (by !== '' && (await records.changeIf({ nonce, data: by }, { expiresAt })) === 1) return true;
      const claimed = { data: by, expiresAt };
      if (await records.addOrChange({ nonce, ...claimed }, claimed, { expiresAt: is.atMost(now) })) return true;
      return (await records.changeIf({ nonce, expiresAt: is.above(latestEndOf(expiresAt)) }, claimed)) === 1;
    },
    /** All values with this prefix. @returns their number */
    removeNonces: (prefix: string) => records.remove({ nonce: is.beginningWith(prefix) }),
  };
}

/** Large, so removed as soon as they expire, even if a host's clock is slow. */
export const answerRecords = describeRecord<SharedAnswer & { readonly id: string }>('answers', {
  fields: { id: field.text(), text: field.text(), answeredAt: field.instant, expiresAt: field.instant },
  expiry: 'expiresAt',
  isGoneAtOnce: true,
  loss: 'any',
});

export function createAnswerRepository(open: OpenRecords) {
  const records = open(answerRecords);
  return {
    /** Null also after it has expired at `now`. */
    async findAnswer(id: string, now: Date): Promise<SharedAnswer | null> {
      const answer = await records.get({ id, expiresAt: is.above(now) });
      return answer && { text: answer.text, answeredAt: answer.answeredAt, expiresAt: answer.expiresAt };
    },
    keepAnswer: (id: string, answer: SharedAnswer) => records.put([{ id, ...answer }]),
  };
}
