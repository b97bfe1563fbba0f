import { describe, expect, test } from 'vitest';
import { correctKeywords } from '../../../src/adapters/local/search-learning-objects.ts';
import { searchFor } from './services.ts';
import { openStarterService } from './starter-service.ts';

describe('corrected words', () => {
  const { learning } = openStarterService();
  const correctedOf = async (keywords: string) =>
    (await learning.ask('searchProvider', searchFor(keywords, { model: 'extended' }))).corrected;

  test.each([
    ['dokcer', 'docker'],
    ['pyhton for beginners', 'python for beginners'],
    ['accesibilité web', 'accessibilité web'],
  ])('"%s" is answered as "%s", and says so', async (keywords, meant) => {
    expect(await correctedOf(keywords)).toBe(meant);
  });

  test.each(['docker', 'souder', 'apprendre une langue étrangère', 'qqqqqqqq'])(
    'leaves "%s" unchanged',
    async (keywords) => {
      expect(await correctedOf(keywords)).toBeUndefined();
    },
  );

  test('are written as in the results, with the rest as it was typed', () => {
    const corrections = new Map([['cyberscurite', 'cybersecurite']]);
    expect(correctKeywords('Cours de Cyberscurité !', corrections, ['La Cybersécurité pour tous'])).toBe(
      'Cours de cybersécurité !',
    );
    expect(correctKeywords('cyberscurite', corrections, [])).toBe('cybersecurite');
  });
});
