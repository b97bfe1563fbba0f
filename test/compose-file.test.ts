import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../src/config.ts';

interface ComposeFile {
  readonly services: {
    readonly skilldock: {
      readonly environment: Readonly<Record<string, string>>;
      readonly ports: readonly string[];
    };
  };
}

const file = parse(readFileSync('docker-compose.yml', 'utf8')) as ComposeFile;
const { environment, ports } = file.services.skilldock;

/** The image decides them. */
const ofTheImage = ['PORT', 'HOST', 'DATA_DIR'];

/** As Docker Compose puts variables in: `${NAME:-default}` and `${NAME:?message}`. */
function fill(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_whole, name, sign, rest) => {
    if (env[name]) return env[name];
    if (sign === '?') throw new Error(`${name} ${rest}`);
    return rest;
  });
}

const passed = (env: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value, env)]));

const needed = { MONGO_PASSWORD: 'm'.repeat(48), SECRET_KEY: 's'.repeat(64) };

test('every setting of docs/configuration.md is passed on, and no other', () => {
  const documented = [...readFileSync('docs/configuration.md', 'utf8').matchAll(/^- `([A-Z_]+)`: /gm)];
  const names = documented.map(([, name]) => name!).filter((name) => !ofTheImage.includes(name));
  expect(Object.keys(environment).sort()).toEqual(names.sort());
  const given = Object.fromEntries(names.map((name) => [name, `${name} that was given`]));
  const { MONGODB_URI, ...others } = passed({ ...given, ...needed });
  const { MONGODB_URI: _, ...expected }: Record<string, string> = { ...given, ...needed };
  delete expected.MONGO_PASSWORD;
  expect(others).toEqual(expected);
  expect(MONGODB_URI).toContain(needed.MONGO_PASSWORD);
});

test('with nothing but its two secrets it starts, without a demo, and only this machine reaches it', () => {
  expect(readConfig(passed(needed))).toMatchObject({ hasDemo: false, publicUrl: undefined, port: 3000 });
  expect(ports.map((port) => fill(port, {}))).toEqual(['127.0.0.1:3000:3000']);
  expect(readConfig(passed({ ...needed, DEMO: '1' }))).toMatchObject({ hasDemo: true });
  for (const name of Object.keys(needed)) expect(() => passed({ ...needed, [name]: '' })).toThrow(name);
});

test('others reach it once somebody says so', () => {
  expect(ports.map((port) => fill(port, { PUBLISH_ADDRESS: '0.0.0.0' }))).toEqual(['0.0.0.0:3000:3000']);
});
