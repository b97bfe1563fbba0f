import { hashObjectAddress, learningObjectTypes } from '#domain/learning-object';
import { editObjectFacts, type FactName, factNames, writeConceptText, writeFactTexts } from '#domain/object-facts';
import { objectFieldNames, toPlainObjectFields } from '#domain/object-fields';
import { suggestionModes } from '#domain/tenant';
import {
  writeBloomFact,
  writeLengthFact,
  writeLevelFact,
  writePriceFact,
  writeTypeFact,
} from '#faces/object-view/facts';
import { toObjectView } from '#faces/object-view/object-view';
import { linkSkillPage } from '#faces/object-view/skill-address';
import { findLanguageName, listLanguageNames } from '#faces/words/language-names';
import type { LearningService } from '#ports/learning-service';
import type { TenantLayer } from '#ports/object-catalog';
import { type FieldSource, listedLinkStates, type ObjectListRequest } from '#services/catalogue/objects/objects';
import { type FormState, fillForm, refuseForm } from '../forms/forms.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { get, makePage, makeRedirect, post, type Reply, type SignedInContext } from '../route.ts';
import { readTenantChoices } from '../tenants/tenant-lists.ts';
import { objectEditRoutes, readObjectTarget, toObjectPath } from './object-edit.ts';

const PATH = '/tenants/:tenantId/objects';
const origins = ['starter', 'import', 'added', 'edited', 'hidden'] as const;
const sorts = ['best', 'title', 'shortest', 'longest'] as const;
const filters = ['provider', 'type', 'lang', 'origin', 'link'] as const;
const access = 'manager';

/** The list, viewing, editing, hiding and adding of objects, and suggestions of instructors. */
export const objectsRoutes = [
  get('/catalogue/objects', 'viewer', chooseObjectList),
  get(PATH, 'viewer', (context) =>
    context.query.has('url') ? showObjectDetails(context) : showObjectList(context, context.param('tenantId')),
  ),
  post(`${PATH}/outside`, access, hideUpstreamObject),
  post(`${PATH}/decide`, access, decideObjectSuggestion),
  post(`${PATH}/suggestions`, access, saveObjectSuggestionMode),
  ...objectEditRoutes,
  post(`${PATH}/hide`, access, actOnObject('hide', 'hidden')),
  post(`${PATH}/show`, access, actOnObject('show', 'shown')),
  post(`${PATH}/undo`, access, undoObjectChange),
];

async function chooseObjectList(context: SignedInContext): Promise<Reply> {
  const { tenants } = context;
  const choices = await readTenantChoices(tenants, context.signedIn.admin.tenants);
  const chosen = choices.find(({ id }) => id === context.query.get('tenant')) ?? choices[0];
  return chosen === undefined ? makeRedirect('/catalogue') : showObjectList(context, chosen.id);
}

