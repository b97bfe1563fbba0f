import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../../helpers/app.ts';
import { expectOwnCatalogue } from './own-catalogue.ts';

// Much CPU: every object of the starter catalogue is written, read and compared.
test('our own importer harvests our own host, and gets the whole catalogue as it is', async () => {
  const app = await startApp(undefined, {});
  onTestFinished(() => app.close());
  expect(await expectOwnCatalogue(`${app.url}/oai`, null)).toBeGreaterThan(9_000);
});
