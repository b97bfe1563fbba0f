import { z } from 'zod';
import type { AssistantTool } from '#domain/assistants';
import { MAX_COMMENT_LENGTH, MAX_REQUEST_ID_LENGTH } from '#domain/feedback';
import { planLimits, planWishes } from '#domain/plan';
import { MAX_TEXT_LENGTH } from '#domain/text';
import { searchParameters } from '../search.ts';
import { described, keywords, language, MAX_KEYWORDS_LENGTH } from '../shared.ts';
import { objectAddress, objectTitle, toolFacts, toolObject } from './foreign.ts';

export interface ToolContract {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly annotations: ToolHints;
}

type ToolHints = Readonly<Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>>;

/** The hints of tools that only read; none calls the open web. */
const reads: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const writes: ToolHints = { ...reads, readOnlyHint: false };

const langOfWords = described(language.exactOptional(), 'Two-letter code of the language; found out when absent');
const requestId = z.string().meta({ description: 'For give_feedback on these objects' });
const listedToolTexts = (description: string) => described(z.array(z.string()).exactOptional(), description);
const notices = listedToolTexts('What was understood, corrected or not found, to be told to the person');

const skill = z.object({
  label: z.string(),
  taxonomy: z.string().exactOptional().meta({ description: 'The published taxonomy it is of' }),
  uri: z.string().exactOptional().meta({ description: 'The concept; readable as skilldock://concept/{uri}' }),
  score: z.number().exactOptional().meta({ description: '0 to 1' }),
});

const toolNumber = (most: number, usual: number, description: string) =>
  z.int().min(1).max(most).default(usual).meta({ description });

const {
  details: _,
  match,
  model,
  sort,
  max: __,
  page: ___,
  provider,
  type,
  bloom,
  ...filters
} = searchParameters.shape;

const text = z.string().trim().min(1).max(MAX_TEXT_LENGTH);

const namedObjects = described(
  z
    .array(z.object({ url: objectAddress, title: objectTitle }))
    .min(1)
    .max(20),
  'In the order of the course',
);

const planId = z.string().min(1).max(100);
const plan = z.object({
  id: planId,
  name: z.string(),
  expected_hours: z.number().exactOptional(),
  minutes: z.number().meta({ description: 'Length of the objects that state one' }),
  link: z.string().exactOptional().meta({ description: 'Its page for colleagues, while it is shared' }),
  sections: z.array(
    z.object({
      id: planId,
      title: z.string(),
      hours: z.number().exactOptional(),
      items: z.array(
        toolObject.extend({
          id: planId,
          skill: z.string().exactOptional(),
          note: z.string().exactOptional(),
          graded: z.literal(true).exactOptional(),
        }),
      ),
      uncovered: z.array(z.string()).exactOptional().meta({ description: 'Skills for which nothing was found' }),
    }),
  ),
});

const messageId = z.union([z.string(), z.int()]);

/** The revision of MCP whose messages each carry what the client is. */
export const STATELESS_MCP_VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol';

const statelessMeta = z.strictObject({
  [`${META}/protocolVersion`]: z.literal(STATELESS_MCP_VERSION),
  [`${META}/clientInfo`]: z.strictObject({
    name: z.string(),
    version: z.string(),
    title: z.string().optional(),
  }),
  [`${META}/clientCapabilities`]: z.strictObject({
    elicitation: z.strictObject({}).optional(),
    sampling: z.strictObject({}).optional(),
    roots: z.strictObject({ listChanged: z.boolean().optional() }).optional(),
  }),
});

/** A message that calls a tool, with nothing but what its revision of MCP demands in `_meta`. */
export const toolCall = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: messageId,
  method: z.literal('tools/call'),
  params: z.strictObject({
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).optional(),
    _meta: z.union([z.strictObject({ progressToken: messageId }), statelessMeta]).optional(),
  }),
});

export type ToolCall = z.output<typeof toolCall>;

