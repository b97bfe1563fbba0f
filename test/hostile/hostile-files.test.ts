import { afterAll, expect, test } from 'vitest';
import { createImportSources } from '../../src/adapters/catalog/open-import-source.ts';
import { createOutbound } from '../../src/adapters/remote/outbound.ts';
import { noPrivateAccess } from '../../src/domain/private-hosts.ts';
import { hostiles } from './hostile-files.ts';
import { placeHostile, readAllItems } from './read-hostile.ts';

const outbound = createOutbound({
  allowLoopback: true,
  privateAccess: noPrivateAccess,
  allowHttp: true,
  version: '1',
});
const sources = createImportSources({ outbound });
afterAll(() => outbound.close());

/** Characters. The files that are large enough to hurt are in `hostile-files.full.test.ts`. */
const SIZE = 20_000;

test.each(hostiles)('reads $name, or refuses it with a code', async (hostile) => {
  const { request, close } = await placeHostile(hostile, SIZE);
  const outcome = await readAllItems(sources, request).catch((error: unknown) => error);
  await close();
  if (Array.isArray(outcome)) expect(outcome.length).toBeGreaterThan(0);
  else expect(outcome).toMatchObject({ code: 'IMPORT_INVALID', message: expect.stringMatching(/\w/) });
});
