import { describe, expect, test } from 'vitest';
import { derivedStems } from '../../../src/engine/text/derived-forms.ts';
import { stem } from '../../../src/engine/text/stem.ts';

describe('words of one family', () => {
  test.each([
    ['fr', 'souder', 'soudage'],
    ['fr', 'soudage', 'soudure'],
    ['fr', 'electricien', 'electrique'],
    ['fr', 'jardin', 'jardinage'],
    ['en', 'electrician', 'electrical'],
    ['en', 'psychology', 'psychologist'],
    ['en', 'painting', 'painter'],
  ])('in %s "%s" leads to "%s", and back', (lang, word, other) => {
    expect(derivedStems(word, lang)).toContain(stem(other, lang));
    expect(derivedStems(other, lang)).toContain(stem(word, lang));
  });

  test('a short word and its ending are not taken apart', () => {
    expect(derivedStems('flower', 'en')).not.toContain(stem('flow', 'en'));
    expect(derivedStems('image', 'fr')).not.toContain('im');
  });

  test('the word itself is not among them, and other languages have none', () => {
    expect(derivedStems('jardinage', 'fr')).not.toContain(stem('jardinage', 'fr'));
    for (const lang of ['de', 'xx', 'constructor']) expect([...derivedStems('arbeiter', lang)]).toEqual([]);
  });
});
