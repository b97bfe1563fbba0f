import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readScripts } from '../../src/faces/scripts.ts';

/** They are there once the browser's part is compiled. */
describe.skipIf(!existsSync('dist/src/browser/picker/picker.js'))('the scripts of a page', () => {
  const importsOf = readScripts();

  test('are all that it imports, however indirectly, once each', () => {
    const found = importsOf('picker/picker');
    for (const path of ['picker/search.js', 'picker/choices.js', 'lti/session.js', 'picker/words.js'])
      expect(found).toContain(path);
    expect(found).not.toContain('picker/picker.js');
    expect(new Set(found).size).toBe(found.length);
    for (const path of found) expect(existsSync(`dist/src/browser/${path}`)).toBe(true);
  });

  test('are none for what is no script', () => {
    expect(importsOf('nothing')).toEqual([]);
  });
});
