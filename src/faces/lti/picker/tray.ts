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
import { toShelfOwner } from '../route.ts';
import { findPickerActivity } from './activity.ts';
import { type ChoiceRules, DEFAULT_POINTS, findChoiceRules } from './choice-rules.ts';

/** Reads what the tray allows and begins with. @param launch comes from `dropToolNames` */
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
  const initial = isEmbed && placement !== null ? [toTrayItem(placement, { keyring, launch, rules, words })] : [];
  const selection = isEmbed && placement === null ? await selections.find(toShelfOwner(launch)) : null;
  const cards = (selection?.objects ?? [])
    .slice(0, rules.maxItems)
    .map((object) => toTrayCard({ object, requestId: null }, { keyring, launch, words }));
  const addresses = isEmbed ? await placements.listAddresses(launch) : { opened: [], sent: [] };
  return {
    key: createTrayKey(launch, existing?.id),
    rules,
    defaultPoints: DEFAULT_POINTS,
    defaultCompletion: (isEmbed ? null : placement)?.completion ?? 'marked',
    ...describeRequestedActivity(title, existing, rules),
    activityTitle: existing === null ? null : title,
    platform,
    // Addresses of objects in this course: opened, and sent ones that the platform may have lost.
    placed: JSON.stringify(addresses.opened),
    sent: JSON.stringify(addresses.sent),
    initial: JSON.stringify(initial),
    prepared: selection === null ? null : JSON.stringify({ id: selection.id, cards }),
    preparedCount: cards.length,
  };
}

/** Describes the activity that a request is for, and the points that the tray begins with. */
function describeRequestedActivity(title: string | null, existing: Placement | null, { maxPoints }: ChoiceRules) {
  if (title === null || maxPoints === null) return { activity: null, startPoints: null };
  if (existing === null) return { activity: 'unsure', startPoints: DEFAULT_POINTS };
  return { activity: existing.points === null ? null : 'graded', startPoints: existing.points };
}

interface TrayScope {
  readonly keyring: LtiFaceDeps['keyring'];
  readonly launch: Launch;
  readonly rules: ChoiceRules;
  readonly words: ObjectWords;
}

function toTrayCard(lookup: HandleLookup, { keyring, launch, words }: Omit<TrayScope, 'rules'>) {
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

function toTrayItem({ object, requestId, title, completion, points }: Placement, scope: TrayScope) {
  const card = toTrayCard({ object, requestId }, scope);
  return { ...card, title, completion, points: scope.rules.maxPoints === null ? null : points };
}

/** Creates the key of a selection in the browser, one for each person and place of a course, which
 *  reveals neither. @param placementId of the requested activity, unless the request names it */
export function createTrayKey(launch: Launch, placementId: string | null = null): string {
  const { registrationId, deploymentId, context, user, resourceLink, custom } = launch;
  // Without a course, the launch itself is the place.
  const course = context?.id ?? launch.id;
  const item = resourceLink?.id ?? custom[PLACEMENT_PARAMETER] ?? placementId;
  const place = JSON.stringify([registrationId, deploymentId, user.id, course, resourceLink === null, item]);
  return createHash('sha256').update(place).digest('base64url');
}
