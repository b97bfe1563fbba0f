import { randomBytes, randomUUID } from 'node:crypto';
import { type PlanContent, type PlanSection, planLimits } from '#domain/plan';
import { cleanText } from '#domain/text';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { CallOptions } from '#ports/learning-service';
import type { PageRequest, PlanRecord, PlanRepository, ShelfOwner, TenantRepository } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { Discovery, PlanEvent, PlannedSkill, SyllabusToPlan } from '#services/searching/discovery';
import { createPlanRequest } from '#services/searching/discovery';
import { findReplacements, type Proposal, type ReplacingScope } from '#services/searching/replacements';
import { getActiveTenant } from '#services/tenants/tenant-records';
import type { People } from '../people.ts';
import type { ShelfCandidate } from '../shelf.ts';
import type { PlanChange } from './plan-changes.ts';
import { changePlanContent, checkPlanContent, getPlanItem, makePlanItem, makePlanSection } from './plan-changes.ts';
import { findPlanImprovement, type Improvement } from './plan-improvements.ts';

export type { PlanChange } from './plan-changes.ts';

interface PlansDeps {
  readonly plans: PlanRepository;
  readonly tenants: TenantRepository;
  readonly people: Pick<People, 'listLinked'>;
  discoveryOf(tenantId: string): Discovery;
  /** Like `discoveryOf`, without counting. */
  trialOf(tenantId: string): Discovery;
  /** Returns those of at most 1,000 addresses that are dead. */
  findDead(urls: readonly string[]): Promise<ReadonlySet<string>>;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}

/** Plans of people. A person may read and change those of linked accounts, too. Errors of functions
 *  with an `id`: PLAN_UNKNOWN; of those that change a plan: TENANT_UNKNOWN, TENANT_DISABLED. */
export type Plans = ReturnType<typeof createPlans>;

export const createPlans = (deps: PlansDeps) =>
  bindState(deps, {
    list: listPlans,
    get: getPlan,
    getShared: getSharedPlan,
    make: makePlan,
    makeFromText: makePlanFromText,
    change: changePlan,
    improve: improvePlan,
    share: sharePlan,
    copy: copyPlan,
    remove: removePlan,
    findDeadLinks: findDeadPlanLinks,
  });

/** Returns a page of the plans of a person, the last changed first. */
async function listPlans({ plans, people }: PlansDeps, owner: ShelfOwner, page: PageRequest) {
  return plans.listPlans(owner.tenantId, [owner.person, ...(await people.listLinked(owner))], page);
}

async function getPlan({ plans, people }: PlansDeps, owner: ShelfOwner, id: string): Promise<PlanRecord> {
  const plan = await plans.findPlan(owner.tenantId, id);
  if (plan === null) return refuseUnknownPlan();
  const isOwner = plan.person === owner.person || (await people.listLinked(owner)).includes(plan.person);
  return isOwner ? plan : refuseUnknownPlan();
}

/** Returns a shared plan, of any tenant for null. Errors: PLAN_UNKNOWN. */
async function getSharedPlan({ plans }: PlansDeps, token: string, tenantId: string | null): Promise<PlanRecord> {
  const plan = TOKEN_SHAPE.test(token) ? await plans.findSharedPlan(token) : null;
  if (plan === null || (tenantId !== null && plan.tenantId !== tenantId)) return refuseUnknownPlan();
  return plan;
}

/** 22 characters in base64url. */
const TOKEN_BYTES = 16;
const TOKEN_SHAPE = /^[\w-]{22}$/;

/** Returns the token of a link to a shared plan; empty if the link has none. */
export const readPlanLink = (link: string): string => /([\w-]{22})\/?$/.exec(link.trim())?.[1] ?? '';

function refuseUnknownPlan(): never {
  throw new AppError(
    'PLAN_UNKNOWN',
    'There is no such plan: it was removed, is no longer shared, or belongs to another institution. Ask the person who shared it for a new link.',
  );
}

