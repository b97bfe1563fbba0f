import { describeRecord, field, is, type OpenRecords, type RecordOf } from './record.ts';

export type WindowCount = { readonly points: number; readonly expiresAt: Date };

/** Maximum difference between the clocks of hosts. */
const CLOCK_DIFFERENCE_MS = 2_000;

/** Returns the latest plausible end of a window or claim that would end at `expiresAt` if it began
 *  now. A later end was set by a fast clock and is ignored, as it would last too long. */
export const latestShortLivedExpiry = (expiresAt: Date): Date => new Date(expiresAt.getTime() + CLOCK_DIFFERENCE_MS);

/** Counts that hosts share. They survive a restart of a host, but may be lost with the machine. */
export interface RateCounterRepository {
  /** Adds points to a window, in one step. A window that has expired at `now`, or ends after
   *  `latestShortLivedExpiry(expiresAt)`, starts again and lasts until `expiresAt`. */
  addRatePoints(window: string, points: number, times: { now: Date; expiresAt: Date }): Promise<WindowCount>;
}

/** Values that expire, most of them used once, such as the state of a sign-in or a launch. The last
 *  changes may be lost with the machine, never with a restart of a host. */
export type NonceRepository = ReturnType<typeof createNonceRepository>;
/** Answers of upstreams that hosts share; they may be lost at any time. */
export type AnswerRepository = ReturnType<typeof createAnswerRepository>;

export interface SharedAnswer {
  /** The answer as JSON. */
  readonly text: string;
  readonly answeredAt: Date;
  readonly expiresAt: Date;
}

export const rateWindowRecords = describeRecord('rateWindows', {
  fields: { name: field.text(), points: field.integer, expiresAt: field.instant },
  personal: { mark: 'name' },
  impersonal: 'points expiresAt',
  privacy: { seenBy: ['nobody'], kept: 'day', erasure: 'expire' },
  key: ['name'],
  expiry: 'expiresAt',
  loss: 'any',
  hasShortRows: true,
});

/** Values by a name that is claimed once. The data of a launch is long, so rows are not short. */
export const nonceRecords = describeRecord('nonces', {
  fields: { nonce: field.text(), data: field.text(), expiresAt: field.instant },
  personal: { about: 'nonce data' },
  impersonal: 'expiresAt',
  privacy: { seenBy: ['person'], kept: 'week', erasure: 'remove' },
  key: ['nonce'],
  expiry: 'expiresAt',
  loss: 'moments',
});

export function createNonceRepository(open: OpenRecords) {
  const records = open(nonceRecords);
  return {
    /** Returns false when the value exists. */
    addNonce: (nonce: string, data: string, expiresAt: Date) => records.putIf({ nonce, data, expiresAt }, null),
    /** Returns the data of a value; null also after it has expired at `now`. */
    findNonce: async (nonce: string, now: Date) =>
      (await records.get({ nonce, expiresAt: is.above(now) }))?.data ?? null,
    /** Removes a value and returns its data; null when it is missing, used, or expired at `now`. */
    consumeNonce: async (nonce: string, now: Date) =>
      (await records.take({ nonce, expiresAt: is.above(now) }))?.data ?? null,
    /** Claims a value for `by` (nobody when absent), also one whose claim has expired at `now`,
     *  ends after `latestShortLivedExpiry(expiresAt)` or is by the same; else returns false. */
    async claimNonce(
      nonce: string,
      { now, expiresAt, by = '' }: { now: Date; expiresAt: Date; by?: string },
    ): Promise<boolean> {
      if (by !== '' && (await records.changeIf({ nonce, data: by }, { expiresAt })) === 1) return true;
      const claimed = { data: by, expiresAt };
      if (await records.addOrChange({ nonce, ...claimed }, claimed, { expiresAt: is.atMost(now) })) return true;
      return (await records.changeIf({ nonce, expiresAt: is.above(latestShortLivedExpiry(expiresAt)) }, claimed)) === 1;
    },
    /** Removes all values with this prefix. @returns their number */
    removeNonces: (prefix: string) => records.remove({ nonce: is.beginningWith(prefix) }),
  };
}

/** Answers are large, so they are removed as soon as they expire, even if a clock is slow. */
export const answerRecords = describeRecord('answers', {
  fields: { id: field.text(), text: field.text(), answeredAt: field.instant, expiresAt: field.instant },
  impersonal: 'id text answeredAt expiresAt',
  expiry: 'expiresAt',
  isGoneAtOnce: true,
  loss: 'any',
});

export function createAnswerRepository(open: OpenRecords) {
  const records = open(answerRecords);
  return {
    /** Returns null also after the answer has expired at `now`. */
    async findAnswer(id: string, now: Date): Promise<SharedAnswer | null> {
      const answer = await records.get({ id, expiresAt: is.above(now) });
      return answer && { text: answer.text, answeredAt: answer.answeredAt, expiresAt: answer.expiresAt };
    },
    keepAnswer: (id: string, answer: SharedAnswer) => records.put([{ id, ...answer }]),
  };
}

export const fileRecords = describeRecord('files', {
  fields: {
    id: field.text(),
    /** Name, which several files may have. */
    name: field.text(),
    addedAt: field.instant,
    /** Text of any content, for the caller. */
    about: field.text(),
    /** Null during the upload. */
    whole: field.nullable(field.json<WholeFile>()),
  },
  personal: { about: 'about' },
  impersonal: 'id name addedAt whole',
  privacy: { seenBy: ['nobody'], kept: 'uploads', erasure: 'expire' },
  loss: 'moments',
});

/** A file that hosts share, stored in parts; valid once it is complete. */
export type StoredFile = RecordOf<typeof fileRecords>;

interface WholeFile {
  readonly bytes: number;
  /** SHA-256 of the content, base64url. */
  readonly hash: string;
}

export const FILE_PART_BYTES = 1_048_576;

/** Files can be created or uploaded again, so they are not copied into another store. */
export type FileRepository = ReturnType<typeof createFileRepository>;

export const filePartRecords = describeRecord('fileParts', {
  fields: { fileId: field.text(), number: field.integer, content: field.bytes },
  impersonal: 'fileId number content',
  key: ['fileId', 'number'],
  indexes: [{ fields: ['fileId'], in: 'mongo' }],
  loss: 'moments',
  hasShortRows: true,
});

export function createFileRepository(open: OpenRecords) {
  const files = open(fileRecords);
  const parts = open(filePartRecords);
  return {
    addFile: (file: StoredFile) => files.add([file]),
    /** @param number 0, 1, 2 … in the order of the content */
    putFilePart: (fileId: string, number: number, content: Uint8Array) => parts.put([{ fileId, number, content }]),
    /** Returns false if the file was removed meanwhile. */
    completeFile: async (id: string, whole: WholeFile) => (await files.changeIf({ id }, { whole })) === 1,
    /** Lists the files whose names have this prefix, newest first; there are few. */
    listFiles: (prefix: string) =>
      files.find({ where: { name: is.beginningWith(prefix) }, order: ['-addedAt', '-id'] }),
    readFilePart: async (fileId: string, number: number) => (await parts.get({ fileId, number }))?.content ?? null,
    async removeFile(id: string): Promise<void> {
      // Before the parts, so that no file is listed without them.
      await files.remove({ id });
      await parts.remove({ fileId: id });
    },
  };
}
