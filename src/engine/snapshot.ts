import { AppError } from '#errors';

/** A typed array of a snapshot; small descriptions go into the JSON of `meta` instead. */
export type Section = Int8Array | Uint8Array | Uint16Array | Uint32Array | Float32Array;
export type Sections = Readonly<Record<string, Section>>;

interface Directory {
  readonly format: string;
  readonly version: number;
  readonly meta: unknown;
  readonly sections: readonly { name: string; kind: Kind; offset: number; bytes: number }[];
}
const arrays = {
  i8: Int8Array,
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  f32: Float32Array,
} as const;
type Kind = keyof typeof arrays;

const MAGIC = 0x534b4c44; // "SKLD"
const HEADER_BYTES = 16;
/** The checksum covers everything after itself, including the rest of the header. */
const CHECKED_FROM = 8;
const ALIGNMENT = 8;

export interface Snapshot {
  /** Small facts about the content, such as counts and the fingerprint of its source. */
  readonly meta: unknown;
  readonly sections: Sections;
}

/** Packs sections into one block.
 *  Shape: a header of four 32-bit numbers (magic, checksum of all that follows, length of the
 *         directory, unused), the directory as JSON, the sections. */
export function encodeSnapshot(format: string, version: number, { meta, sections }: Snapshot): Uint8Array {
  const directory: Directory = { format, version, meta, sections: placeSections(sections) };
  const head = new TextEncoder().encode(JSON.stringify(directory));
  const start = alignOffset(HEADER_BYTES + head.length);
  const last = directory.sections.at(-1);
  const block = new Uint8Array(start + (last === undefined ? 0 : alignOffset(last.offset + last.bytes)));
  block.set(head, HEADER_BYTES);
  for (const { name, offset } of directory.sections) {
    const { buffer, byteOffset, byteLength } = sections[name]!;
    block.set(new Uint8Array(buffer, byteOffset, byteLength), start + offset);
  }
  const view = new DataView(block.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(8, head.length);
  view.setUint32(4, computeChecksum(block.subarray(CHECKED_FROM)));
  return block;
}

export interface DecodeOptions {
  /** `verifySnapshot` has checked the block already. */
  readonly isVerified?: boolean;
}

/** Opens a block; the arrays are views of it. Errors: SNAPSHOT_INVALID if it is damaged, or of
 *  another format or version. */
export function decodeSnapshot(
  format: string,
  version: number,
  block: Uint8Array,
  { isVerified = false }: DecodeOptions = {},
): Snapshot {
  // Not `block.slice()`: on a Buffer it copies nothing, so the bytes would stay misaligned.
  if (block.byteOffset % ALIGNMENT !== 0) return decodeSnapshot(format, version, new Uint8Array(block), { isVerified });
  if (!isVerified) verifySnapshot(block);
  const headEnd = HEADER_BYTES + new DataView(block.buffer, block.byteOffset).getUint32(8);
  const head = new TextDecoder().decode(block.subarray(HEADER_BYTES, headEnd));
  const directory = JSON.parse(head) as Directory;
  if (directory.format !== format || directory.version !== version)
    throw createSnapshotError(`it is ${directory.format} ${directory.version} instead of ${format} ${version}`);
  const sections: Record<string, Section> = {};
  for (const { name, kind, offset, bytes } of directory.sections) {
    const Numbers = arrays[kind];
    const at = block.byteOffset + alignOffset(headEnd) + offset;
    sections[name] = new Numbers(block.buffer as ArrayBuffer, at, bytes / Numbers.BYTES_PER_ELEMENT);
  }
  return { meta: directory.meta, sections };
}

/** Checks a block, which must be aligned to four bytes. Errors: SNAPSHOT_INVALID if it is
 *  damaged or truncated. */
export function verifySnapshot(block: Uint8Array): void {
  if (block.length < HEADER_BYTES) throw createSnapshotError('it is shorter than its header');
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  if (view.getUint32(0) !== MAGIC) throw createSnapshotError('it does not begin as a snapshot does');
  if (view.getUint32(4) !== computeChecksum(block.subarray(CHECKED_FROM)))
    throw createSnapshotError('its checksum is wrong');
}

function placeSections(sections: Sections): Directory['sections'] {
  let offset = 0;
  return Object.entries(sections).map(([name, data]) => {
    const placed = { name, kind: findSectionKind(data), offset, bytes: data.byteLength };
    offset = alignOffset(offset + data.byteLength);
    return placed;
  });
}

const findSectionKind = (data: Section): Kind =>
  (Object.keys(arrays) as Kind[]).find((kind) => data instanceof arrays[kind])!;

const alignOffset = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Reads four bytes at a time, as blocks of hundreds of megabytes are checked at every start. */
function computeChecksum(bytes: Uint8Array): number {
  let hash = 0x9747b28c ^ bytes.length;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  for (let i = 0; i < words.length; i++) {
    hash = Math.imul(hash ^ words[i]!, 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  for (let i = words.length * 4; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x5bd1e995);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function createSnapshotError(why: string): AppError {
  return new AppError('SNAPSHOT_INVALID', `The index snapshot cannot be used: ${why}. It is rebuilt from its data.`);
}

/** The key that marks the place of an array in a shape. */
const ARRAY = '$array';

/** Encodes a structure of plain objects, arrays, strings, numbers and typed arrays: typed arrays
 *  become sections, the rest JSON.
 *  @param meta facts that decoding returns, such as a fingerprint of the source */
export function encodeSnapshotStructure(
  format: string,
  version: number,
  { structure, meta }: { readonly structure: unknown; readonly meta: unknown },
): Uint8Array {
  const { shape, sections } = splitSnapshotStructure(structure);
  return encodeSnapshot(format, version, { meta: { meta, shape }, sections });
}

/** Decodes what `encodeSnapshotStructure` encoded. The structure is not validated, as the
 *  snapshot has a checksum. Errors: those of `decodeSnapshot`. */
export function decodeSnapshotStructure(
  format: string,
  version: number,
  block: Uint8Array,
  options?: DecodeOptions,
): { readonly structure: unknown; readonly meta: unknown } {
  const { meta: stored, sections } = decodeSnapshot(format, version, block, options);
  const { meta, shape } = stored as { meta: unknown; shape: unknown };
  const join = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(join);
    if (typeof value !== 'object' || value === null) return value;
    if (ARRAY in value) return sections[value[ARRAY] as string];
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, join(field)]));
  };
  return { structure: join(shape), meta };
}

/** Takes the typed arrays out of a structure; the shape has their names in their places. */
export function splitSnapshotStructure(structure: unknown): { readonly shape: unknown; readonly sections: Sections } {
  const sections: Record<string, Section> = {};
  const split = (value: unknown, path: string): unknown => {
    if (ArrayBuffer.isView(value)) {
      sections[path] = value as Section;
      return { [ARRAY]: path };
    }
    if (Array.isArray(value)) return value.map((item, i) => split(item, `${path}.${i}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, split(field, `${path}.${name}`)]));
  };
  return { shape: split(structure, ''), sections };
}
