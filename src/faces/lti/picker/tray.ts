import { createHash } from 'node:crypto';
import { normalizeObjectAddress, toLearningMinutes } from '#domain/learning-object';
import type { Launch } from '#domain/lti/launch';
import { PLACEMENT_PARAMETER, type Placement } from '#domain/lti/placement';
import { getProductTraits } from '#domain/lti/products';
import type { ObjectWords } from '#faces/object-view/facts';
import { type HandleLookup, sealHandle } from '#faces/object-view/handle';
import { toObjectView } from '#faces/object-view/object-view';
import { views } from '#faces/views';
import type { LtiFaceDeps } from '../deps.ts';
import { findPickerActivity } from './activity.ts';
import { findCardOwner } from './cards.ts';
import { type ChoiceRules, DEFAULT_POINTS, findChoiceRules } from './choice-rules.ts';

export async function readTray(
  { placements, keyring, selections }: Pick<LtiFaceDeps, 'placements' | 'keyring' | 'selections'>,
  launch: Launch,
  words: ObjectWords,
) {
  const launchRules = findChoiceRules(launch);
  const isEmbed = launchRules.mode === 'embed';
  const { name: platform } = getProductTraits(launch.product);
  const { title, placement: existing } = await findPickerActivity({ placements }, launch);
  const rules = existing === null ? launchRules : { ...launchRules, maxItems: 1 };
  const placement = (await placements.findChosen(launch)) ?? existing;
  const isGraded = existing !== null && existing.points !== null && rules.maxPoints !== null;
  const isUnsure = title !== null && existing === null && rules.maxPoints !== null;
  const initial = isEmbed && placement !== null ? [toTrayItem(placement, { keyring, launch, rules, words })] : [];
  const selection = isEmbed && placement === null ? await selections.find(findCardOwner(launch)) : null;
  const cards = (selection?.objects ?? [])
    .slice(0, rules.maxItems)
    .map((object) => toChosenTrayCard({ object, requestId: null }, { keyring, launch, words }));
  const addresses = isEmbed ? await placements.listAddresses(launch) : { opened: [], sent: [] };
  return {
    key: createTrayKey(launch, existing?.id),
    rules,
    defaultPoints: DEFAULT_POINTS,
    defaultCompletion: (isEmbed ? null : placement)?.completion ?? 'marked',
    startPoints: isGraded ? existing.points : isUnsure ? DEFAULT_POINTS : null,
    activityTitle: existing === null ? null : title,
    // The request is for an activity with grades, or may be for one.
    activity: isGraded ? 'graded' : isUnsure ? 'unsure' : null,
    platform,
    // Addresses chosen for this course: opened ones, and perhaps lost ones.
    placed: JSON.stringify(addresses.opened),
    sent: JSON.stringify(addresses.sent),
    initial: JSON.stringify(initial),
    prepared: selection === null ? null : JSON.stringify({ id: selection.id, cards }),
    preparedCount: cards.length,
  };
}

interface ItemScope {
  readonly keyring: LtiFaceDeps['keyring'];
  readonly launch: Launch;
  readonly rules: ChoiceRules;
  readonly words: ObjectWords;
}

function toChosenTrayCard(lookup: HandleLookup, { keyring, launch, words }: Omit<ItemScope, 'rules'>) {
  const { object } = lookup;
  return {
    handle: sealHandle(lookup, { keyring, tenantId: launch.tenantId }),
    address: normalizeObjectAddress(object.url),
    name: object.title,
    provider: object.provider ?? '',
    minutes: toLearningMinutes(object.learningTime) ?? null,
    cover: views.render('partials/thumb', { view: toObjectView(object, words) }),
  };
}

function toTrayItem({ object, requestId, title, completion, points }: Placement, scope: ItemScope) {
  const card = toChosenTrayCard({ object, requestId }, scope);
  return { ...card, title, completion, points: scope.rules.maxPoints === null ? null : points };
}

/** Key of a selection in the browser: one for a person in a place of a course. It reveals neither.
 *  @param placementId of the requested activity, unless the request names it */
export function createTrayKey(launch: Launch, placementId: string | null = null): string {
  const { registrationId, deploymentId, context, user, resourceLink, custom } = launch;
  // Without a course, the place is this launch alone.
  const course = context?.id ?? launch.id;
  const item = resourceLink?.id ?? custom[PLACEMENT_PARAMETER] ?? placementId;
  const place = JSON.stringify([registrationId, deploymentId, user.id, course, resourceLink === null, item]);
  return createHash('sha256').update(place).digest('base64url');
}
