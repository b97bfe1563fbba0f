import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTempDir } from './helpers/temp-dir.ts';

interface Listed {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

const listLicences = (folder: string) =>
  new Promise<Listed>((resolve) => {
    execFile(process.execPath, ['.ci/licences.js', folder], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

describe('npm run licences', () => {
  test('allows what production has', async () => {
    const { code, stdout, stderr } = await listLicences('.');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^MIT +express /m);
  });

  test.each<[string, object, number]>([
    ['an allowed licence', { license: 'MIT' }, 0],
    ['a licence that nobody allowed', { license: 'GPL-3.0' }, 1],
    ['one licence of a choice', { license: '(GPL-3.0 OR MIT)' }, 0],
    ['two that hold together', { license: 'MIT AND GPL-3.0' }, 1],
    ['a list as it was written once', { licenses: [{ type: 'MIT', url: 'https://example.org' }] }, 0],
    ['no licence', {}, 1],
    ['no licence, and a name that objects have', { name: 'constructor' }, 1],
  ])('%s', async (_what, manifest, expected) => {
    const { name = 'some-package' } = manifest as { name?: string };
    const folder = makeTempDir();
    const path = `node_modules/inner/node_modules/${name}`;
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'package.json'), JSON.stringify(manifest));
    const packages = {
      '': { license: 'GPL-3.0' },
      [path]: { version: '1.2.3' },
      'node_modules/for-other-systems': { version: '1.0.0', license: 'ISC', optional: true },
      'node_modules/for-tests': { version: '1.0.0', license: 'GPL-3.0', dev: true },
    };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    const { code, stdout, stderr } = await listLicences(folder);
    expect(code).toBe(expected);
    expect(stdout.split('\n').filter((line) => line !== '')).toHaveLength(2);
    if (expected === 1) expect(stderr).toContain(`${name} (`);
  });
});