/** Stores a new plan. Errors: PARAMETERS_INVALID, PLANS_TOO_MANY. */
async function makePlan(deps: PlansDeps, owner: ShelfOwner, content: PlanContent): Promise<PlanRecord> {
  const { plans, tenants, clock } = deps;
  const { tenantId, person } = owner;
  const checked = checkPlanContent(content);
  await getActiveTenant(tenants, tenantId);
  if ((await plans.countPlans({ tenantId, person })) >= planLimits.plansOfPerson)
    throw new AppError(
      'PLANS_TOO_MANY',
      `There are ${planLimits.plansOfPerson} plans already, which is as many as there can be. Remove one, then make this one.`,
      { data: { capacity: planLimits.plansOfPerson } },
    );
  const now = clock.now();
  const stored = { id: randomUUID(), version: 1, shareToken: null, createdAt: now, changedAt: now };
  const record = { ...checked, ...stored, tenantId, person };
  await plans.savePlan(record);
  return record;
}

/** Makes a plan of one section with these objects. */
export const startPlanContent = (name: string, objects: readonly ShelfCandidate[]): PlanContent => ({
  name,
  expectedHours: null,
  lang: null,
  sections:
    objects.length === 0 ? [] : [makePlanSection(name, { items: objects.map((object) => makePlanItem(object)) })],
});

type Section = { -readonly [F in keyof PlanSection]: PlanSection[F] };

/** Collects the events of `Discovery.planFromText` into a plan: a section for each week of a
 *  syllabus, or for each skill of a text without weeks. */
export function createPlanDraft() {
  const sections: Section[] = [];
  const placeOf = new Map<string, { readonly section: Section; readonly skill: PlannedSkill }>();
  let lang: string | null = null;

  function beginSections({ skills, weeks, details, lang: textLang }: Extract<PlanEvent, { kind: 'skills' }>) {
    lang = textLang;
    const drafts =
      weeks?.map((title, i) => makeDraftSection(title, details?.[i])) ??
      skills.map(({ label, quote }) => makeDraftSection(label, quote && quote.before + quote.words + quote.after));
    sections.push(...drafts.slice(0, planLimits.sections));
    for (const [index, skill] of skills.entries()) {
      const section = sections[weeks === undefined ? index : (skill.week ?? 0)];
      if (section !== undefined) placeOf.set(skill.label, { section, skill });
    }
  }

  function addObjects(event: Extract<PlanEvent, { kind: 'objects' | 'failed' }>): PlanSection | null {
    const { section, skill } = placeOf.get(event.skill) ?? {};
    if (section === undefined || skill === undefined) return null;
    const { items = [], uncovered = [] } = event.kind === 'objects' ? event : {};
    const missing = items.length === 0 ? [event.skill, ...uncovered] : uncovered;
    const named = { skill: skill.label, ...(skill.uri && { skillUri: skill.uri }) };
    section.items = [...section.items, ...items.map((hit) => makePlanItem(hit, named))];
    section.uncovered = [...section.uncovered, ...missing].slice(0, planLimits.uncovered);
    return section;
  }

  return {
    /** @returns the section that got its objects, if any */
    add(event: PlanEvent): PlanSection | null {
      if (event.kind === 'skills') beginSections(event);
      return event.kind === 'objects' || event.kind === 'failed' ? addObjects(event) : null;
    },
    /** @param courseTitle names the plan where `name` is only the title of its first section */
    read: (name: string, courseTitle?: string): PlanContent => ({
      name: (name === sections[0]?.title && courseTitle?.slice(0, planLimits.name)) || name,
      expectedHours: null,
      lang,
      sections,
    }),
  };
}

const makeDraftSection = (title: string, text = ''): Section =>
  makePlanSection(title.slice(0, planLimits.sectionTitle), { text: text.slice(0, planLimits.sectionText) });

/** Stores a plan from a text. Errors: those of `Discovery.planFromText` and `make`. */
async function makePlanFromText(
  deps: PlansDeps,
  owner: ShelfOwner,
  {
    name,
    expectedHours = null,
    ...syllabus
  }: SyllabusToPlan & { name?: string | undefined; expectedHours?: number | null },
  options: CallOptions = {},
): Promise<PlanRecord> {
  const { defaults } = await getActiveTenant(deps.tenants, owner.tenantId);
  const request = createPlanRequest(defaults, syllabus);
  const draft = createPlanDraft();
  for await (const event of deps.discoveryOf(owner.tenantId).planFromText(request, options)) draft.add(event);
  return makePlan(deps, owner, { ...draft.read(name ?? namePlanText(syllabus.text)), expectedHours });
}

/** Returns the first line of a text as the name of its plan. */
export const namePlanText = (text: string) => cleanText(text.trim().split('\n', 1)[0] ?? '').slice(0, planLimits.name);

/** Attempts while others change the same plan. */
const ATTEMPTS = 10;

