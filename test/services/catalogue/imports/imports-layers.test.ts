import { afterAll, describe, onTestFinished } from 'vitest';
import { createMongoStore } from '../../../../src/adapters/store/mongo/mongo-store.ts';
import { startMongoServer } from '../../../helpers/mongo-server.ts';
import { openEmptyStore } from './import-samples.ts';
import { describeImportProperties } from './imports-properties.ts';

const server = await startMongoServer();
afterAll(() => server?.stop());

describe('an import in an embedded store', () => {
  describeImportProperties(openEmptyStore, 8);
});

describe.skipIf(server === null)(`an import on ${server?.kind ?? 'no server'}`, () => {
  const open = async () => {
    const store = await createMongoStore(server!.newUri());
    onTestFinished(() => store.close());
    return store;
  };
  describeImportProperties(open, 2);
});
