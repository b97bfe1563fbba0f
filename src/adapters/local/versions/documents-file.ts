import { closeSync, openSync, writeSync } from 'node:fs';
import { createVocabularyBuilder, saveVocabularySegment } from '#engine/objects/segment/vocabulary-segment';
import type { ObjectDocument } from '#engine/objects/types';
import { toKeptId, writeKeptDocument } from './external-document.ts';
import type { KnownRecord } from './records-file.ts';

/** Writes objects for another engine that keeps them, and reads their words meanwhile. */
export interface DocumentsWriter {
  add(known: KnownRecord, document: ObjectDocument): void;
  /** The words of all of them. The file is whole then. */
  save(meta: unknown): Uint8Array;
  /** May be called again. */
  close(): void;
}

const WRITE_CHARS = 1024 * 1024;

/** Two lines for each: an action with its id, and the document. */
export function createDocumentsWriter(path: string): DocumentsWriter {
  const file = openSync(path, 'w');
  const words = createVocabularyBuilder();
  let text = '';
  let isOpen = true;
  const write = () => {
    const block = Buffer.from(text);
    for (let done = 0; done < block.length; ) done += writeSync(file, block, done);
    text = '';
  };
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    write();
    closeSync(file);
  }
  return {
    add(known, document) {
      const kept = writeKeptDocument(known, document, words.add(document));
      text += `{"index":{"_id":"${toKeptId(document.id)}"}}\n${kept}\n`;
      if (text.length >= WRITE_CHARS) write();
    },
    save(meta) {
      close();
      return saveVocabularySegment(words.finish(), meta);
    },
    close,
  };
}
