import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/domain/admin.ts';
import type { CatalogPart } from '../../../../src/domain/catalog.ts';
import { EVERY_TENANT } from '../../../../src/ports/store/store.ts';
import { createSynonymImport } from '../../../../src/services/searching/synonyms.ts';
import { type ImportHost, openEmptyStore, readAll, sourceOf, startHost } from './import-samples.ts';

const uriOf = (key: string) => `https://acme.example/${key.slice('acme:'.length)}`;
const concept = (key: string, label: string, more: Readonly<Record<string, unknown>> = {}): CatalogPart => ({
  kind: 'concept',
  key,
  part: '',
  body: { source: 'Acme', kind: 'skill', uri: uriOf(key), labels: { en: label }, ...more },
});
const taxonomyOf = (...parts: CatalogPart[]) =>
  sourceOf(parts, { format: 'taxonomy', dataset: 'acme', title: 'Acme', fingerprint: JSON.stringify(parts) });

const first = taxonomyOf(
  concept('acme:weld', 'welding'),
  concept('acme:torch', 'torch welding'),
  concept('acme:solder', 'soldering'),
  concept('acme:rivet', 'riveting'),
  concept('acme:braze', 'brazing'),
);
const second = taxonomyOf(
  concept('acme:weld', 'weld metal', { altLabels: { en: ['Torch Welding'] } }),
  concept('acme:braze', 'brazing', { links: { sameAs: ['acme:solder'] } }),
  concept('acme:glue', 'gluing'),
);

const teaching = (url: string, ...keys: string[]): CatalogPart => ({
  kind: 'object',
  key: url,
  part: '',
  body: { url, teaches: keys.map((key) => ({ uri: uriOf(key) })) },
});

/** What hangs on riveting: three objects, one of which names its id, an edit and a synonym. */
async function touchRiveting({ imports, store }: ImportHost): Promise<void> {
  const objects = [teaching('https://a.example/1', 'acme:rivet'), teaching('https://a.example/2', 'acme:rivet')];
  const url = 'https://a.example/5';
  const byId: CatalogPart = { kind: 'object', key: url, part: '', body: { url, teaches: [{ uri: 'acme:rivet' }] } };
  await imports.run(systemActor, sourceOf([...objects, byId, teaching('https://a.example/3', 'acme:weld')]));
  const synonym = { concept: 'acme:rivet', label: 'riveting', words: 'bolting', lang: 'en' };
  await imports.run(systemActor, createSynonymImport(synonym));
  const at = new Date(0);
  await store.objectLayers.saveObjectChange({
    tenantId: EVERY_TENANT,
    address: 'a.example/4',
    url: 'https://a.example/4',
    before: null,
    suggestedBy: null,
    state: { isAdded: false, isHidden: false, isWaiting: false, fields: { teaches: [{ uri: uriOf('acme:rivet') }] } },
    changedBy: 'Ada',
    changedAt: at,
    version: 1,
  });
}

const none = { objects: 0, edits: 0, synonyms: [] };
const expected = {
  renamed: 1,
  merged: 2,
  withdrawn: 1,
  concepts: [
    {
      fate: 'withdrawn',
      key: 'acme:rivet',
      name: 'riveting',
      now: null,
      into: null,
      objects: 3,
      edits: 1,
      synonyms: ['bolting'],
    },
    { fate: 'merged', key: 'acme:solder', name: 'soldering', now: 'brazing', into: 'acme:braze', ...none },
    { fate: 'merged', key: 'acme:torch', name: 'torch welding', now: 'weld metal', into: 'acme:weld', ...none },
    { fate: 'renamed', key: 'acme:weld', name: 'welding', now: 'weld metal', into: null, ...none },
  ],
};

test('a new version waits with its report, and counts once it is accepted', async () => {
  const host = startHost(openEmptyStore());
  const options = { asksForNewVersion: true };
  const begun = await host.imports.run(systemActor, first, options);
  expect(begun).toMatchObject({ record: { state: 'live', report: null }, report: null });
  await touchRiveting(host);
  const before = await readAll(host);

  const dry = await host.imports.run(systemActor, second, { dryRun: true });
  expect(dry.report).toEqual(expected);
  const { record } = await host.imports.run(systemActor, second, options);
  expect(record).toMatchObject({ state: 'checked', counts: { added: 1, removed: 3 }, report: expected });
  expect(await readAll(host)).toEqual(before);

  await host.imports.accept(systemActor, record!.id);
  const keys = (await readAll(host)).map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining(['acme:braze', 'acme:glue', 'acme:weld']));
  expect(keys).not.toContain('acme:solder');
  await host.imports.close();
});

test('the same version again, other formats and synonyms ask nothing', async () => {
  const host = startHost(openEmptyStore());
  const options = { asksForNewVersion: true };
  await host.imports.run(systemActor, first, options);
  const again = await host.imports.run(systemActor, first, options);
  expect(again).toMatchObject({ record: { state: 'unchanged' }, report: null });
  for (const words of ['bolting', 'pinning']) {
    const synonym = createSynonymImport({ concept: 'acme:rivet', label: 'riveting', words, lang: 'en' });
    expect(await host.imports.run(systemActor, synonym, options)).toMatchObject({ record: { state: 'live' } });
  }
  await host.imports.run(systemActor, sourceOf([teaching('https://a.example/1')]), options);
  const objects = sourceOf([teaching('https://a.example/2')]);
  const replaced = await host.imports.run(systemActor, objects, { ...options, allowRemoval: true });
  expect(replaced).toMatchObject({ record: { state: 'live' }, report: null });
  await host.imports.close();
});