/** @param refused the form that could not hide an object of an upstream */
async function showObjectList(context: SignedInContext, tenantId: string, refused?: FormState): Promise<Reply> {
  const { query, signedIn, t, locale, layerOf, local, objects, tenants, upstreams } = context;
  const tenant = await tenants.getTenant(tenantId);
  const choice = readListChoice(query, sorts);
  if (/^https?:\/\//i.test(choice.search)) return makeRedirect(toObjectPath(tenant.id, query.get('q') ?? ''));
  const chosen = readObjectListFilters(query);
  const [result, waiting, hidden, connection, tenantChoices, layer] = await Promise.all([
    objects.list(tenant.id, { ...choice, ...chosen }),
    objects.listWaiting(tenant.id),
    objects.listOutside(tenant.id),
    upstreams.connectionOf(tenant.id),
    readTenantChoices(tenants, signedIn.admin.tenants),
    layerOf(tenant.id),
  ]);
  return makePage(
    'objects',
    {
      tenant,
      tenantChoices,
      list: createListModel({ path: `/tenants/${tenant.id}/objects`, query, choice }, result),
      items: result.items.map((item) => ({
        ...item,
        place: shortenObjectAddress(item.url),
        href: `/admin${toObjectPath(tenant.id, item.url)}`,
        view: toObjectView(toPlainObjectFields(item), { t, locale }),
      })),
      waiting: waiting.map(({ state: { fields }, ...suggestion }) => {
        return { ...suggestion, title: fields.title ?? suggestion.url, description: fields.description ?? '' };
      }),
      form: refused ?? fillForm({}),
      outside: hidden.map(({ url, state }) => ({ url, isHidden: state.isHidden, title: state.fields.title ?? null })),
      upstream: connection.upstream,
      chosen,
      isFiltered: choice.search !== '' || filters.some((name) => chosen[name] !== null),
      sort: choice.sort,
      choices: await listObjectFilterChoices({ t, locale }, local, layer),
      modes: suggestionModes,
    },
    { status: refused === undefined ? 200 : 422 },
  );
}

async function listObjectFilterChoices(
  { t, locale }: Pick<SignedInContext, 't' | 'locale'>,
  local: LearningService,
  layer: TenantLayer,
) {
  const [providers, langs] = await Promise.all([
    local.ask('listProviders', {}, { layer }),
    local.ask('listLanguages', {}, { layer }),
  ]);
  const codes = langs.map(({ value }) => value);
  return {
    sorts,
    provider: providers
      .map(({ id, name }) => ({ value: id, name }))
      .sort((a, b) => a.name.localeCompare(b.name, locale)),
    type: learningObjectTypes.map((value) => ({ value, name: t(`types.${value}`) })),
    lang: listLanguageNames(codes, locale).map(({ code, name }) => ({ value: code, name })),
    origin: origins.map((value) => ({ value, name: t(`objects.origins.${value}`) })),
    link: listedLinkStates.map((value) => ({ value, name: t(`objects.links.${value}`) })),
  };
}

/** Hides an object of an upstream, which has no page, so that its address is typed. */
async function hideUpstreamObject(context: SignedInContext): Promise<Reply> {
  const { objects, form, actor, param } = context;
  const tenantId = param('tenantId');
  try {
    await objects.hide(actor, { tenantId, forAll: false, url: form.get('url') ?? '' });
  } catch (error) {
    return showObjectList(context, tenantId, refuseForm(error, context));
  }
  return makeRedirect(`/tenants/${tenantId}/objects`, 'object-hidden');
}

async function decideObjectSuggestion({ param, form, actor, objects }: SignedInContext): Promise<Reply> {
  const tenantId = param('tenantId');
  const isApproved = form.get('decision') === 'approve';
  await objects.decide(actor, { tenantId, forAll: false, url: form.get('url') ?? '' }, isApproved);
  return makeRedirect(`/tenants/${tenantId}/objects`, isApproved ? 'object-approved' : 'object-refused');
}

async function saveObjectSuggestionMode({ param, form, actor, tenants }: SignedInContext): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  const suggestions = suggestionModes.find((mode) => mode === form.get('suggestions'));
  if (suggestions !== undefined) await tenants.changeTenant(actor, tenant.id, { version: tenant.version, suggestions });
  return makeRedirect(`/tenants/${tenant.id}/objects`, 'suggestions-saved');
}

const MAX_PATH_LENGTH = 40;

/** Shortens an address to its host and the beginning of its path. */
function shortenObjectAddress(url: string): string {
  const { host, pathname } = new URL(url);
  const path = pathname.length > MAX_PATH_LENGTH ? `${pathname.slice(0, MAX_PATH_LENGTH)}…` : pathname;
  return host.replace(/^www\./, '') + path;
}

function readObjectListFilters(query: URLSearchParams): Pick<ObjectListRequest, (typeof filters)[number]> {
  const pick = <T extends string>(name: string, values: readonly T[]): T | null =>
    values.find((value) => value === query.get(name)) ?? null;
  const readMatching = (name: string, pattern: RegExp) => {
    const value = query.get(name) ?? '';
    return pattern.test(value) ? value : null;
  };
  return {
    provider: readMatching('provider', /^[a-z0-9-]{1,120}$/),
    type: pick('type', learningObjectTypes),
    lang: readMatching('lang', /^[a-z]{2}$/),
    origin: pick('origin', origins),
    link: pick('link', listedLinkStates),
  };
}

