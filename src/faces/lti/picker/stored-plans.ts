import { z } from 'zod';
import { planWishes } from '#domain/plan';
import { parseJson } from '#domain/text';
import { AppError } from '#errors';
import { openHandle, sealHandle } from '#faces/object-view/handle';
import { readPlanFormat, writePlanFile } from '#faces/plan-view/documents';
import { toPlanView } from '#faces/plan-view/plan-view';
import type { PlanRecord, ShelfRecord } from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import { type PlanChange, startPlanContent } from '#services/people/plans/plans';
import { findLanguageName } from '../../words/language-names.ts';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext, LtiReply, LtiRoute } from '../route.ts';
import { findShelfOwner, readCards } from './cards.ts';
import { findChoiceRules } from './choice-rules.ts';

export const storedPlanRoutes: readonly LtiRoute[] = [
  { method: 'get', path: '/picker/plans', access: 'picker', handle: showPlans },
  // Enough for 50 chosen objects.
  { method: 'post', path: '/picker/plans', access: 'picker', maxForm: '4mb', handle: changePlans },
  { method: 'get', path: '/picker/plans/file', access: 'picker', handle: sendPlanFile },
];

const DEAD_LINKS_MS = 3_000;

/** The plan of the query; a list where it names none. */
async function showPlans(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const id = context.query.get('plan');
  return id === null
    ? showList(deps, context)
    : showPlan(deps, context, await deps.plans.get(findShelfOwner(context.launch), id));
}

const PAGE_SIZE = 100;

async function showList({ plans }: LtiFaceDeps, { launch }: LaunchContext): Promise<LtiReply> {
  const { items } = await plans.list(findShelfOwner(launch), { page: 0, pageSize: PAGE_SIZE });
  const listed = items.map(({ id, name, sections, shareToken }) => ({
    id,
    name,
    isShared: shareToken !== null,
    count: sections.reduce((sum, section) => sum + section.items.length, 0),
  }));
  return { kind: 'fragment', view: 'partials/stored-plans', model: { plans: listed } };
}

/** @param note what was just done, for the reader */
async function showPlan(
  deps: LtiFaceDeps,
  context: LaunchContext,
  plan: PlanRecord,
  note: string | null = null,
): Promise<LtiReply> {
  const { launch, locale, token } = context;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(DEAD_LINKS_MS)]);
  const view = toPlanView(plan, await deps.plans.findDeadLinks(plan, signal), context);
  const items = plan.sections.flatMap((section) => section.items);
  const cards = await readCards(items, deps, context);
  const cardOf = new Map(items.map(({ id }, index) => [id, cards[index]]));
  const seal = { keyring: deps.keyring, tenantId: launch.tenantId };
  const sections = view.sections.map((section) => ({
    ...section,
    items: section.items.map(({ replacements, ...item }) => ({
      ...item,
      card: cardOf.get(item.id),
      replacements: replacements?.map(({ found, ...each }) => ({ ...each, handle: sealHandle(found, seal) })) ?? null,
    })),
  }));
  const { languages } = await deps.discoveryOf(launch.tenantId).lists({ signal });
  const model = {
    plan: { ...view, sections },
    note,
    token,
    languages: languages.map(({ value: code }) => ({ code, name: findLanguageName(code, locale) })),
    link: view.shareToken === null ? null : `${deps.publicUrl}/plans/${view.shareToken}`,
    takesMany: findChoiceRules(launch).maxItems > 1,
  };
  return { kind: 'fragment', view: 'partials/stored-plan', model };
}

/** Makes, changes or removes a plan, as the field `kind` says, and shows the result.
 *  Errors: PARAMETERS_INVALID; those of `Plans`. */
async function changePlans(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, form, signal, t } = context;
  const { plans } = deps;
  const owner = findShelfOwner(launch);
  const id = form.get('plan') ?? '';
  const show = (plan: PlanRecord, note: string | null = null) => showPlan(deps, context, plan, note);
  switch (form.get('kind')) {
    case 'new': {
      const name = form.get('name') ?? launch.context?.title ?? t('plans.new');
      return show(await plans.make(owner, startPlanContent(name, await readObjects(deps, context))));
    }
    case 'copy': {
      const [, token = ''] = /([\w-]{22})\/?$/.exec(form.get('link')?.trim() ?? '') ?? [];
      return show(await plans.copy(owner, token), t('plans.copied'));
    }
    case 'share':
      return show(await plans.share(owner, id, true), t('plans.shared'));
    case 'unshare':
      return show(await plans.share(owner, id, false), t('plans.unshared'));
    case 'remove':
      await plans.remove(owner, id);
      return showList(deps, context);
    case 'improve': {
      const wish = planWishes.find((each) => each === form.get('wish')) ?? 'another';
      const wanted = { id, item: form.get('item') ?? '', wish, lang: form.get('lang') ?? undefined };
      const { plan, replacement } = await plans.improve(owner, wanted, signal);
      const title = replacement?.object.title;
      return show(plan, title === undefined ? t('plans.nothingBetter') : t('plans.replaced', { title }));
    }
    default:
      return show(await plans.change(owner, { id }, readChange(deps, context)), t('plans.saved'));
  }
}

/** Of the shelf, or of the selection of the page. */
async function readObjects({ shelf, keyring }: LtiFaceDeps, { launch, form }: LaunchContext) {
  const { tenantId } = launch;
  if (form.get('from') === 'shelf') {
    const saved: ShelfRecord[] = [];
    const owner = findShelfOwner(launch);
    for await (const each of readEveryItem((page) => shelf.list(owner, page), MAX_FROM_SHELF)) saved.push(each);
    return saved;
  }
  const handles = chosenHandles.parse(parseJson(form.get('handles') ?? ''));
  return handles.map((handle) => openHandle(handle, { keyring, tenantId }));
}

const MAX_FROM_SHELF = 100;
const chosenHandles = z.array(z.string()).max(50).catch([]);

/** Empty fields are not sent. Errors: PARAMETERS_INVALID. */
function readChange({ keyring }: LtiFaceDeps, { form, launch }: LaunchContext): PlanChange {
  const text = (name: string) => form.get(name) ?? '';
  const hours = (name: string) => (form.has(name) ? Number(text(name).replace(',', '.')) : null);
  const place = form.has('place') ? { place: Number(text('place')) } : {};
  const [section, item, kind] = [text('section'), text('item'), text('kind')];
  switch (kind) {
    case 'describe':
      return { kind, name: text('name'), expectedHours: hours('expectedHours') };
    case 'add-section':
      return { kind, title: text('title'), ...place };
    case 'change-section':
      return { kind, section, title: text('title'), text: text('text'), hours: hours('hours') };
    case 'move-section':
      return { kind, section, place: Number(text('place')) };
    case 'remove-section':
      return { kind, section };
    case 'dismiss-skill':
      return { kind, section, skill: text('skill') };
    case 'note':
      return { kind: 'change-item', item, note: text('note'), isGraded: form.has('isGraded') };
    case 'move-item':
      return { kind, item, section, ...place };
    case 'remove-item':
      return { kind, item };
    case 'replace-item':
      return { kind, item, object: openHandle(text('handle'), { keyring, tenantId: launch.tenantId }) };
    default:
      throw new AppError('PARAMETERS_INVALID', 'The page asked for something that plans do not have. Load it again.');
  }
}

async function sendPlanFile({ plans }: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const format = readPlanFormat(context.query.get('format'));
  const plan = await plans.get(findShelfOwner(context.launch), context.query.get('plan') ?? '');
  return writePlanFile(plan, format, context);
}
