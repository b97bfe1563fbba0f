import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { writeAssistantPackage } from '../../../../src/faces/admin/assistants/assistants.ts';
import { startAdmin } from '../start-admin.ts';

/** The schema that Microsoft publishes; formats are left to its patterns. */
const schemaFile = '@microsoft/app-manifest/build/json-schemas/teams/v1.29/MicrosoftTeams.schema.json';
const schema = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve(schemaFile), 'utf8').replace(/^\uFEFF/, ''),
);
const validate = new Ajv({ strict: false, validateFormats: false }).compile(
  JSON.parse(JSON.stringify({ ...schema, $schema: undefined, id: undefined })),
);

const readManifest = (url: string, referenceId = 'reference-1') =>
  JSON.parse(strFromU8(unzipSync(writeAssistantPackage(url, referenceId))['manifest.json']!));

test('the package satisfies the schema of Microsoft 365 and names the server and the authorization', () => {
  const manifest = readManifest('https://skilldock.example.org');
  validate(manifest);
  expect(validate.errors).toBeNull();
  expect(manifest.agentConnectors[0].toolSource.remoteMcpServer).toEqual({
    mcpServerUrl: 'https://skilldock.example.org/mcp',
    authorization: { type: 'DynamicClientRegistration', referenceId: 'reference-1' },
  });
  expect(validate({ ...manifest, agentConnectors: [{ id: 'a' }] })).toBe(false);
});

test('the icons have the sizes that Microsoft 365 asks for', async () => {
  const files = unzipSync(writeAssistantPackage('https://skilldock.example.org', 'r'));
  expect(Object.keys(files).toSorted()).toEqual(['color.png', 'manifest.json', 'outline.png']);
  expect(await sharp(files['color.png']).metadata()).toMatchObject({ format: 'png', width: 192, height: 192 });
  expect(await sharp(files['outline.png']).metadata()).toMatchObject({ format: 'png', width: 32, height: 32 });
});

test('the id of the app follows from the address of the host', () => {
  expect(readManifest('https://a.example').id).toBe(readManifest('https://a.example', 'other').id);
  expect(readManifest('https://a.example').id).not.toBe(readManifest('https://b.example').id);
});

test('the page offers the package only where Microsoft reaches the host', async () => {
  for (const [publicUrl, isReachable] of [
    ['https://skilldock.example.org', true],
    ['http://localhost:3000', false],
  ] as const) {
    const admin = await startAdmin({ publicUrl });
    const { id } = await admin.addTenant('Acme');
    const owner = await admin.signInAs('owner');
    const page = await owner.page(`/tenants/${id}/assistants/new`);
    expect(page.includes('microsoft-365.zip')).toBe(isReachable);
    const response = await owner.get(`/tenants/${id}/assistants/microsoft-365.zip?reference=abc`);
    expect(response.headers.get('content-type') === 'application/zip').toBe(isReachable);
    if (isReachable) expect(unzipSync(new Uint8Array(await response.arrayBuffer()))).toHaveProperty(['manifest.json']);
    await admin.close();
  }
});
