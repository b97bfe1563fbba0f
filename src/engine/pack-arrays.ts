import type { Section, Sections } from './snapshot.ts';

/** A structure whose typed arrays stand in sections by name, and whose other values stand in `shape`, as JSON can hold them. */
export interface Packed {
  readonly shape: unknown;
  readonly sections: Sections;
}

/** Marks the place of an array in the shape. */
const ARRAY = '$array';

/** Part a structure of plain objects, plain arrays, texts, numbers and typed arrays into what a snapshot can hold. */
export function packArrays(structure: unknown): Packed {
  const sections: Record<string, Section> = {};
  const pack = (value: unknown, path: string): unknown => {
    if (value instanceof Uint8Array || value instanceof Uint32Array || value instanceof Float32Array) {
      sections[path] = value;
      return { [ARRAY]: path };
    }
    if (Array.isArray(value)) return value.map((item, i) => pack(item, `${path}.${i}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, pack(field, `${path}.${name}`)]),
    );
  };
  return { shape: pack(structure, ''), sections };
}

/** The structure again; its arrays are those of the sections. The snapshot's checksum vouches for its form. */
export function unpackArrays({ shape, sections }: Packed): unknown {
  const unpack = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unpack);
    if (typeof value !== 'object' || value === null) return value;
    if (ARRAY in value) return sections[value[ARRAY] as string];
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, unpack(field)]));
  };
  return unpack(shape);
}
