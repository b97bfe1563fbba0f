import { describe, expect, test } from 'vitest';
import {
  decodeSnapshot,
  decodeSnapshotStructure,
  encodeSnapshot,
  encodeSnapshotStructure,
} from '../../src/engine/snapshot.ts';

const content = {
  meta: { made: 'from', count: 3 },
  sections: {
    bytes: Uint8Array.of(1, 2, 3),
    words: Uint32Array.of(0xffffffff, 7),
    floats: Float32Array.of(1.5, Number.NaN),
    none: new Uint32Array(0),
  },
};
const invalid = expect.objectContaining({ code: 'SNAPSHOT_INVALID' });

function refusalOf(block: Uint8Array): unknown {
  try {
    decodeSnapshot('test', 2, block);
  } catch (error) {
    return error;
  }
  return 'was taken';
}

describe('a snapshot', () => {
  const block = encodeSnapshot('test', 2, content);

  test('returns what was encoded', () => {
    expect(decodeSnapshot('test', 2, block)).toEqual(content);
    expect(decodeSnapshot('test', 2, encodeSnapshot('test', 2, { meta: 0, sections: {} }))).toEqual({
      meta: 0,
      sections: {},
    });
  });

  test('can be read from any place of a larger buffer', () => {
    for (let shift = 0; shift < 8; shift++) {
      const larger = Buffer.alloc(block.length + 16);
      larger.set(block, shift);
      expect(decodeSnapshot('test', 2, larger.subarray(shift, shift + block.length))).toEqual(content);
    }
  });

  test('is rejected if any bit is flipped', () => {
    for (let i = 0; i < block.length * 8; i++) {
      const damaged = block.slice();
      damaged[i >>> 3]! ^= 1 << (i & 7);
      expect(refusalOf(damaged), `bit ${i}`).toEqual(invalid);
    }
  });

  test('is rejected if it is truncated or longer', () => {
    for (let length = 0; length < block.length; length++) {
      expect(refusalOf(block.slice(0, length)), `${length} bytes`).toEqual(invalid);
    }
    expect(refusalOf(Uint8Array.of(...block, 0))).toEqual(invalid);
  });

  test('is rejected if its version or format differs', () => {
    expect(refusalOf(encodeSnapshot('test', 1, content))).toEqual(invalid);
    expect(refusalOf(encodeSnapshot('other', 2, content))).toEqual(invalid);
  });
});

test('a structure is decoded with its arrays, strings and numbers', () => {
  const structure = {
    count: 2,
    names: ['a', 'b'],
    rows: { bytes: Int8Array.of(-1, 2), places: Uint16Array.of(65_535), none: null },
    sets: [Uint32Array.of(7), new Float32Array()],
  };
  const block = encodeSnapshotStructure('test', 2, { structure, meta: { made: 'from' } });
  expect(decodeSnapshotStructure('test', 2, block)).toEqual({ structure, meta: { made: 'from' } });
});
