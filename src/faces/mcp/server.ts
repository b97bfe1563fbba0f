import type { CallToolResult, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { promptArguments, type ToolContract, tools, writeToolObject } from '#contract/index';
import { type AssistantTool, assistantTools, toAssistantMetric } from '#domain/assistants';
import { toForeignText } from '#domain/text';
import { isPassingError } from '#errors';
import { toPublicError } from '../app-errors.ts';
import type { Translate } from '../words/i18n.ts';
import { fitAnswer } from './answers.ts';
import type { McpReader, McpServerDeps } from './deps.ts';
import { getLearningObject, giveLearningObjectFeedback, similarLearningObjects } from './tools/learning-object.ts';
import { planFromTextTool } from './tools/plan.ts';
import { findSkillsTool, searchLearning, tagTextTool } from './tools/search-learning.ts';
import { myShelf, placeInCourse } from './tools/shelf.ts';
import { changeStoredPlan, myStoredPlans } from './tools/stored-plans.ts';
import type { Tool, ToolAnswer, ToolContext } from './tools/tool.ts';

const handlers: { readonly [N in AssistantTool]: Tool<N> } = {
  find_skills: findSkillsTool,
  tag_text: tagTextTool,
  search_learning: searchLearning,
  get_learning_object: getLearningObject,
  similar_objects: similarLearningObjects,
  plan_from_text: planFromTextTool,
  give_feedback: giveLearningObjectFeedback,
  my_shelf: myShelf,
  place_in_course: placeInCourse,
  my_plans: myStoredPlans,
  change_plan: changeStoredPlan,
};

/** Tools that need a person, so an API key does not have them. */
const personal: ReadonlySet<AssistantTool> = new Set(['my_shelf', 'place_in_course', 'my_plans', 'change_plan']);
const MAX_SUMMARY = 1_500;
/** Limit for the values in the arguments of a call, at all depths. */
const MAX_ELEMENTS = 500;

/** Unverified parts of the request that a server is created for; null if it is for all requests. */
export type ServerRequest = { readonly method: unknown; readonly tool: unknown };

const capabilities = {
  tools: { listChanged: false },
  resources: { listChanged: false },
  prompts: { listChanged: false },
};

const describeMcpServer = ({ version, publicUrl }: McpServerDeps) => ({
  name: 'skilldock',
  title: 'Skilldock',
  version,
  websiteUrl: publicUrl,
});

/** Creates a server for one reader: over HTTP for each request, over standard input for all.
 *  @param request registers only what it needs, as most requests call one tool */
export function createMcpServer(
  deps: McpServerDeps,
  reader: McpReader,
  request: ServerRequest = { method: null, tool: null },
): McpServer {
  const server = new McpServer(describeMcpServer(deps), {
    instructions: reader.t('assistantTools.instructions'),
    maxToolInputElements: MAX_ELEMENTS,
    capabilities,
  });
  const names = listMcpTools(reader);
  const calledTool = request.method === 'tools/call' ? names.find((name) => name === request.tool) : undefined;
  for (const name of calledTool === undefined ? names : [calledTool])
    registerMcpTool(server, name, { deps, ...reader });
  if (calledTool !== undefined) return server;
  registerMcpResources(server, deps, reader);
  registerMcpPrompts(server, reader);
  return server;
}

function registerMcpTool(server: McpServer, name: AssistantTool, context: Omit<ToolContext, 'signal'>): void {
  const { title, description, input, output, annotations }: ToolContract = tools[name];
  const inputSchema = cacheJsonSchema(input);
  const outputSchema = cacheJsonSchema(output, { isOutput: true });
  const config = { title, description, inputSchema, outputSchema, annotations };
  server.registerTool(name, config, (args, { mcpReq }) => runTool(name, { ...context, signal: mcpReq.signal }, args));
}

const listMcpTools = ({ person }: Pick<McpReader, 'person'>) =>
  assistantTools.filter((name) => person !== null || !personal.has(name));

/** Calls a tool as the SDK does; null for an unknown tool or invalid arguments. */
export async function callMcpTool(
  call: { readonly name: unknown; readonly arguments?: unknown },
  context: ToolContext,
) {
  const name = listMcpTools(context).find((each) => each === call.name);
  if (name === undefined) return null;
  const { success, data } = tools[name].input.safeParse(call.arguments ?? {});
  return success ? runTool(name, context, data) : null;
}

/** Adds the fields that the revision of 2026-07-28 requires in each result. */
export const addStatelessFields = (result: CallToolResult, deps: McpServerDeps): CallToolResult => ({
  ...result,
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': describeMcpServer(deps) },
});

async function runTool(name: AssistantTool, context: ToolContext, args: unknown): Promise<CallToolResult> {
  context.deps.usage.count(context.tenant.id, toAssistantMetric(name));
  try {
    const run = handlers[name] as Tool<AssistantTool>;
    return toMcpToolResult(await run(context, args as never), context);
  } catch (error) {
    context.signal.throwIfAborted();
    return { content: [{ type: 'text', text: describeMcpFailure(error, context) }], isError: true };
  }
}

function toMcpToolResult({ data, summary, short }: ToolAnswer<AssistantTool>, { t }: Pick<ToolContext, 't'>) {
  return fitAnswer(data, (fitting, leftOut) => {
    const notice = leftOut === 0 ? [] : [t('assistantTools.leftOut', { count: leftOut })];
    const sentences = toForeignText([...notice, summary].join(' '), MAX_SUMMARY);
    const entries = short?.(fitting as never) ?? [];
    const text = entries.length === 0 ? sentences : `${sentences}\n${JSON.stringify(entries)}`;
    const notices = [...notice, ...((fitting as { notices?: readonly string[] }).notices ?? [])];
    return {
      content: [{ type: 'text' as const, text }],
      structuredContent: { ...fitting, ...(notices.length > 0 && { notices }) },
    };
  });
}

function describeMcpFailure(thrown: unknown, { deps, t }: Pick<ToolContext, 'deps' | 't'>): string {
  const { error, message, reference, isFault } = toPublicError(thrown);
  if (isFault) deps.onProblem(thrown);
  const problems = error.problems.map(({ path, problem }) => `${path} ${problem}`);
  return t('assistantTools.failed', {
    message: toForeignText([message, ...problems].join(' '), MAX_SUMMARY),
    code: error.code,
    reference,
  });
}

const cachedSchemas = new WeakMap<object, StandardSchemaWithJSON>();

/** Caches the JSON form of a schema. Outputs are typed, and validated by tests only. */
function cacheJsonSchema<S extends StandardSchemaWithJSON>(schema: S, { isOutput = false } = {}): S {
  const cached = cachedSchemas.get(schema);
  if (cached !== undefined) return cached as S;
  const standard = schema['~standard'];
  const { input, output } = standard.jsonSchema;
  const result = {
    '~standard': {
      ...standard,
      validate: isOutput ? (value: unknown) => ({ value }) : standard.validate,
      jsonSchema: { input: callOnce(input), output: callOnce(output) },
    },
  } as unknown as S;
  cachedSchemas.set(schema, result);
  return result;
}

function callOnce<A, T>(create: (argument: A) => T): (argument: A) => T {
  let result: { readonly value: T } | undefined;
  return (argument) => {
    result ??= { value: create(argument) };
    return result.value;
  };
}

/** Registers common requests as prompts. Texts of people are separate messages. */
function registerMcpPrompts(server: McpServer, { t }: McpReader): void {
  const toMessage = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });
  const describe = (name: string) => ({
    title: t(`assistantTools.prompts.${name}.title`),
    description: t(`assistantTools.prompts.${name}.description`),
  });
  const ask = (name: string) => toMessage(t(`assistantTools.prompts.${name}.text`));
  const schemas = promptSchemas.get(t) ?? createMcpPromptSchemas(t);
  promptSchemas.set(t, schemas);
  server.registerPrompt('plan_course', { ...describe('plan'), argsSchema: schemas.plan }, ({ text: syllabus }) => ({
    messages: [ask('plan'), toMessage(syllabus)],
  }));
  server.registerPrompt('skills_in_job_ad', { ...describe('skills'), argsSchema: schemas.skills }, ({ text: ad }) => ({
    messages: [ask('skills'), toMessage(ad)],
  }));
  server.registerPrompt('learning_path', { ...describe('path'), argsSchema: schemas.path }, ({ from, to }) => ({
    messages: [ask('path'), toMessage(t('assistantTools.prompts.path.given', { from, to }))],
  }));
}

