import { expect, test } from 'vitest';
import type { LearningObjectRecord } from '../../../../src/adapters/catalog/catalog-schema.ts';
import { IMPACT_SCALE, writeExternalDocument } from '../../../../src/adapters/local/versions/external-document.ts';
import { anObject } from '../services.ts';

const float = new DataView(new ArrayBuffer(4));
/** Rounded to what a rank feature has room for: eight binary places. */
function roundToKept(value: number): number {
  float.setFloat32(0, value);
  return (float.getUint32(0) + 0x4000) >>> 15;
}
function cutOff(value: number): number {
  float.setFloat32(0, value);
  return float.getUint32(0) >>> 15;
}

test('writes an impact with few digits that are stored like the exact value', () => {
  const record = anObject('any') as LearningObjectRecord;
  const document = {
    id: record.url,
    title: '',
    description: '',
    keywords: [],
    provider: '',
    types: [],
    blooms: [],
    lang: 'en',
    publishers: [],
    authors: [],
  };
  const impacts = Array.from({ length: 255 }, (_, i) => [`term ${i + 1}`, i + 1] as const);
  const text = writeExternalDocument({ record, isImported: false, isDead: false }, document, {
    impacts,
    publisherWords: [],
  });
  const kept = JSON.parse(text) as { impacts: Record<string, number> };
  for (const [term, impact] of impacts) {
    const value = kept.impacts[term]!;
    expect(cutOff(value), term).toBe(roundToKept(Math.expm1((IMPACT_SCALE * impact) / 255)));
    // Smaller ones are refused.
    expect(value).toBeGreaterThanOrEqual(2 ** -126);
    expect(Number(value.toPrecision(4)), term).toBe(value);
  }
});
