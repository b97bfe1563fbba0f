import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { writeToolObject } from '#contract/index';
import { toForeignText } from '#domain/text';
import { isPassingError } from '#errors';
import { fitAnswer } from './answers.ts';
import type { McpReader, McpServerDeps } from './deps.ts';

const MAX_NAME_LENGTH = 120;
/** Names of each kind, and links, of a concept. */
const MAX_NAMES = 30;
const LISTS_TIMEOUT_MS = 5_000;
/** Characters of an address in an answer or an error. */
const MAX_ADDRESS_LENGTH = 2_000;
const JSON_TYPE = 'application/json';

export function registerResources(server: McpServer, deps: McpServerDeps, { tenant, t }: McpReader): void {
  const describe = (name: string) => ({ title: t(`assistantTools.resources.${name}`), mimeType: JSON_TYPE });
  const answer = ({ href: uri }: URL, data: object) =>
    fitAnswer(data, (value, leftOut) => {
      const text = JSON.stringify({ ...value, ...(leftOut > 0 && { left_out: leftOut }) });
      return { contents: [{ uri, mimeType: JSON_TYPE, text }] };
    });
  const notFound = ({ href }: URL) => new ResourceNotFoundError(href.slice(0, MAX_ADDRESS_LENGTH));

  server.registerResource('providers', 'skilldock://providers', describe('providers'), async (uri) => {
    const { providers } = await deps.discoveryOf(tenant.id).lists({ timeoutMs: LISTS_TIMEOUT_MS });
    return answer(uri, {
      providers: providers.map(({ id, name, url }) => ({
        id,
        name: toForeignText(name, MAX_NAME_LENGTH),
        url,
      })),
    });
  });
  server.registerResource('taxonomies', 'skilldock://taxonomies', describe('taxonomies'), (uri) =>
    answer(uri, {
      taxonomies: Array.from(deps.concepts.listTaxonomies(), ([name, concepts]) => ({ name, concepts })),
    }),
  );
  server.registerResource(
    'concept',
    new ResourceTemplate('skilldock://concept/{+uri}', { list: undefined }),
    describe('concept'),
    (uri, { uri: id }) => {
      const concept = isShort(uri) ? deps.concepts.findConcept(readAddress(id)) : null;
      if (concept === null) throw notFound(uri);
      const { source, kind, labels, others, links } = concept;
      const write = (list: typeof labels) =>
        list.slice(0, MAX_NAMES).map(({ text, lang }) => ({ text: toForeignText(text, MAX_NAME_LENGTH), lang }));
      return answer(uri, {
        uri: concept.id,
        taxonomy: toForeignText(source, MAX_NAME_LENGTH),
        kind,
        labels: write(labels),
        other_names: write(others),
        links: links.slice(0, MAX_NAMES).map(({ name, id: to }) => ({ kind: name, uri: to })),
      });
    },
  );
  server.registerResource(
    'object',
    new ResourceTemplate('skilldock://object/{+url}', { list: undefined }),
    describe('object'),
    async (uri, { url }) => {
      const object = isShort(uri) ? await findObject(deps, tenant.id, readAddress(url)) : null;
      if (object === null) throw notFound(uri);
      return answer(uri, writeToolObject(object, { isAlone: true }));
    },
  );
}

/** The answer repeats the address, and one of an object may end with anything that is ignored. */
const isShort = ({ href }: URL): boolean => href.length <= MAX_ADDRESS_LENGTH;

/** Null also where the lookup fails. */
async function findObject({ cachedObjects, onProblem }: McpServerDeps, tenantId: string, url: string) {
  try {
    return await cachedObjects.find(tenantId, { url });
  } catch (error) {
    if (!isPassingError(error)) onProblem(error);
    return null;
  }
}

/** An address in a URI, percent-encoded or not. */
function readAddress(value: string | readonly string[] | undefined): string {
  const text = String(value ?? '');
  try {
    return /^[\w.-]+:/.test(text) ? text : decodeURIComponent(text);
  } catch {
    return text;
  }
}