const promptSchemas = new WeakMap<Translate, ReturnType<typeof createMcpPromptSchemas>>();

const createMcpPromptSchemas = (t: Translate) => ({
  plan: promptArguments.text(t('assistantTools.prompts.plan.argument')),
  skills: promptArguments.text(t('assistantTools.prompts.skills.argument')),
  path: promptArguments.path(t('assistantTools.prompts.path.from'), t('assistantTools.prompts.path.to')),
});

const MAX_NAME_LENGTH = 120;
/** Limit for each kind of names of a concept, and for its links. */
const MAX_NAMES = 30;
const LISTS_TIMEOUT_MS = 5_000;
/** Limit for addresses of resources, which answers and errors repeat. */
const MAX_ADDRESS_LENGTH = 2_000;
const JSON_TYPE = 'application/json';

function registerMcpResources(server: McpServer, deps: McpServerDeps, { tenant, t }: McpReader): void {
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
      providers: providers.map(({ id, name, url }) => ({ id, name: toForeignText(name, MAX_NAME_LENGTH), url })),
    });
  });
  server.registerResource('taxonomies', 'skilldock://taxonomies', describe('taxonomies'), (uri) =>
    answer(uri, { taxonomies: Array.from(deps.concepts.listTaxonomies(), ([name, concepts]) => ({ name, concepts })) }),
  );
  server.registerResource(
    'concept',
    new ResourceTemplate('skilldock://concept/{+uri}', { list: undefined }),
    describe('concept'),
    (uri, { uri: id }) => {
      const concept = isShort(uri) ? deps.concepts.findConcept(readMcpAddress(id)) : null;
      if (concept === null) throw notFound(uri);
      const { source, kind, labels, alternativeLabels, links } = concept;
      const writeNames = (list: typeof labels) =>
        list.slice(0, MAX_NAMES).map(({ text, lang }) => ({ text: toForeignText(text, MAX_NAME_LENGTH), lang }));
      return answer(uri, {
        uri: concept.uri,
        taxonomy: toForeignText(source, MAX_NAME_LENGTH),
        kind,
        labels: writeNames(labels),
        other_names: writeNames(alternativeLabels),
        links: links.slice(0, MAX_NAMES).map(({ name, uri: to }) => ({ kind: name, uri: to })),
      });
    },
  );
  server.registerResource(
    'object',
    new ResourceTemplate('skilldock://object/{+url}', { list: undefined }),
    describe('object'),
    async (uri, { url }) => {
      const object = isShort(uri) ? await findMcpAnswerObject(deps, tenant.id, readMcpAddress(url)) : null;
      if (object === null) throw notFound(uri);
      return answer(uri, writeToolObject(object, { isAlone: true }));
    },
  );
}

const isShort = ({ href }: URL): boolean => href.length <= MAX_ADDRESS_LENGTH;

async function findMcpAnswerObject({ cachedObjects, onProblem }: McpServerDeps, tenantId: string, url: string) {
  try {
    return await cachedObjects.find(tenantId, { url });
  } catch (error) {
    if (!isPassingError(error)) onProblem(error);
    return null;
  }
}

/** Reads an address of a resource, which may be percent-encoded as a whole. */
function readMcpAddress(value: string | readonly string[] | undefined): string {
  const text = String(value ?? '');
  try {
    return /^[\w.-]+:/.test(text) ? text : decodeURIComponent(text);
  } catch {
    return text;
  }
}
