import type { Section, Sections } from '#engine/snapshot';
import { packVectorRows, unpackVectorRows } from '#engine/vectors/vector-rows';
import { type ValueField, valueFields } from '../types.ts';
import type { Segment, ValueSets } from './segment.ts';

/** The values whose bitsets are sections; as strings, they go into the meta data of a snapshot. */
type Values = Record<ValueField, readonly string[]>;

/** The arrays of a segment by name, for a snapshot. */
export function packSegment(segment: Segment): { values: Values; sections: Sections } {
  const { terms, lexicon, columns, ids, valueSets } = segment;
  const sections: Record<string, Section> = {
    termBytes: terms.bytes,
    termOffsets: terms.offsets,
    ...segment.postings,
    surfaceBytes: lexicon.surfaces.bytes,
    surfaceOffsets: lexicon.surfaces.offsets,
    surfaceTermStart: lexicon.termStart,
    surfaceTerms: lexicon.terms,
    typoHash: lexicon.typoHash,
    typoSurface: lexicon.typoSurface,
    idBeginningBytes: ids.prefixes.bytes,
    idBeginningOffsets: ids.prefixes.offsets,
    idBeginningOf: ids.prefixOf,
    idBytes: ids.suffixes.bytes,
    idOffsets: ids.suffixes.offsets,
    idOrder: segment.idOrder,
    combinationOf: segment.combinations.of,
    combinationStart: segment.combinations.start,
    combinationValues: segment.combinations.values,
    ...columns,
  };
  if (segment.vectors !== undefined) {
    const { bytes, scales } = packVectorRows(segment.vectors);
    sections.vectorBytes = bytes;
    sections.vectorScales = scales;
  }
  for (const field of valueFields) {
    for (const [i, set] of valueSets[field].sets.entries()) sections[`${field}:${i}`] = set;
  }
  const values = Object.fromEntries(valueFields.map((field) => [field, valueSets[field].values])) as Values;
  return { values, sections };
}

/** The segment of packed arrays. They are not checked, as the snapshot has a checksum. */
export function unpackSegment(sections: Sections, meta: unknown): Segment {
  const values = meta as Values;
  const bytes = (name: string) => sections[name] as Uint8Array;
  const halves = (name: string) => sections[name] as Uint16Array;
  const words = (name: string) => sections[name] as Uint32Array;
  const floats = (name: string) => sections[name] as Float32Array;
  const valueSets = Object.fromEntries(
    valueFields.map((field): [ValueField, ValueSets] => [
      field,
      { values: values[field], sets: values[field].map((_, i) => words(`${field}:${i}`)) },
    ]),
  ) as Segment['valueSets'];
  const hasVectors = sections.vectorBytes !== undefined;
  const vectors = hasVectors
    ? unpackVectorRows({ bytes: bytes('vectorBytes'), scales: floats('vectorScales') })
    : undefined;
  return {
    count: words('idOrder').length,
    terms: { bytes: bytes('termBytes'), offsets: words('termOffsets') },
    postings: {
      listStart: words('listStart'),
      chunks: halves('chunks'),
      chunkStart: words('chunkStart'),
      places: halves('places'),
      impacts: bytes('impacts'),
    },
    lexicon: {
      surfaces: { bytes: bytes('surfaceBytes'), offsets: words('surfaceOffsets') },
      termStart: words('surfaceTermStart'),
      terms: words('surfaceTerms'),
      typoHash: words('typoHash'),
      typoSurface: words('typoSurface'),
    },
    columns: {
      level: floats('level'),
      minutes: floats('minutes'),
      popularity: floats('popularity'),
      lat: floats('lat'),
      lon: floats('lon'),
      ageMin: bytes('ageMin'),
      ageMax: bytes('ageMax'),
      free: bytes('free'),
      idHash: words('idHash'),
    },
    ids: {
      prefixes: { bytes: bytes('idBeginningBytes'), offsets: words('idBeginningOffsets') },
      prefixOf: halves('idBeginningOf'),
      suffixes: { bytes: bytes('idBytes'), offsets: words('idOffsets') },
    },
    idOrder: words('idOrder'),
    valueSets,
    combinations: {
      of: sections.combinationOf as Uint16Array | Uint32Array,
      start: words('combinationStart'),
      values: words('combinationValues'),
    },
    ...(vectors && { vectors }),
  };
}