async function showObjectDetails(context: SignedInContext): Promise<Reply> {
  const { param, query, t, locale, concepts, insight, objects, tenants, publishes } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const details = await objects.getDetails(tenant.id, query.get('url') ?? '');
  const { object, changes, sources } = details;
  const { fields } = object;
  const words = { t, locale };
  const derived = concepts.deriveSkills(fields);
  const facts = writeFactTexts(editObjectFacts({ teaches: derived }, fields));
  const textOfField: Readonly<Record<Exclude<(typeof objectFieldNames)[number], FactName>, string>> = {
    title: fields.title,
    description: fields.description,
    provider: fields.provider,
    type: fields.type.map((type) => writeTypeFact(type, t)).join(', '),
    bloom: fields.bloom.map((objective) => writeBloomFact(objective, t)).join(', '),
    lang: findLanguageName(fields.lang, locale),
    keywords: fields.keywords.join(', '),
    publisher: fields.publisher.join(', '),
    author: fields.author.join(', '),
    level: fields.level === null ? '' : writeLevelFact(fields.level, t),
    minutes: fields.minutes === null ? '' : writeLengthFact(fields.minutes, words),
    free: fields.free === null ? '' : writePriceFact({ free: fields.free }, words),
    picture: fields.picture ?? '',
  };
  return makePage('object', {
    ...details,
    used: await insight.countObject(tenant.id, object.url),
    tenant,
    pageHref: publishes.objects && object.hiddenFor === null ? linkObject(object.url, tenant.id) : null,
    skills: (fields.teaches ?? derived).map((skill) => {
      const concept = skill.uri === undefined ? null : concepts.findConcept(skill.uri);
      return { text: writeConceptText(skill), href: linkSkillPage({ publishes }, concept?.id) };
    }),
    fields: objectFieldNames.map((name) => ({
      name,
      label: t(isObjectFact(name) ? `learningObject.facts.${name}` : `objects.field.${name}`),
      value: isObjectFact(name) ? (facts[name] ?? []).join(', ') : textOfField[name],
      source:
        name === 'teaches' && derived.length > 0
          ? { kind: 'derived', words: derived.map(({ evidence }) => evidence).join(' · ') }
          : describeObjectSource(sources.get(name)),
    })),
    changes: [changes.tenant, changes.all].filter((change) => change !== null),
  });
}

/** Writes the address of the public page, as the tenant sees the object. */
const linkObject = (url: string, tenantId: string): string =>
  `/objects/${hashObjectAddress(url)}?tenant=${encodeURIComponent(tenantId)}`;

const isObjectFact = (name: string): name is FactName => (factNames as readonly string[]).includes(name);

/** Makes a handler that leads to the object, or for one of an upstream to the list. */
function actOnObject(act: 'hide' | 'show', done: string) {
  return async (context: SignedInContext): Promise<Reply> => {
    const { objects, actor } = context;
    const target = readObjectTarget(context);
    await objects[act](actor, target);
    const { tenantId, url } = target;
    const hasPage = await objects.exists(tenantId, url);
    return makeRedirect(hasPage ? toObjectPath(tenantId, url) : `/tenants/${tenantId}/objects`, `object-${done}`);
  };
}

async function undoObjectChange(context: SignedInContext): Promise<Reply> {
  const { objects } = context;
  const target = readObjectTarget(context);
  await objects.undo(context.actor, target, Number(context.form.get('version')));
  return makeRedirect(toObjectPath(target.tenantId, target.url), 'object-undone');
}

function describeObjectSource(source: FieldSource | undefined) {
  if (source === undefined || source.kind === 'starter') return { kind: 'starter' };
  if (source.kind === 'change') return { kind: 'change', by: source.change.changedBy, at: source.change.changedAt };
  return { kind: 'import', id: source.record?.id, title: source.record?.title };
}