export const tools = {
  find_skills: {
    title: 'Find skills',
    description:
      'Find the skills, competences and occupations of published taxonomies (ESCO, ISCO, DigComp, e-CF and others of this host) for words. Use it whenever a skill is named: what it gives exists, with its URI; do not invent others.',
    input: z.object({ keywords, lang: langOfWords, max: toolNumber(20, 10, 'Skills at most') }),
    output: z.object({
      lang: z.string(),
      skills: z.array(skill),
      did_you_mean: z.array(z.string()).exactOptional(),
      notices,
    }),
    annotations: reads,
  },
  tag_text: {
    title: 'Skills of a text',
    description:
      'Find the skills that a text names or asks for, such as a job advertisement or a course description, with the words that show it. At most 20,000 characters.',
    input: z.object({ text, lang: langOfWords, max: toolNumber(30, 10, 'Skills at most') }),
    output: z.object({
      lang: z.string(),
      skills: z.array(
        skill.extend({
          evidence: z.object({ start: z.int(), end: z.int(), words: z.string() }).exactOptional().meta({
            description: 'Where the text says so, in UTF-16 units; absent where no single place does',
          }),
        }),
      ),
      notices,
    }),
    annotations: reads,
  },
  search_learning: {
    title: 'Search learning objects',
    description:
      'Search real learning objects (courses, videos, books, articles) of many providers; their addresses are checked. Level, type, price, length and place may be said in the words ("free python video for beginners") or by the filters. Recommend only what it finds, with the address.',
    input: z.object({
      ...filters,
      provider: provider.unwrap().exactOptional(),
      type: type.unwrap().exactOptional(),
      bloom: bloom.unwrap().exactOptional(),
      sort: sort.unwrap().exactOptional(),
      match: described(match.unwrap().exactOptional(), 'strict: filters exclude; best-effort: they rank lower'),
      model: described(
        model.unwrap().exactOptional(),
        'strict: every word must be found; extended: any, and related ones',
      ),
      max: toolNumber(20, 10, 'Objects a page'),
      page: z.int().min(0).max(1_000).default(0).meta({ description: 'From 0' }),
    }),
    output: z.object({
      total: z.int(),
      is_total_exact: z.boolean(),
      page: z.int(),
      has_more: z.boolean(),
      request_id: requestId,
      quality: z.enum(['A00', 'B00', 'C00']).meta({ description: 'A00: fits; B00: not exactly; C00: nothing' }),
      items: z.array(toolObject),
      notices,
      other_words: listedToolTexts('Where nothing was found: words that find something'),
      drop_filters: listedToolTexts('Where nothing was found: filters without which something is'),
    }),
    annotations: reads,
  },
  get_learning_object: {
    title: 'One learning object',
    description:
      'What is known of one learning object, by its address: also its licence and accessibility, where its maker states them.',
    input: z.object({ url: objectAddress, title: objectTitle }),
    output: z.object({
      object: toolObject.extend({
        author: z.array(z.string()).exactOptional(),
        publisher: z.array(z.string()).exactOptional(),
        ...toolFacts,
      }),
      notices,
    }),
    annotations: reads,
  },
  similar_objects: {
    title: 'Similar learning objects',
    description: 'Other learning objects for the same skills as one of them, by its address.',
    input: z.object({ url: objectAddress, title: objectTitle, max: toolNumber(10, 5, 'Objects at most') }),
    output: z.object({ items: z.array(toolObject), notices }),
    annotations: reads,
  },
  plan_from_text: {
    title: 'Plan from a syllabus',
    description:
      'Make a plan from a syllabus, a course description or a list of weeks: for each week its skills, and learning objects for each of them, in the order of the text. Objects in other languages come last, with their tier. At most 20,000 characters.',
    input: z.object({
      text,
      lang: langOfWords,
      max_skills: toolNumber(15, 8, 'Skills at most; twice as many where the text has weeks'),
      per_skill: toolNumber(4, 2, 'Learning objects for each skill'),
    }),
    output: z.object({
      lang: z.string(),
      weeks: z.array(
        z.object({
          title: z.string().exactOptional().meta({ description: 'As the text has it; absent where it has no weeks' }),
          skills: z.array(
            z.object({
              label: z.string(),
              quote: z.string().exactOptional().meta({ description: 'What the text says of it' }),
              request_id: requestId.exactOptional(),
              items: z.array(
                toolObject.extend({
                  also_in: described(z.string().exactOptional(), 'Title of an earlier week that has it, too'),
                }),
              ),
            }),
          ),
        }),
      ),
      notices,
    }),
    annotations: reads,
  },
  give_feedback: {
    title: 'Give feedback',
    description:
      'Tell the service what somebody thinks of a learning object that it found. Only with words of the person, and only when they ask for it.',
    input: z.object({
      url: objectAddress,
      request_id: described(z.string().min(1).max(MAX_REQUEST_ID_LENGTH), 'Of the answer that had the object'),
      comment: z.string().trim().min(1).max(MAX_COMMENT_LENGTH),
    }),
    output: z.object({ is_kept: z.boolean(), notices }),
    annotations: writes,
  },
  my_shelf: {
    title: 'My shelf',
    description:
      'The learning objects that the person saved: list them, save one, or remove one. The same shelf as in their course and in Slack, once these are linked.',
    input: z.object({
      action: z.enum(['list', 'save', 'remove']),
      url: objectAddress.exactOptional().meta({ description: 'To save or remove' }),
      title: objectTitle,
      request_id: described(z.string().max(MAX_REQUEST_ID_LENGTH).exactOptional(), 'Of the answer that had the object'),
      page: z.int().min(0).max(100).default(0).meta({ description: 'Of the list, from 0; ten objects a page' }),
    }),
    output: z.object({
      done: z.enum(['listed', 'added', 'kept', 'removed', 'not-there']),
      total: z.int().exactOptional(),
      items: z.array(toolObject).exactOptional(),
      notices,
    }),
    annotations: { ...writes, destructiveHint: true },
  },
  place_in_course: {
    title: 'Prepare for a course',
    description:
      'Prepare a selection of learning objects for the learning platform of a teacher: the picker shows it the next time they open it there, and they place it themselves. It never writes into a course. It replaces a selection that still waits.',
    input: z.object({ objects: namedObjects }),
    output: z.object({
      prepared: z.int(),
      courses: z.int().meta({ description: 'Learning platforms in which it waits, for 24 hours' }),
      unknown: listedToolTexts('Addresses of which no object is known'),
      notices,
    }),
    annotations: { ...writes, destructiveHint: true },
  },
  my_plans: {
    title: 'My plans',
    description:
      'The stored course plans of the person: list them, read one, make one from a text (syllabus, job advertisement) or from objects, copy one that a colleague shared, share one by a link, end that, or remove one. The same plans as in their course and in Slack, once these are linked.',
    input: z.object({
      action: z.enum(['list', 'read', 'make', 'copy', 'share', 'unshare', 'remove']),
      id: planId.exactOptional().meta({ description: 'Of the plan to read, share or remove' }),
      name: z.string().trim().min(1).max(planLimits.name).exactOptional().meta({ description: 'Of the plan to make' }),
      text: text.exactOptional().meta({ description: 'To make a plan from' }),
      objects: namedObjects.exactOptional().meta({ description: 'To make a plan from, where there is no text' }),
      link: z.string().max(2_000).exactOptional().meta({ description: 'Of the shared plan to read or copy' }),
      page: z.int().min(0).max(100).default(0).meta({ description: 'Of the list, from 0; ten plans a page' }),
    }),
    output: z.object({
      done: z.enum(['listed', 'read', 'made', 'shared', 'unshared', 'removed']),
      total: z.int().exactOptional(),
      plans: z.array(plan.omit({ sections: true }).extend({ objects: z.int() })).exactOptional(),
      plan: plan.exactOptional(),
      notices,
    }),
    annotations: { ...writes, destructiveHint: true },
  },
  change_plan: {
    title: 'Change a plan',
    description:
      'Change a stored plan of the person in place; everything else stays. Improve one item (another object for the same skill, a shorter or free one, one of another provider or in another language), add, move, note, grade or remove items, and name, order or remove sections.',
    input: z.object({
      id: planId,
      action: z.enum([
        ...planWishes,
        'rename',
        'expect-hours',
        'add-section',
        'rename-section',
        'move-section',
        'remove-section',
        'add-items',
        'move-item',
        'remove-item',
        'note',
        'grade',
        'ungrade',
      ]),
      item: planId.exactOptional().meta({ description: 'Id of the item, from the plan' }),
      section: planId.exactOptional().meta({ description: 'Id of the section, from the plan' }),
      text: z.string().max(planLimits.note).exactOptional().meta({ description: 'Of a name, a title or a note' }),
      hours: z.int().min(0).max(planLimits.hours).exactOptional().meta({ description: 'Expected time of the course' }),
      place: z.int().min(0).max(planLimits.items).exactOptional().meta({ description: 'From 0; the end when absent' }),
      lang: language.exactOptional().meta({ description: 'For language: a two-letter code' }),
      objects: namedObjects.exactOptional().meta({ description: 'To add' }),
    }),
    output: z.object({
      done: z.enum(['changed', 'nothing-better']),
      found: toolObject.exactOptional().meta({ description: 'The new object of an improved item' }),
      plan,
      notices,
    }),
    annotations: { ...writes, destructiveHint: true },
  },
} as const satisfies Readonly<Record<AssistantTool, ToolContract>>;

export type ToolInput<N extends AssistantTool> = z.output<(typeof tools)[N]['input']>;
export type ToolOutput<N extends AssistantTool> = z.input<(typeof tools)[N]['output']>;
const words = z.string().trim().min(1).max(MAX_KEYWORDS_LENGTH);

export const promptArguments = {
  text: (description: string) =>
    z.object({ text: z.string().trim().min(1).max(MAX_TEXT_LENGTH).meta({ description }) }),
  path: (from: string, to: string) =>
    z.object({ from: words.meta({ description: from }), to: words.meta({ description: to }) }),
};
