import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { EncoderModel } from '../../ports/encoder.ts';

export const MANIFEST_FILE = 'manifest.json';

/** Larger ones do not belong into a host. */
export const MAX_FILE_BYTES = 2_000_000_000;

/** Names are those of folders, too. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const modelFileNames = ['model.onnx', 'tokenizer.json', 'tokenizer_config.json'] as const;

export type ModelFileName = (typeof modelFileNames)[number];

const file = z.object({
  size: z.int().min(1).max(MAX_FILE_BYTES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What `manifest.json` in the folder of a model says; docs/guides/meaning.md explains it. */
const manifest = z.object({
  format: z.literal(1),
  name: z.string().regex(NAME),
  dimensions: z.int().min(8).max(4_096),
  /** With those that the tokenizer adds. */
  maxTokens: z.int().min(8).max(8_192),
  /** How the vectors of tokens make that of their text. */
  pooling: z.enum(['mean', 'cls']),
  /** What the model wants before a text. */
  prefixes: z.object({ query: z.string().max(200), passage: z.string().max(200) }),
  /** Two-letter codes; null for a model of many languages. */
  langs: z
    .array(z.string().regex(/^[a-z]{2}$/))
    .min(1)
    .nullable(),
  licence: z.string().min(1).max(200),
  /** Where it is from, for people. */
  source: z.string().max(500),
  files: z.object({ 'model.onnx': file, 'tokenizer.json': file, 'tokenizer_config.json': file }),
  installedAt: z.iso.datetime(),
});

export type ModelManifest = z.output<typeof manifest>;

/** Errors: MODEL_INVALID; those of the file system. */
export function readManifest(folder: string): ModelManifest {
  const path = join(folder, MANIFEST_FILE);
  try {
    return manifest.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) throw cause;
    const [issue] = cause instanceof z.ZodError ? cause.issues : [];
    const where = issue === undefined ? 'it is no JSON' : `${issue.path.join('.')}: ${issue.message}`;
    throw new AppError(
      'MODEL_INVALID',
      `${path} cannot be read as the manifest of a model (${where}). Install the model again: skilldock model install.`,
      { cause },
    );
  }
}

/** What vectors depend on, and no more: a model that is installed again is the same one. */
export function toEncoderModel({ name, dimensions, langs, ...rest }: ModelManifest): EncoderModel {
  const { maxTokens, pooling, prefixes, files } = rest;
  const sums = modelFileNames.map((each) => files[each].sha256);
  const settings = [dimensions, maxTokens, pooling, prefixes.query, prefixes.passage, ...sums];
  const fingerprint = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
  return { name, fingerprint, dimensions, langs };
}

/** Whether the files of a folder are those that the manifest says, byte for byte. Errors: MODEL_INVALID; those of reading. */
export async function verifyModelFiles(folder: string, { name, files }: ModelManifest): Promise<void> {
  for (const each of modelFileNames) {
    const found = await measureFile(join(folder, each));
    const wanted = files[each];
    if (found === null || found.size !== wanted.size || found.sha256 !== wanted.sha256)
      throw new AppError(
        'MODEL_INVALID',
        `${join(folder, each)} ${found === null ? 'is missing' : 'is not what its manifest says: it is damaged, or was changed'}. Install the model ${name} again: skilldock model install, or skilldock model add FOLDER.`,
      );
  }
}

/** Null where it is not there. */
export async function measureFile(
  path: string,
): Promise<{ readonly size: number; readonly sha256: string } | null> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return { size, sha256: hash.digest('hex') };
}