/** Applies changes in order, and stores the plan. Errors: PARAMETERS_INVALID, CHANGED_MEANWHILE. */
async function changePlan(
  deps: PlansDeps,
  owner: ShelfOwner,
  id: string,
  ...changes: readonly PlanChange[]
): Promise<PlanRecord> {
  const apply = (plan: PlanRecord) => ({ ...plan, ...changes.reduce<PlanContent>(changePlanContent, plan) });
  return updatePlan(deps, owner, id, apply);
}

async function updatePlan(
  deps: PlansDeps,
  owner: ShelfOwner,
  id: string,
  change: (plan: PlanRecord) => PlanRecord,
): Promise<PlanRecord> {
  await getActiveTenant(deps.tenants, owner.tenantId);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = await getPlan(deps, owner, id);
    const changed = { ...change(plan), changedAt: deps.clock.now(), version: plan.version + 1 };
    if (await deps.plans.savePlan(changed)) return changed;
  }
  throw new AppError('CHANGED_MEANWHILE', 'Somebody else changed this plan meanwhile. Read it again, then change it.');
}

/** Replaces the object of an item. If no better one is found, `replacement` is null and the plan
 *  unchanged. Errors: also those of a search. */
async function improvePlan(
  deps: PlansDeps,
  owner: ShelfOwner,
  { id, item: itemId, ...wanted }: { readonly id: string; readonly item: string } & Improvement,
  signal: AbortSignal,
) {
  const plan = await getPlan(deps, owner, id);
  const item = getPlanItem(plan, itemId);
  const scope = await openPlanScope(deps, owner.tenantId, signal);
  const replacement = await findPlanImprovement(scope, { plan, item, wanted });
  if (replacement === null) return { plan, replacement };
  const change: PlanChange = { kind: 'replace-item', item: itemId, object: replacement };
  return { plan: await changePlan(deps, owner, id, change), replacement };
}

async function openPlanScope(deps: PlansDeps, tenantId: string, signal: AbortSignal): Promise<ReplacingScope> {
  const { tenants, trialOf, findDead, onProblem } = deps;
  const tenant = await getActiveTenant(tenants, tenantId);
  return { discovery: trialOf(tenantId), tenant, findDead, signal, onProblem };
}

/** Begins or ends sharing. The link stays the same while a plan is shared, and is never reused. */
const sharePlan = (deps: PlansDeps, owner: ShelfOwner, id: string, isShared: boolean): Promise<PlanRecord> =>
  updatePlan(deps, owner, id, (plan) => ({
    ...plan,
    shareToken: isShared ? (plan.shareToken ?? randomBytes(TOKEN_BYTES).toString('base64url')) : null,
  }));

/** Copies a shared plan for a person of the same tenant. Errors: those of `make`. */
async function copyPlan(deps: PlansDeps, owner: ShelfOwner, token: string): Promise<PlanRecord> {
  const { name, expectedHours, lang, sections } = await getSharedPlan(deps, token, owner.tenantId);
  return makePlan(deps, owner, { name, expectedHours, lang, sections });
}

async function removePlan(deps: PlansDeps, owner: ShelfOwner, id: string): Promise<void> {
  const plan = await getPlan(deps, owner, id);
  await deps.plans.removePlan(plan.tenantId, plan.id);
}

/** Dead links for which replacements are searched; further ones have no proposals. */
const MAX_SEARCHES = 5;
const MAX_PROPOSALS = 3;

/** Returns at most three replacements of each dead link, by the ID of its item. */
async function findDeadPlanLinks(
  deps: PlansDeps,
  plan: Pick<PlanRecord, 'tenantId' | 'sections'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Proposal[]>> {
  const items = plan.sections.flatMap((section) => section.items);
  const checked = items.filter(({ object }) => object.isRestricted !== true);
  const dead = await deps.findDead(checked.map(({ object }) => object.url));
  const deadItems = checked.filter(({ object }) => dead.has(object.url));
  if (deadItems.length === 0) return new Map();
  const scope = await openPlanScope(deps, plan.tenantId, signal);
  const proposals = deadItems.map(async ({ id, object }, index): Promise<[string, readonly Proposal[]]> => {
    const replacements = index < MAX_SEARCHES ? await findReplacements(scope, object) : [];
    return [id, replacements.slice(0, MAX_PROPOSALS)];
  });
  return new Map(await Promise.all(proposals));
}
