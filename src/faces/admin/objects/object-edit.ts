import { z } from 'zod';
import { bloomObjectives, learningObjectTypes } from '#domain/learning-object';
import type { FactEdits, FactKind, FactName } from '#domain/object-facts';
import { editObjectFacts, factNames, objectFacts, readObjectFacts, writeFactTexts } from '#domain/object-facts';
import { MAX_OBJECT_NAMES, type ObjectFields, objectTextLimits } from '#domain/object-fields';
import { SPDX_PATTERN } from '#domain/rights/licences';
import { cleanText } from '#domain/text';
import { findWebAddressProblem, parseWebAddress } from '#domain/web-address';
import { AppError } from '#errors';
import { type ObjectWords, writeLevelFact } from '#faces/object-view/facts';
import { describeImportPageProblem } from '#faces/words/import-problems';
import { listLanguageNames } from '#faces/words/language-names';
import type { DerivedSkill } from '#ports/object-catalog';
import type { ObjectTarget } from '#services/catalogue/objects/object-changes';
import * as forms from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';

const PATH = '/tenants/:tenantId/objects';

interface ShownObject {
  readonly form: forms.FormState;
  readonly target: ObjectTarget;
  readonly isNew: boolean;
  /** Whether the fields were read from the page of the object. */
  readonly isRead?: boolean;
}

const access = 'manager';

export const objectEditRoutes = [
  get(`${PATH}/new`, access, askObjectAddress),
  post(`${PATH}/read`, access, readObjectAddress),
  post(`${PATH}/new`, access, addObjectFromForm),
  get(`${PATH}/edit`, access, showObjectEdit),
  post(`${PATH}/edit`, access, saveObjectEdit),
];

async function showObjectForm(context: SignedInContext, view: ShownObject): Promise<PageReply> {
  const { form, target, isNew, isRead = false } = view;
  const { layerOf, local, tenants } = context;
  const tenant = await tenants.getTenant(target.tenantId);
  const layer = await layerOf(tenant.id);
  const [languages, providers] = await Promise.all([
    local.ask('listLanguages', {}, { layer }),
    local.ask('listProviders', {}, { layer }),
  ]);
  const codes = languages.map(({ value }) => value);
  const back = isNew ? `/tenants/${tenant.id}/objects` : toObjectPath(tenant.id, target.url);
  return makePage('object-edit', {
    tenant,
    form,
    isNew,
    isRead,
    forAll: target.forAll,
    choices: listObjectChoices(form, codes, context),
    back: `/admin${back}`,
    providers: providers.map(({ name }) => name),
  });
}

async function showObjectEdit(context: SignedInContext): Promise<Reply> {
  const target = readObjectTarget(context);
  const { fields, version } = await context.objects.getEdited(target);
  const derived = context.concepts.deriveSkills({ ...fields, teaches: null });
  const form = fillObjectForm(target.url, fields, { version, derived });
  return showObjectForm(context, { form, target, isNew: false });
}

function saveObjectEdit(context: SignedInContext): Promise<Reply> {
  const { objects, form: sent, actor } = context;
  const target = readObjectTarget(context);
  return forms.submitFormChange(context, {
    schema: objectForm,
    lists: objectLists,
    load: () => objects.getEdited(target),
    versionOf: ({ version }) => version,
    show: (_, form) => showObjectForm(context, { form, target, isNew: false }),
    async save({ fields }) {
      await objects.edit(actor, target, { fields, version: Number(sent.get('version')) });
      return makeRedirect(toObjectPath(target.tenantId, target.url), 'object-edited');
    },
  });
}

async function askObjectAddress({ param, query, tenants }: SignedInContext): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  return makePage('object-new', { tenant, form: forms.fillForm({ url: query.get('url') ?? '' }), failure: null });
}

async function readObjectAddress(context: SignedInContext): Promise<Reply> {
  const { readObjectPage, tenants, form, t, signedIn } = context;
  const target = readObjectTarget(context);
  const tenant = await tenants.getTenant(target.tenantId);
  const read = forms.readForm(context, addressForm);
  if ('state' in read) return makePage('object-new', { tenant, form: read.state, failure: null }, { status: 422 });
  const { url } = read.data;
  if (form.get('how') === 'by-hand')
    return showObjectForm(context, { form: fillObjectForm(url, {}), target, isNew: true });
  try {
    const isByOwner = signedIn.admin.role === 'owner';
    const page = await readObjectPage(url, { tenantId: tenant.id, isByOwner });
    const filled = fillObjectForm(page.url, page.fields);
    return await showObjectForm(context, { form: filled, target, isNew: true, isRead: true });
  } catch (error) {
    const failure = describeImportPageProblem(error, t);
    return makePage('object-new', { tenant, form: forms.keepTypedFormValues(form), failure }, { status: 422 });
  }
}

function addObjectFromForm(context: SignedInContext): Promise<Reply> {
  const target = readObjectTarget(context);
  return forms.submitForm(context, {
    schema: objectForm,
    lists: objectLists,
    show: (form) => showObjectForm(context, { form, target, isNew: true }),
    async save({ url, fields }) {
      await context.objects.add(context.actor, { ...target, url }, fields);
      return makeRedirect(toObjectPath(target.tenantId, url), 'object-added');
    },
  });
}

/** Errors: ROLE_INSUFFICIENT, as only owners change an object for every tenant. */
export function readObjectTarget({ param, query, form, signedIn }: SignedInContext): ObjectTarget {
  const readField = (name: string) => form.get(name) ?? query.get(name) ?? '';
  const forAll = readField('for') === 'all';
  if (forAll && signedIn.admin.role !== 'owner')
    throw new AppError('ROLE_INSUFFICIENT', 'Only owners of this host change an object for every tenant.');
  return { tenantId: param('tenantId'), forAll, url: readField('url') };
}

