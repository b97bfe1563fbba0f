import type { OpenRecords, Privacy, RecordDescription, Records, Retention, Where } from '../record.ts';
import { is } from '../record.ts';

/** Any record with personal fields. */
export type PersonalRecord = Readonly<Record<string, unknown>>;
export type PersonalWhere = Where<Record<string, unknown>>;
/** The description of any record. */
export type AnyDescription = RecordDescription<Record<string, unknown>>;

/** The part of a description that is about personal fields. */
export interface PersonalCollection extends Pick<AnyDescription, 'name' | 'key' | 'personal' | 'retention'> {
  readonly fields: readonly string[];
  readonly derived: readonly string[];
  readonly privacy: Privacy;
}

export interface OutdatedRecords {
  readonly before: Date;
  /** Condition on the records; all by default. */
  readonly where?: PersonalWhere;
  readonly limit: number;
}

/** Lists the descriptions that have personal fields. */
export const listPersonal = (descriptions: readonly AnyDescription[]): readonly PersonalCollection[] =>
  descriptions.flatMap(({ privacy, fields, derived, name, key, personal, retention }) => {
    const names = { fields: Object.keys(fields), derived: Object.keys(derived) };
    return privacy === null ? [] : [{ name, key, personal, privacy, retention, ...names }];
  });

/** Gives access to all records that name people, by the name of their description. */
export function createPersonalRecordRepository(open: OpenRecords, descriptions: readonly AnyDescription[]) {
  const collections = listPersonal(descriptions);
  const opened = new Map<string, Records<Record<string, unknown>>>(
    descriptions.filter(({ privacy }) => privacy !== null).map((description) => [description.name, open(description)]),
  );
  const recordsOf = (name: string) => {
    const records = opened.get(name);
    if (records === undefined) throw new Error(`No record called ${name} has personal fields`);
    return records;
  };
  return {
    listPersonalCollections: async () => collections,
    /** Reads records after `after` in the order of their keys, at most `limit` (1 to 1,000). */
    readPersonal: (name: string, where: PersonalWhere, after: PersonalRecord | null, limit: number) =>
      recordsOf(name).find({ where, after, limit }),
    /** @returns the number of removed records */
    removePersonal: (name: string, where: PersonalWhere) => recordsOf(name).remove(where),
    /** Returns false if the record no longer matches `before`. */
    replacePersonal: (name: string, record: PersonalRecord, before: PersonalWhere) =>
      recordsOf(name).putIf(record, before),
    /** Removes at most `limit` (1 to 1,000) records whose retention ended before an instant.
     *  @returns the number of removed records */
    removeOutdated: (name: string, { since, unless }: Retention, { before, where = {}, limit }: OutdatedRecords) =>
      recordsOf(name).remove(
        { ...where, [since]: is.below(before), ...(unless !== undefined && { state: is.noneOf(unless) }) },
        limit,
      ),
  };
}
