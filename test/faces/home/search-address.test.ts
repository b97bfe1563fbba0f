import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createAddressWriter,
  readSearchAddress,
  writeAddress,
  writeBrowseAddress,
} from '../../../src/faces/home/search-address.ts';
import { propertyRuns } from '../../helpers/draw.ts';

test('addresses from one pattern are those that are written one by one', () => {
  const form = readSearchAddress('/?q=first&type=video&lang=fr&topic=0613');
  const ways = [
    (q: string) => writeAddress(form, { q }),
    (id: string) => writeBrowseAddress(form, { topic: [id, 'python'] }),
    (id: string) => writeBrowseAddress(form, { topic: [...form.topic, id] }),
  ];
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (values) => {
      for (const way of ways) expect(values.map(createAddressWriter(way))).toEqual(values.map(way));
    }),
    propertyRuns(300),
  );
});