export const toObjectPath = (tenantId: string, url: string): string =>
  `/tenants/${tenantId}/objects?${new URLSearchParams({ url })}`;

const objectLists = ['type', 'bloom'] as const;
const MAX_MINUTES = 300_000;

const objectTextField = (max: number) =>
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

/** A field of names between semicolons, as names may contain commas. */
const objectNamesField = (minNames: number) =>
  z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(';')
        .map(cleanText)
        .filter((name) => name !== ''),
    )
    .refine((list) => list.length >= minNames, 'required')
    .refine(
      (list) => list.length <= MAX_OBJECT_NAMES && list.every((name) => name.length <= objectTextLimits.name),
      'tooManyNames',
    );

/** A field of a fact; an empty one stands for an unknown fact. */
const objectFactField = (name: FactName) =>
  z
    .string()
    .default('')
    .transform((text, { addIssue }) => {
      const { kind } = objectFacts[name];
      const texts = isObjectListFact(kind) ? text.split(';') : [kind === 'text' ? cleanText(text) : text];
      const read =
        readObjectFacts({ [name]: texts })[name] ?? (kind === 'license' && SPDX_PATTERN.test(text) ? text : null);
      if (read === null && text.trim() !== '') addIssue({ code: 'custom', message: kind });
      return read;
    });

const factFields = Object.fromEntries(factNames.map((name) => [name, objectFactField(name)])) as unknown as {
  [Name in FactName]: z.ZodType<NonNullable<FactEdits[Name]> | null>;
};

const isObjectListFact = (kind: FactKind) => kind === 'texts' || kind === 'concepts';

const answerField = z.enum(['', 'yes', 'no']).catch('');
const addressForm = z.object({ url: webAddress });

const objectForm = z
  .object({
    url: webAddress,
    title: objectTextField(objectTextLimits.title),
    description: objectTextField(objectTextLimits.description),
    provider: objectTextField(objectTextLimits.provider),
    type: z.array(z.enum(learningObjectTypes)).min(1, 'chooseAtLeastOne'),
    bloom: z.array(z.enum(bloomObjectives)).min(1, 'chooseAtLeastOne'),
    lang: z.string('chooseOne').regex(/^[a-z]{2}$/, 'chooseOne'),
    keywords: objectNamesField(1),
    publisher: objectNamesField(0),
    author: objectNamesField(0),
    level: forms.optionalField(
      z
        .string()
        .refine((level) => Math.abs(Number(level)) <= 1, 'chooseOne')
        .transform(Number),
    ),
    minutes: forms.optionalField(forms.wholeNumberField(1, MAX_MINUTES, 'minutes')),
    free: answerField.transform((value) => (value === '' ? null : value === 'yes')),
    picture: forms.optionalField(webAddress),
    ...factFields,
    /** The derived skills that the form showed: a list that is equal to them states nothing. */
    derivedSkills: z.string().default(''),
  })
  .transform(({ url, derivedSkills, teaches, ...fields }) => ({
    url,
    fields: { ...fields, teaches: stateSkills(teaches, derivedSkills) } satisfies ObjectFields,
  }));

/** Reads stated skills; null if the derived ones stay. An empty list denies these. */
function stateSkills(teaches: FactEdits['teaches'], derivedSkills: string): NonNullable<FactEdits['teaches']> | null {
  const derived = readObjectFacts({ teaches: derivedSkills.split(';') }).teaches ?? [];
  const stated = teaches ?? [];
  return JSON.stringify(stated) === JSON.stringify(derived) ? null : stated;
}

/** @param derived the skills that are shown if none are stated */
function fillObjectForm(
  url: string,
  fields: Partial<ObjectFields>,
  { version = 0, derived = [] }: { readonly version?: number; readonly derived?: readonly DerivedSkill[] } = {},
) {
  const { type = [], bloom = ['Understand'], keywords = [], publisher = [], author = [] } = fields;
  const facts = writeFactTexts(editObjectFacts({}, fields));
  const derivedSkills = (writeFactTexts({ teaches: derived }).teaches ?? []).join('; ');
  const { title = '', description = '', provider = '', lang = '', free = null } = fields;
  return forms.fillForm({
    url,
    title,
    description,
    provider,
    lang,
    type,
    bloom,
    keywords: keywords.join('; '),
    publisher: publisher.join('; '),
    author: author.join('; '),
    level: fields.level == null ? '' : `${fields.level}`,
    minutes: fields.minutes == null ? '' : `${Math.max(1, Math.round(fields.minutes))}`,
    free: writeAnswer(free),
    picture: fields.picture ?? '',
    version: `${version}`,
    ...Object.fromEntries(factNames.map((name) => [name, (facts[name] ?? []).join('; ')])),
    ...(fields.teaches == null && { teaches: derivedSkills }),
    derivedSkills,
  });
}

function writeAnswer(answer: boolean | null): string {
  if (answer === null) return '';
  return answer ? 'yes' : 'no';
}

const levels = [-1, -0.5, 0, 0.5, 1];

/** Common languages of objects, offered in addition to those of the catalogue. */
const usualLanguages = ['en', 'fr', 'de', 'es', 'it', 'pt', 'nl'];

function listObjectChoices(form: forms.FormState, languages: readonly string[], { t, locale }: ObjectWords) {
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
    facts: factNames.map((name) => ({ name, isList: isObjectListFact(objectFacts[name].kind) })),
  };
}
