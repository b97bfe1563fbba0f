import { expect, test } from 'vitest';
import { drawCover } from '../../../src/faces/object-view/cover.ts';

const view = { kind: 'mooc', provider: 'Open University', title: 'Forces', url: 'https://example.org/0', field: '05' };

test('a cover has the initials of the provider, and drawings for the type and the subject', () => {
  const cover = drawCover({ ...view, kind: 'serious game' });
  expect(cover).toContain('>OU</text>');
  expect(cover).toContain('href="/assets/icons.svg#kind-serious-game"');
  expect(cover).toContain('href="/assets/icons.svg#subject-05"');
  expect(drawCover({ ...view, field: undefined })).not.toContain('subject-');
});

test('Walk U9: one provider has one hue, and its objects look different', () => {
  const covers = Array.from({ length: 12 }, (_, i) => drawCover({ ...view, url: `https://example.org/${i}` }));
  const hues = covers.map((cover) => /hsl\((\d+)/.exec(cover)?.[1]);
  expect(new Set(hues).size).toBe(1);
  expect(new Set(covers).size).toBeGreaterThan(6);
});

test('without a provider, the title gives initials; whatever it is, it is text', () => {
  expect(drawCover({ ...view, provider: null, title: 'How Heat Works' })).toContain('>HHW</text>');
  expect(drawCover({ ...view, provider: '<script>' })).not.toContain('<script');
});
