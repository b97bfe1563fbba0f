import { createHash } from 'node:crypto';
import { type LearningObject, normalizeObjectAddress } from '#domain/learning-object';
import type { Launch } from '#domain/lti/launch';
import { type CompletionRule, PLACEMENT_PARAMETER, type Placement } from '#domain/lti/placement';
import { sealHandle } from '#faces/object-view/handle';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { findShelfOwner } from './cards.ts';
import { type ChoiceRules, DEFAULT_POINTS, findChoiceRules } from './choice-rules.ts';

/** What `views/lti/partials/tray.eta` shows. */
export interface TrayView {
  /** The selection is remembered under this key while the window is open. */
  readonly key: string;
  readonly rules: ChoiceRules;
  readonly defaultPoints: number;
  /** Of what is added: that of the object that is replaced. */
  readonly defaultCompletion: CompletionRule;
  /** JSON of what is chosen from the start, a list. */
  readonly initial: string;
  /** JSON of what an assistant prepared: its `id`, and `cards`; null where nothing waits. */
  readonly prepared: string | null;
  readonly preparedCount: number;
}

/** An object that is chosen, as `src/browser/picker/tray-items.ts` has it. */
interface InitialItem {
  readonly handle: string;
  readonly address: string;
  /** The object's own title. */
  readonly name: string;
  readonly provider: string;
  readonly title: string;
  readonly completion: CompletionRule;
  readonly points: number | null;
}

export async function readTray(
  { placements, keyring, selections }: Pick<LtiFaceDeps, 'placements' | 'keyring' | 'selections'>,
  { launch }: Pick<LaunchContext, 'launch'>,
): Promise<TrayView> {
  const rules = findChoiceRules(launch);
  const chosen = await placements.findChosen(launch);
  const begins = chosen !== null && rules.mode === 'embed';
  const initial = begins ? [toItem(chosen, { keyring, launch, rules })] : [];
  const replaced = rules.mode === 'replace' ? chosen : null;
  const waiting =
    rules.mode === 'embed' && chosen === null ? await selections.find(findShelfOwner(launch)) : null;
  const cards = (waiting?.objects ?? [])
    .slice(0, rules.maxItems)
    .map((object) => toPreparedCard(object, { keyring, launch }));
  return {
    key: createTrayKey(launch),
    rules,
    defaultPoints: DEFAULT_POINTS,
    defaultCompletion: replaced?.completion ?? 'marked',
    initial: JSON.stringify(initial),
    prepared: waiting === null ? null : JSON.stringify({ id: waiting.id, cards }),
    preparedCount: cards.length,
  };
}

function toPreparedCard(object: LearningObject, { keyring, launch }: Pick<ItemScope, 'keyring' | 'launch'>) {
  return {
    handle: sealHandle({ object, requestId: null }, { keyring, tenantId: launch.tenantId }),
    address: normalizeObjectAddress(object.url),
    name: object.title,
    provider: object.provider ?? '',
  };
}

interface ItemScope {
  readonly keyring: LtiFaceDeps['keyring'];
  readonly launch: Launch;
  readonly rules: ChoiceRules;
}

function toItem(placement: Placement, { keyring, launch, rules }: ItemScope): InitialItem {
  const { object, requestId, address, title, completion, points } = placement;
  return {
    handle: sealHandle({ object, requestId }, { keyring, tenantId: launch.tenantId }),
    address,
    name: object.title,
    provider: object.provider ?? '',
    title,
    completion,
    points: rules.maxPoints === null ? null : points,
  };
}

/** What a browser keeps a selection under: the same for the same person in the same place of a
 *  course, however often the platform opens the picker there. Says nothing of any of them. */
export function createTrayKey(launch: Launch): string {
  const { registrationId, deploymentId, context, user, resourceLink, custom } = launch;
  // Without a course, a selection could not be found again.
  const course = context?.id ?? launch.id;
  const item = resourceLink?.id ?? custom[PLACEMENT_PARAMETER] ?? null;
  const place = JSON.stringify([registrationId, deploymentId, user.id, course, resourceLink === null, item]);
  return createHash('sha256').update(place).digest('base64url');
}
