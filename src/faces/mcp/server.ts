import { McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { promptArguments, type ToolContract, tools } from '#contract/index';
import { type AssistantTool, assistantTools, toAssistantMetric } from '#domain/assistants';
import { toForeignText } from '#domain/text';
import { toPublicError } from '../app-errors.ts';
import type { Translate } from '../words/i18n.ts';
import { fitAnswer } from './answers.ts';
import type { McpReader, McpServerDeps } from './deps.ts';
import { registerResources } from './resources.ts';
import { findSkills, tagText } from './tools/find-skills.ts';
import { getLearningObject, giveFeedback, similarObjects } from './tools/learning-object.ts';
import { myShelf, placeInCourse } from './tools/own.ts';
import { planFromText } from './tools/plan.ts';
import { searchLearning } from './tools/search-learning.ts';
import type { Tool, ToolAnswer, ToolContext } from './tools/tool.ts';

const handlers: { readonly [N in AssistantTool]: Tool<N> } = {
  find_skills: findSkills,
  tag_text: tagText,
  search_learning: searchLearning,
  get_learning_object: getLearningObject,
  similar_objects: similarObjects,
  plan_from_text: planFromText,
  give_feedback: giveFeedback,
  my_shelf: myShelf,
  place_in_course: placeInCourse,
};

/** Those of a person alone. */
const personal: ReadonlySet<AssistantTool> = new Set(['my_shelf', 'place_in_course']);

/** Characters of what an answer says in sentences. */
const MAX_SUMMARY = 1_500;

/** Values of the arguments of one call, lists and all that is in them included. */
const MAX_ELEMENTS = 500;

/** A server of the Model Context Protocol for one reader: over HTTP one for each request, over
 *  standard input one for all. It has no state and no logic: tools read their arguments, ask a
 *  service, and write what it says. */
export function createMcpServer(deps: McpServerDeps, reader: McpReader, asked = everything): McpServer {
  const server = new McpServer(
    { name: 'skilldock', title: 'Skilldock', version: deps.version, websiteUrl: deps.publicUrl },
    { instructions: reader.t('assistantTools.instructions'), maxToolInputElements: MAX_ELEMENTS },
  );
  const names = assistantTools.filter((name) => reader.person !== null || !personal.has(name));
  const isOne = asked.method === 'tools/call' && names.some((name) => name === asked.tool);
  for (const name of names)
    if (!isOne || name === asked.tool) registerTool(server, name, { deps, ...reader });
  if (isOne) return server;
  registerResources(server, deps, reader);
  registerPrompts(server, reader);
  return server;
}

/** What a server is asked that lives for one request: a call of a tool needs that tool alone, and
 *  is most of all that is asked. */
export interface AskedOfServer {
  readonly method: unknown;
  readonly tool: unknown;
}

const everything: AskedOfServer = { method: null, tool: null };

function registerTool(server: McpServer, name: AssistantTool, context: Omit<ToolContext, 'signal'>): void {
  const { title, description, input, output, annotations }: ToolContract = tools[name];
  const run = handlers[name] as Tool<AssistantTool>;
  const [inputSchema, outputSchema] = [keepJsonForm(input), keepJsonForm(output, true)];
  const config = { title, description, inputSchema, outputSchema, annotations };
  server.registerTool(name, config, async (args, { mcpReq }) => {
    context.deps.usage.count(context.tenant.id, toAssistantMetric(name));
    try {
      return writeAnswer(await run({ ...context, signal: mcpReq.signal }, args as never), context);
    } catch (error) {
      mcpReq.signal.throwIfAborted();
      return { content: [{ type: 'text', text: sayFailure(error, context) }], isError: true };
    }
  });
}

function writeAnswer({ data, summary, short }: ToolAnswer<AssistantTool>, { t }: Pick<ToolContext, 't'>) {
  return fitAnswer(data, (fitting, leftOut) => {
    const notice = leftOut === 0 ? [] : [t('assistantTools.leftOut', { count: leftOut })];
    const said = toForeignText([...notice, summary].join(' '), MAX_SUMMARY);
    const lines = short?.(fitting as never) ?? [];
    const text = lines.length === 0 ? said : `${said}\n${JSON.stringify(lines)}`;
    const notices = [...notice, ...((fitting as { notices?: readonly string[] }).notices ?? [])];
    return {
      content: [{ type: 'text' as const, text }],
      structuredContent: { ...fitting, ...(notices.length > 0 && { notices }) },
    };
  });
}

/** What an assistant can do about it, in the words of the API: for it, not for people. */
function sayFailure(thrown: unknown, { deps, t }: Pick<ToolContext, 'deps' | 't'>): string {
  const { error, message, reference, isOurs } = toPublicError(thrown);
  if (isOurs) deps.onProblem(thrown);
  const problems = error.problems.map(({ path, problem }) => `${path} ${problem}`);
  return t('assistantTools.failed', {
    message: toForeignText([message, ...problems].join(' '), MAX_SUMMARY),
    code: error.code,
    reference,
  });
}

const kept = new WeakMap<object, StandardSchemaWithJSON>();

/** The same schema, whose JSON form is made once: a server lives for one request, and would write
 *  it anew each time.
 *  @param isOurs whether what it describes is an answer: that is typed, checked by the tests, and
 *  by every client */
function keepJsonForm<S extends StandardSchemaWithJSON>(schema: S, isOurs = false): S {
  const known = kept.get(schema);
  if (known !== undefined) return known as S;
  const standard = schema['~standard'];
  const { jsonSchema } = standard;
  const forms = { input: once(jsonSchema.input), output: once(jsonSchema.output) };
  const keeping = {
    '~standard': { ...standard, validate: isOurs ? pass : standard.validate, jsonSchema: forms },
  } as unknown as S;
  kept.set(schema, keeping);
  return keeping;
}

const pass = (value: unknown) => ({ value });

/** The SDK asks for one form of JSON Schema only. */
function once<A, T>(make: (asked: A) => T): (asked: A) => T {
  let made: { readonly value: T } | undefined;
  return (asked) => {
    made ??= { value: make(asked) };
    return made.value;
  };
}

/** What people ask for again and again, ready to be chosen. What they fill in stands apart from
 *  what is asked. */
function registerPrompts(server: McpServer, { t }: McpReader): void {
  const say = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });
  const about = (name: string) => ({
    title: t(`assistantTools.prompts.${name}.title`),
    description: t(`assistantTools.prompts.${name}.description`),
  });
  const schemas = schemasIn(t);

  server.registerPrompt(
    'plan_course',
    { ...about('plan'), argsSchema: schemas.plan },
    ({ text: syllabus }) => ({ messages: [say(t('assistantTools.prompts.plan.text')), say(syllabus)] }),
  );
  server.registerPrompt(
    'skills_in_job_ad',
    { ...about('skills'), argsSchema: schemas.skills },
    ({ text: ad }) => ({ messages: [say(t('assistantTools.prompts.skills.text')), say(ad)] }),
  );
  server.registerPrompt(
    'learning_path',
    {
      ...about('path'),
      argsSchema: schemas.path,
    },
    ({ from, to }) => ({
      messages: [
        say(t('assistantTools.prompts.path.text')),
        say(t('assistantTools.prompts.path.given', { from, to })),
      ],
    }),
  );
}

/** Made once for each language: a server lives for one request. */
function schemasIn(t: Translate) {
  const known = made.get(t);
  if (known !== undefined) return known;
  const schemas = makeSchemas(t);
  made.set(t, schemas);
  return schemas;
}

const made = new WeakMap<Translate, ReturnType<typeof makeSchemas>>();

const makeSchemas = (t: Translate) => ({
  plan: promptArguments.text(t('assistantTools.prompts.plan.argument')),
  skills: promptArguments.text(t('assistantTools.prompts.skills.argument')),
  path: promptArguments.path(t('assistantTools.prompts.path.from'), t('assistantTools.prompts.path.to')),
});
