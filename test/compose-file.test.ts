import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { readConfig } from '../src/config.ts';

interface ComposeFile {
  readonly services: {
    readonly skilldock: {
      readonly environment: Readonly<Record<string, string>>;
      readonly ports: readonly string[];
    };
  };
}

const tags = ['!reset', '!override'].flatMap((tag) => [
  { tag, collection: 'seq' as const },
  { tag, collection: 'map' as const },
]);
const parse = (text: string): unknown => parseYaml(text, { merge: true, customTags: tags as never });
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

describe.each(['docker-compose.yml', 'docker-compose.scale.yml', 'deploy/compose.yml'])('in %s', (name) => {
  const { services } = parse(readFileSync(name, 'utf8')) as {
    readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };

  // Those that lie over the other file have no image of their own.
  test.each(Object.entries(services).filter(([, service]) => 'image' in service))(
    '%s gets no more rights than it needs, and an end to its memory',
    (service, { read_only, cap_drop, security_opt, mem_limit, privileged }) => {
      expect({ read_only, cap_drop, security_opt, privileged }).toEqual({
        read_only: service === 'opensearch' ? undefined : true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        privileged: undefined,
      });
      expect(mem_limit).toMatch(/^\d+[mg]$/);
    },
  );
});

test('the file of a release needs no other file, no build and no setting', () => {
  const { services } = parse(readFileSync('deploy/compose.yml', 'utf8')) as ComposeFile;
  const { environment, ports, ...service } = services.skilldock;
  expect(environment).toBeUndefined();
  expect(service).not.toHaveProperty('build');
  expect(ports).toEqual(['127.0.0.1:3000:3000']);
});

test.each(['checks', 'release', 'scan', 'site'])(
  'the workflow %s names actions of others by a commit, which nobody can move',
  (name) => {
    const uses = [...readFileSync(`.github/workflows/${name}.yml`, 'utf8').matchAll(/uses: (\S+)/g)];
    expect(uses.length).toBeGreaterThan(0);
    for (const [, used] of uses)
      expect(used).toMatch(/^([\w-]+(?:\/[\w-]+){1,2}@[0-9a-f]{40}|\.\/\.github\/workflows\/\w+\.yml)$/);
  },
);

test('what a release publishes is attested, and comes with a list of its libraries', () => {
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
    readonly jobs: Readonly<Record<string, { permissions?: Record<string, string>; steps?: { uses?: string }[] }>>;
  };
  for (const name of ['package', 'image', 'release']) {
    const { permissions, steps = [] } = jobs[name]!;
    expect(permissions, name).toMatchObject({ 'id-token': 'write', attestations: 'write' });
    expect(
      steps.map(({ uses = '' }) => uses.split('@')[0]),
      name,
    ).toContain('actions/attest-build-provenance');
  }
  expect(readFileSync('Dockerfile', 'utf8')).toMatch(/npm sbom .*cyclonedx.* > sbom\.cdx\.json/);
});

test('server.json names the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const server = JSON.parse(readFileSync('server.json', 'utf8'));
  expect([server.version, ...server.packages.map((each: { version: string }) => each.version)]).toEqual([
    version,
    version,
  ]);
  // The registry refuses a longer one.
  expect(server.description.length).toBeLessThanOrEqual(100);
});
