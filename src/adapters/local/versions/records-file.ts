import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { LearningObjectRecord } from '#adapters/catalog/catalog-schema';
import { normalizeObjectAddress } from '#domain/learning-object';
import { createGrowableUint8, createGrowableUint32, findLowerBound, orderByKey } from '#engine/arrays';
import { hashString } from '#engine/hash';

/** Where each record is, by ascending hash of its normalized address: 18 bytes an object. */
export interface RecordTable {
  readonly hash: Uint32Array;
  /** The offset of the line's first byte, as low + high · 2³². */
  readonly offsetLow: Uint32Array;
  readonly offsetHigh: Uint8Array;
  /** The length of the line, without its line feed. */
  readonly bytes: Uint32Array;
  /** CRC-32 of the line. */
  readonly check: Uint32Array;
  /** IS_IMPORTED and IS_DEAD; from FIELD_BIT on, its broad field plus one. */
  readonly flags: Uint8Array;
}

export interface RecordFlags {
  /** Not from the starter catalogue. */
  readonly isImported: boolean;
  /** Its address no longer answered when the file was written. */
  readonly isDead: boolean;
}

export interface StoredRecord extends RecordFlags {
  readonly record: LearningObjectRecord;
  /** Broad field of ISCED-F, up to 62; absent for others. */
  readonly field?: string | undefined;
}

const IS_IMPORTED = 1;
const IS_DEAD = 2;
const FIELD_BIT = 2;
const TWO_32 = 2 ** 32;
const WRITE_BYTES = 1024 * 1024;

/** Writes records as JSON Lines, and collects where they are. */
export function createRecordsWriter(path: string) {
  const file = openSync(path, 'w');
  const hash = createGrowableUint32();
  const offsetLow = createGrowableUint32();
  const offsetHigh = createGrowableUint8();
  const bytes = createGrowableUint32();
  const check = createGrowableUint32();
  const flags = createGrowableUint8();
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let offset = 0;
  const write = () => {
    writeFileSync(file, Buffer.concat(pending));
    pending = [];
    pendingBytes = 0;
  };
  return {
    /** @param address normalized by `normalizeObjectAddress` */
    add({ record, isImported, isDead, field }: StoredRecord, address: string): void {
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      hash.push(hashString(address));
      flags.push((isImported ? IS_IMPORTED : 0) | (isDead ? IS_DEAD : 0) | ((Number(field ?? -1) + 1) << FIELD_BIT));
      offsetLow.push(offset % TWO_32);
      offsetHigh.push(Math.floor(offset / TWO_32));
      bytes.push(line.length - 1);
      check.push(crc32(line.subarray(0, -1)));
      pending.push(line);
      pendingBytes += line.length;
      offset += line.length;
      if (pendingBytes >= WRITE_BYTES) write();
    },
    /** Completes the file and returns its table and length. */
    finish() {
      write();
      // Without this, a power cut could leave a version without its content.
      fsyncSync(file);
      const order = orderByKey(hash.finish());
      const table: RecordTable = {
        hash: order.map((i) => hash.at(i)),
        offsetLow: order.map((i) => offsetLow.at(i)),
        offsetHigh: Uint8Array.from(order, (i) => offsetHigh.at(i)),
        bytes: order.map((i) => bytes.at(i)),
        check: order.map((i) => check.at(i)),
        flags: Uint8Array.from(order, (i) => flags.at(i)),
      };
      return { table, bytes: offset };
    },
    /** Closes the file, after `finish` or instead of it. */
    close: () => closeSync(file),
  };
}

/** Reads single records. Errors: those of opening; `Error` if the length is wrong. */
export function openRecordsFile(path: string, table: RecordTable, length: number) {
  const file = openSync(path, 'r');
  if (fstatSync(file).size !== length) {
    closeSync(file);
    throw new Error(`${path} is not as long as it was written`);
  }
  const readLine = (i: number): Buffer => {
    const line = Buffer.allocUnsafe(table.bytes[i] ?? 0);
    const offset = (table.offsetLow[i] ?? 0) + (table.offsetHigh[i] ?? 0) * TWO_32;
    const bytesRead = readSync(file, line, 0, line.length, offset);
    if (bytesRead === line.length && crc32(line) === table.check[i]) return line;
    throw new Error(`${path} is damaged at byte ${offset}`);
  };
  return {
    /** Errors: those of reading; `Error` if the line is damaged. */
    find(url: string): StoredRecord | null {
      const address = normalizeObjectAddress(url);
      const hash = hashString(address);
      for (let i = findLowerBound(table.hash, hash); table.hash[i] === hash; i++) {
        const record = JSON.parse(readLine(i).toString()) as LearningObjectRecord;
        if (record.url !== url && normalizeObjectAddress(record.url) !== address) continue;
        const flags = table.flags[i] ?? 0;
        const fieldCode = flags >> FIELD_BIT;
        return {
          record,
          isImported: (flags & IS_IMPORTED) !== 0,
          isDead: (flags & IS_DEAD) !== 0,
          ...(fieldCode > 0 && { field: String(fieldCode - 1).padStart(2, '0') }),
        };
      }
      return null;
    },
    close: () => closeSync(file),
  };
}
