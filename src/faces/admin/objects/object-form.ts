import { z } from 'zod';
import { bloomObjectives, learningObjectTypes } from '#domain/learning-object';
import {
  editFacts,
  type FactEdits,
  type FactKind,
  type FactName,
  factNames,
  objectFacts,
  readFacts,
  writeFactTexts,
} from '#domain/object-facts';
import { MAX_OBJECT_NAMES, type ObjectFields, objectTextLimits } from '#domain/object-fields';
import { SPDX_PATTERN } from '#domain/rights/licences';
import { cleanText } from '#domain/text';
import { findWebAddressProblem, parseWebAddress } from '#domain/web-address';
import { type ObjectWords, writeLevelFact } from '#faces/object-view/facts';
import { listLanguageNames } from '#faces/words/language-names';
import type { DerivedSkill } from '#ports/object-catalog';
import { type FormState, fillForm, optionalField, wholeNumberField } from '../forms/forms.ts';

export const objectLists = ['type', 'bloom'] as const;

const MAX_MINUTES = 300_000;

const text = (max: number) =>
  z.string('required').transform(cleanText).pipe(z.string().min(1, 'required').max(max, 'tooLong'));

const webAddress = z
  .string('required')
  .trim()
  .min(1, 'required')
  .transform((text, { addIssue }) => {
    const problem = findWebAddressProblem(text);
    if (problem !== null) addIssue({ code: 'custom', message: problem });
    return parseWebAddress(text) ?? z.NEVER;
  });

/** The separator is a semicolon, as names may contain commas. */
const names = (least: number) =>
  z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(';')
        .map(cleanText)
        .filter((name) => name !== ''),
    )
    .refine((list) => list.length >= least, 'required')
    .refine(
      (list) => list.length <= MAX_OBJECT_NAMES && list.every((name) => name.length <= objectTextLimits.name),
      'tooManyNames',
    );

/** An empty field is an unknown fact. */
const factField = (name: FactName) =>
  z
    .string()
    .default('')
    .transform((text, { addIssue }) => {
      const { kind } = objectFacts[name];
      const texts = isListFact(kind) ? text.split(';') : [kind === 'text' ? cleanText(text) : text];
      const read = readFacts({ [name]: texts })[name] ?? (kind === 'license' && SPDX_PATTERN.test(text) ? text : null);
      if (read === null && text.trim() !== '') addIssue({ code: 'custom', message: kind });
      return read;
    });

const factFields = Object.fromEntries(factNames.map((name) => [name, factField(name)])) as unknown as {
  [Name in FactName]: z.ZodType<NonNullable<FactEdits[Name]> | null>;
};

const isListFact = (kind: FactKind) => kind === 'texts' || kind === 'concepts';

const answer = z.enum(['', 'yes', 'no']).catch('');

export const addressForm = z.object({ url: webAddress });

export const objectForm = z
  .object({
    url: webAddress,
    title: text(objectTextLimits.title),
    description: text(objectTextLimits.description),
    provider: text(objectTextLimits.provider),
    type: z.array(z.enum(learningObjectTypes)).min(1, 'chooseAtLeastOne'),
    bloom: z.array(z.enum(bloomObjectives)).min(1, 'chooseAtLeastOne'),
    lang: z.string('chooseOne').regex(/^[a-z]{2}$/, 'chooseOne'),
    keywords: names(1),
    publisher: names(0),
    author: names(0),
    level: optionalField(
      z
        .string()
        .refine((level) => Math.abs(Number(level)) <= 1, 'chooseOne')
        .transform(Number),
    ),
    minutes: optionalField(wholeNumberField(1, MAX_MINUTES, 'minutes')),
    free: answer.transform((value) => (value === '' ? null : value === 'yes')),
    picture: optionalField(webAddress),
    ...factFields,
    /** As the form showed them, which states nothing. */
    derivedSkills: z.string().default(''),
  })
  .transform(({ url, derivedSkills, teaches, ...fields }) => ({
    url,
    fields: { ...fields, teaches: stateSkills(teaches, derivedSkills) } satisfies ObjectFields,
  }));

/** An emptied list says that the object teaches none of the derived skills. */
function stateSkills(teaches: FactEdits['teaches'], derivedSkills: string): NonNullable<FactEdits['teaches']> | null {
  const derived = readFacts({ teaches: derivedSkills.split(';') }).teaches ?? [];
  const stated = teaches ?? [];
  return JSON.stringify(stated) === JSON.stringify(derived) ? null : stated;
}

interface FormOptions {
  readonly version?: number;
  /** Derived where nothing is stated. */
  readonly derived?: readonly DerivedSkill[];
}

export function fillObjectForm(
  url: string,
  fields: Partial<ObjectFields>,
  { version = 0, derived = [] }: FormOptions = {},
): FormState {
  const { type = [], bloom = ['Understand'], keywords = [], publisher = [], author = [] } = fields;
  const facts = writeFactTexts(editFacts({}, fields));
  const derivedSkills = (writeFactTexts({ teaches: derived }).teaches ?? []).join('; ');
  const { title = '', description = '', provider = '', lang = '', free = null } = fields;
  return fillForm({
    ...{ url, title, description, provider, lang, type, bloom },
    keywords: keywords.join('; '),
    publisher: publisher.join('; '),
    author: author.join('; '),
    level: fields.level == null ? '' : `${fields.level}`,
    minutes: fields.minutes == null ? '' : `${Math.max(1, Math.round(fields.minutes))}`,
    free: free === null ? '' : free ? 'yes' : 'no',
    picture: fields.picture ?? '',
    version: `${version}`,
    ...Object.fromEntries(factNames.map((name) => [name, (facts[name] ?? []).join('; ')])),
    ...(fields.teaches == null && { teaches: derivedSkills }),
    derivedSkills,
  });
}

const levels = [-1, -0.5, 0, 0.5, 1];

/** Common languages of objects, offered in addition to those of the catalogue. */
const usualLanguages = ['en', 'fr', 'de', 'es', 'it', 'pt', 'nl'];

export function listObjectChoices(form: FormState, languages: readonly string[], { t, locale }: ObjectWords) {
  const { level = '', lang = '' } = form.values;
  const current = level === '' || levels.includes(Number(level)) ? [] : [Number(level)];
  const codes = new Set([...usualLanguages, ...languages, ...(/^[a-z]{2}$/.test(lang) ? [lang] : [])]);
  return {
    types: learningObjectTypes,
    blooms: bloomObjectives,
    levels: [...levels, ...current]
      .toSorted((a, b) => a - b)
      .map((value) => ({ value: `${value}`, name: writeLevelFact(value, t) })),
    languages: listLanguageNames(codes, locale),
    facts: factNames.map((name) => ({ name, isList: isListFact(objectFacts[name].kind) })),
  };
}
