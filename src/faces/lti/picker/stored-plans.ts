import { z } from 'zod';
import { type PlanContent, planWishes, summarizePlan } from '#domain/plan';
import { parseJson } from '#domain/text';
import { AppError } from '#errors';
import { openHandle, sealHandle } from '#faces/object-view/handle';
import { readPlanFormat, writePlanFile } from '#faces/plan-view/documents';
import { type DeadLinks, toPlanView, type ViewedPlan } from '#faces/plan-view/plan-view';
import type { PlanRecord } from '#ports/store/store';
import { type PlanChange, readPlanLink, startPlanContent } from '#services/people/plans/plans';
import { findLanguageName } from '../../words/language-names.ts';
import type { LtiFaceDeps } from '../deps.ts';
import {
  type LaunchContext,
  type LtiFragmentReply,
  type LtiReply,
  type LtiRoute,
  makeLtiFragment,
  toShelfOwner,
} from '../route.ts';
import { readPickerCards } from './cards.ts';
import { findChoiceRules } from './choice-rules.ts';

export const storedPlanRoutes: readonly LtiRoute[] = [
  { method: 'get', path: '/picker/plans', access: 'picker', handle: showStoredPlansTab },
  // Enough for 50 chosen objects.
  { method: 'post', path: '/picker/plans', access: 'picker', maxForm: '4mb', handle: changeStoredPlans },
  { method: 'get', path: '/picker/plans/file', access: 'picker', handle: sendStoredPlanFile },
];

const DEAD_LINKS_MS = 3_000;

async function showStoredPlansTab(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const id = context.query.get('plan');
  if (id === null) return showStoredPlans(deps, context);
  return showStoredPlan(deps, context, await deps.plans.get(toShelfOwner(context.launch), id));
}

const firstPage = { page: 0, pageSize: 100 };

async function showStoredPlans(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { items } = await deps.plans.list(toShelfOwner(context.launch), firstPage);
  const plans = items.map((plan) => ({ ...plan, count: summarizePlan(plan).items }));
  return makePlanFragment('stored-plans', context, { plans, page: linkStoredPlanPage(deps, context) });
}

/** @param note tells the reader what was just done */
export async function showStoredPlan(
  deps: LtiFaceDeps,
  context: LaunchContext,
  plan: PlanRecord,
  note: string | null = null,
): Promise<LtiFragmentReply> {
  const { launch, locale, token } = context;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(DEAD_LINKS_MS)]);
  const view = await readPlanView(deps, context, plan, await deps.plans.findDeadLinks(plan, signal));
  const { languages } = await deps.discoveryOf(launch.tenantId).lists({ signal });
  return makePlanFragment('stored-plan', context, {
    plan: view,
    note,
    token,
    languages: languages.map(({ value: code }) => ({ code, name: findLanguageName(code, locale) })),
    link: view.shareToken === null ? null : `${deps.publicUrl}/plans/${view.shareToken}`,
    page: linkStoredPlanPage(deps, context, `/plans/${plan.id}`),
  });
}

/** Shows a plan that is not stored yet. @param progress `ready` if its sections have objects */
export async function showStoredPlanDraft(
  deps: LtiFaceDeps,
  context: LaunchContext,
  { name, sections }: Pick<PlanContent, 'name' | 'sections'>,
  progress: 'searching' | 'ready',
): Promise<LtiFragmentReply> {
  const plan = await readPlanView(deps, context, { name, sections, id: '', expectedHours: null, shareToken: null });
  return makePlanFragment('stored-plan', context, { plan, isDraft: true, isReady: progress === 'ready' });
}

const makePlanFragment = (name: string, { launch }: LaunchContext, model: object): LtiFragmentReply =>
  makeLtiFragment(name, { takesMany: findChoiceRules(launch).maxItems > 1, ...model });

/** Writes a link to the front page's plans. It has a ticket, as its window has no launch. */
const linkStoredPlanPage = ({ personSessions }: LtiFaceDeps, { launch }: LaunchContext, path = '/plans'): string =>
  `${path}?${new URLSearchParams({ ticket: personSessions.makeTicket(toShelfOwner(launch)) })}`;

async function readPlanView(deps: LtiFaceDeps, context: LaunchContext, plan: ViewedPlan, dead: DeadLinks = new Map()) {
  const view = toPlanView(plan, dead, { ...context, publishes: deps.publishes });
  const items = plan.sections.flatMap((section) => section.items);
  const cards = await readPickerCards(items, deps, context);
  const cardsById = new Map(items.map(({ id }, index) => [id, cards[index]]));
  const scope = { keyring: deps.keyring, tenantId: context.launch.tenantId };
  const sections = view.sections.map((section) => ({
    ...section,
    items: section.items.map(({ replacements, ...item }) => ({
      ...item,
      card: cardsById.get(item.id),
      replacements: replacements?.map(({ hit, ...view }) => ({ ...view, handle: sealHandle(hit, scope) })) ?? null,
    })),
  }));
  return { ...view, sections };
}

/** Errors: PARAMETERS_INVALID for an unknown `kind` of change; those of `Plans`. */
async function changeStoredPlans(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, form, signal, t } = context;
  const { plans } = deps;
  const owner = toShelfOwner(launch);
  const id = form.get('plan') ?? '';
  const show = (plan: PlanRecord, note: string | null = null) => showStoredPlan(deps, context, plan, note);
  switch (form.get('kind')) {
    case 'new': {
      const name = form.get('name') ?? launch.context?.title ?? t('plans.new');
      return show(await plans.make(owner, startPlanContent(name, await readStoredPlanObjects(deps, context))));
    }
    case 'copy':
      return show(await plans.copy(owner, readPlanLink(form.get('link') ?? '')), t('plans.copied'));
    case 'share':
      return show(await plans.share(owner, id, true), t('plans.shared'));
    case 'unshare':
      return show(await plans.share(owner, id, false), t('plans.unshared'));
    case 'remove':
      await plans.remove(owner, id);
      return showStoredPlans(deps, context);
    case 'improve': {
      const wish = planWishes.find((each) => each === form.get('wish')) ?? 'another';
      const wanted = { id, item: form.get('item') ?? '', wish, lang: form.get('lang') ?? undefined };
      const { plan, replacement } = await plans.improve(owner, wanted, signal);
      const title = replacement?.object.title;
      return show(plan, title === undefined ? t('plans.nothingBetter') : t('plans.replaced', { title }));
    }
    default:
      return show(await plans.change(owner, id, readStoredPlanChange(deps, context)), t('plans.saved'));
  }
}

/** Reads the objects for a new plan: those of the shelf, or of the page's selection. */
async function readStoredPlanObjects({ shelf, keyring }: LtiFaceDeps, { launch, form }: LaunchContext) {
  const { tenantId } = launch;
  if (form.get('from') === 'shelf') return (await shelf.list(toShelfOwner(launch), firstPage)).items;
  const handles = chosenHandles.parse(parseJson(form.get('handles') ?? ''));
  return handles.map((handle) => openHandle(handle, { keyring, tenantId }));
}

const chosenHandles = z.array(z.string()).max(50).catch([]);

/** Reads a change of a plan, in which absent fields change nothing. Errors: PARAMETERS_INVALID. */
function readStoredPlanChange({ keyring }: LtiFaceDeps, { form, launch }: LaunchContext): PlanChange {
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

async function sendStoredPlanFile({ plans }: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const format = readPlanFormat(context.query.get('format'));
  const plan = await plans.get(toShelfOwner(context.launch), context.query.get('plan') ?? '');
  return writePlanFile(plan, format, context);
}
