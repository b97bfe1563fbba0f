import {
  bloomResponse,
  langResponse,
  type Operation,
  operations,
  providerResponse,
  typeResponse,
} from '#contract/index';
import { learningObjectTypes } from '#domain/learning-object';
import type { Inspection } from '#ports/upstream';
import { type CheckBody, createAnswerJudge, judgeBySchema } from './judge.ts';
import type { Probe } from './probe.ts';
import {
  applyInspectionRules,
  findRuleItems,
  type Item,
  makeConstantRule,
  makeRuleDeviation,
  makeRuleNote,
  makeUrlRule,
  noteAbsent,
  type Remark,
  type Rule,
} from './rules.ts';

/** What the lists of a service name. */
export interface ListsSeen {
  readonly providers: readonly string[];
  readonly blooms: readonly string[];
  readonly languages: readonly string[];
}

/** The four open lists, without a key. */
export async function* inspectLists(probe: Probe): AsyncGenerator<Inspection, ListsSeen> {
  const bodies: Record<string, unknown> = {};
  for (const [operation, check] of checks) {
    const { inspection, body } = await probe({ operation, purpose: '', judge: createAnswerJudge(check) });
    bodies[operation.name] = body;
    yield inspection;
  }
  return {
    providers: namesIn(bodies.provider, 'id'),
    blooms: namesIn(bodies.bloom, 'bloom'),
    languages: namesIn(bodies.lang, 'lang'),
  };
}

const languageRules: readonly Rule[] = [
  { name: 'lang', rule: 'expected a two-letter code', holds: (value) => /^[a-z]{2}$/.test(String(value)) },
];

const checks: readonly (readonly [Operation, CheckBody])[] = [
  [operations.listProviders, checkProviders],
  [operations.listTypes, checkTypes],
  [operations.listBlooms, checkEither(bloomResponse, [])],
  [operations.listLanguages, checkEither(langResponse, languageRules)],
];

function checkTypes(body: unknown): readonly Remark[] {
  return [...judgeBySchema(typeResponse)(body), ...applyInspectionRules(findRuleItems(body, ''), typeRules)];
}

const typeRules: readonly Rule[] = [
  {
    name: 'type',
    rule: 'is not among the types that the specification lists',
    holds: (value) => learningObjectTypes.some((type) => type === value),
    severity: 'note',
  },
];

function checkProviders(body: unknown): readonly Remark[] {
  const providers = findRuleItems(body, 'response');
  const logos = providers.flatMap(({ path, fields }) =>
    findRuleItems(fields, 'logo').map((logo): Item => ({ ...logo, path: `${path}.${logo.path}` })),
  );
  return [
    ...judgeBySchema(providerResponse)(body),
    ...noteAbsent(providers, ['@context', '@type', 'license']),
    ...applyInspectionRules(providers, [
      makeConstantRule('@type', 'provider'),
      ...['@context', 'url', 'license'].map(makeUrlRule),
    ]),
    ...applyInspectionRules(logos, [makeUrlRule('url')]),
    ...providers.flatMap(checkLogos),
  ];
}

/** Every combination of two colour schemes and two aspect ratios, once. */
function checkLogos({ path, fields }: Item): readonly Remark[] {
  const kinds = findRuleItems(fields, 'logo').map(
    ({ fields: logo }) => `${logo.colorScheme} ${logo.aspectRatio}`,
  );
  const isComplete = ['dark', 'light'].every((scheme) =>
    ['landscape', 'square'].every((ratio) => kinds.includes(`${scheme} ${ratio}`)),
  );
  if (isComplete && kinds.length === 4) return [];
  return [
    makeRuleDeviation(
      `${path}.logo`,
      'expected four logos, one for each colour scheme and aspect ratio',
      kinds.join(', '),
    ),
  ];
}

/** The specification does not say whether these lists are in an envelope. */
function checkEither(
  enveloped: typeof bloomResponse | typeof langResponse,
  rules: readonly Rule[],
): CheckBody {
  return (body) => {
    const isBare = Array.isArray(body);
    return [
      ...(isBare ? [makeRuleNote('body', 'is a bare array; the specification does not show the form')] : []),
      ...judgeBySchema(isBare ? enveloped.shape.response : enveloped)(body),
      ...applyInspectionRules(findRuleItems(body, isBare ? '' : 'response'), rules),
    ];
  };
}

function namesIn(body: unknown, field: string): readonly string[] {
  const items = findRuleItems(body, Array.isArray(body) ? '' : 'response');
  return items.map(({ fields }) => fields[field]).filter((name) => typeof name === 'string');
}
