import { editFacts, type FactName, factNames, writeFactTexts } from '#domain/object-facts';
import { objectFieldNames } from '#domain/object-fields';
import {
  writeBloomFact,
  writeLengthFact,
  writeLevelFact,
  writePriceFact,
  writeTypeFact,
} from '#faces/object-view/facts';
import { findLanguageName } from '#faces/words/language-names';
import type { ObjectTarget } from '#services/catalogue/objects/object-changes';
import type { FieldSource } from '#services/catalogue/objects/objects';
import type { AdminDeps } from '../deps.ts';
import { makePage, makeRedirect, post, type Reply, type SignedInContext } from '../route.ts';
import { objectAddress, readObjectTarget } from './object-edit.ts';

const PATH = '/tenants/:tenantId/objects';
const access = 'manager';

/** The changes on the page of one object: hiding it, showing it again, and undoing a change. */
export const objectRoutes = [
  post(`${PATH}/hide`, access, hideObject),
  post(`${PATH}/show`, access, revealObject),
  post(`${PATH}/undo`, access, undoObjectChange),
];

export async function showObject({
  param,
  query,
  t,
  locale,
  deriveSkills,
  insight,
  objects,
  tenants,
}: SignedInContext): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  const details = await objects.getDetails(tenant.id, query.get('url') ?? '');
  const { object, changes, sources } = details;
  const { fields } = object;
  const words = { t, locale };
  const derived = deriveSkills(fields);
  const facts = writeFactTexts(editFacts({ teaches: derived }, fields));
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
    fields: objectFieldNames.map((name) => ({
      name,
      label: t(isFact(name) ? `learningObject.facts.${name}` : `objects.field.${name}`),
      value: isFact(name) ? (facts[name] ?? []).join(', ') : textOfField[name],
      source:
        name === 'teaches' && derived.length > 0
          ? { kind: 'derived', words: derived.map(({ evidence }) => evidence).join(' · ') }
          : describeSource(sources.get(name)),
    })),
    changes: [changes.tenant, changes.all].filter((change) => change !== null),
  });
}

const isFact = (name: string): name is FactName => (factNames as readonly string[]).includes(name);

/** The page of an object, or the list for one of an upstream, which has no page. */
async function findRedirectPath({ objects }: AdminDeps, { tenantId, url }: ObjectTarget): Promise<string> {
  const hasPage = await objects.exists(tenantId, url);
  return hasPage ? objectAddress(tenantId, url) : `/tenants/${tenantId}/objects`;
}

async function hideObject(context: SignedInContext): Promise<Reply> {
  const { objects } = context;
  const target = readObjectTarget(context);
  await objects.hide(context.actor, target);
  return makeRedirect(await findRedirectPath(context, target), 'object-hidden');
}

async function revealObject(context: SignedInContext): Promise<Reply> {
  const { objects } = context;
  const target = readObjectTarget(context);
  await objects.show(context.actor, target);
  return makeRedirect(await findRedirectPath(context, target), 'object-shown');
}

async function undoObjectChange(context: SignedInContext): Promise<Reply> {
  const { objects } = context;
  const target = readObjectTarget(context);
  await objects.undo(context.actor, target, Number(context.form.get('version')));
  return makeRedirect(objectAddress(target.tenantId, target.url), 'object-undone');
}

function describeSource(source: FieldSource | undefined) {
  if (source === undefined || source.kind === 'starter') return { kind: 'starter' };
  if (source.kind === 'change') return { kind: 'change', by: source.change.changedBy, at: source.change.changedAt };
  return { kind: 'import', id: source.record?.id, title: source.record?.title };
}
