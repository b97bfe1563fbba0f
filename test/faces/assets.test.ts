import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assets } from '../../src/faces/views.ts';

test('each script and style sheet that a template names is one file', () => {
  const templates = readdirSync('views', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.eta'));
  const text = templates.map((file) => readFileSync(`views/${file}`, 'utf8')).join('\n');
  const names = [
    ...[...text.matchAll(/asset\('([^']+)'\)/g)].map(([, name]) => name!),
    ...[...text.matchAll(/\bscript: '([^']+)'/g)].map(([, name]) => `${name}.js`),
    ...[...text.matchAll(/\bstyle: '([^']+)'/g)].map(([, name]) => `${name}.css`),
  ];
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const address = assets.addressOf(name);
    expect(address).toMatch(/^\/assets\/[\w/-]+-[A-Z0-9]{8}\.(?:css|js)$/);
    expect(readFileSync(`dist${address}`, 'utf8')).not.toMatch(/@import|\bfrom ?["']|sourceMappingURL/);
  }
});

test('a name that is not listed is an error that says what to do', () => {
  expect(() => assets.addressOf('home/none.js')).toThrow('npm run build');
});
