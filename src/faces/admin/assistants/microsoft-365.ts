import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { ASSISTANT_PATH } from '#domain/assistants';
import { projectRoot } from '#project-root';

const SCHEMA = 'https://developer.microsoft.com/json-schemas/teams/v1.29/MicrosoftTeams.schema.json';
const description = 'Searches learning resources and skills, and prepares them for courses.';

/** Writes an app package of Microsoft 365 whose agents use the tools of this host.
 *  @param referenceId of the authorization that the administrator registered in Microsoft's portal
 *  Source: Microsoft, "Register MCP servers as agent connectors for Microsoft 365". */
export function writeMicrosoft365Package(publicUrl: string, referenceId: string): Uint8Array {
  const icons = { color: 'color.png', outline: 'outline.png' };
  const manifest = {
    $schema: SCHEMA,
    manifestVersion: '1.29',
    version: '1.0.0',
    id: toAppId(publicUrl),
    developer: {
      name: 'Skilldock',
      websiteUrl: publicUrl,
      privacyUrl: `${publicUrl}/docs/guides/admin`,
      termsOfUseUrl: `${publicUrl}/docs/guides/rights`,
    },
    name: { short: 'Skilldock', full: `Skilldock at ${new URL(publicUrl).host}`.slice(0, 100) },
    description: { short: description, full: description },
    icons,
    accentColor: '#0B6E6E',
    agentConnectors: [
      {
        id: 'skilldock',
        displayName: 'Skilldock',
        description,
        toolSource: {
          remoteMcpServer: {
            mcpServerUrl: publicUrl + ASSISTANT_PATH,
            authorization: { type: 'DynamicClientRegistration', referenceId },
          },
        },
      },
    ],
  };
  const readIcon = (name: string) => new Uint8Array(readFileSync(join(projectRoot, 'views', 'microsoft-365', name)));
  return zipSync({
    'manifest.json': strToU8(JSON.stringify(manifest, null, 2)),
    [icons.color]: readIcon(icons.color),
    [icons.outline]: readIcon(icons.outline),
  });
}

/** The same for every package of a host, so that a newer one replaces it: a UUID of version 8. */
function toAppId(publicUrl: string): string {
  const hash = createHash('sha256').update(publicUrl).digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
