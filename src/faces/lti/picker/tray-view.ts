import type { Launch } from '../../../domain/lti/launch.ts';
import type { CompletionRule, Placement } from '../../../domain/lti/placement.ts';
import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { type ChoiceRules, choiceRulesOf, DEFAULT_POINTS } from './choice-rules.ts';
import { sealHandle } from './handle.ts';
import { trayKey } from './tray-key.ts';

/** What `views/lti/partials/tray.eta` shows. */
export interface TrayView {
  /** What is chosen is remembered under it while the window is open. */
  readonly key: string;
  readonly rules: ChoiceRules;
  readonly defaultPoints: number;
  /** Of what is added: that of the object that is replaced. */
  readonly defaultCompletion: CompletionRule;
  /** JSON of what is chosen from the start, a list. */
  readonly initial: string;
}

/** An object that is chosen, as `src/browser/picker/tray-items.ts` has it. */
interface InitialItem {
  readonly handle: string;
  readonly address: string;
  /** As the object is called by itself. */
  readonly name: string;
  readonly provider: string;
  readonly title: string;
  readonly completion: CompletionRule;
  readonly points: number | null;
}

export async function readTray(
  { placements, keyring }: Pick<LtiFaceDeps, 'placements' | 'keyring'>,
  { launch }: Pick<LaunchContext, 'launch'>,
): Promise<TrayView> {
  const rules = choiceRulesOf(launch);
  const chosen = await placements.findChosen(launch);
  const begins = chosen !== null && rules.mode === 'embed';
  const initial = begins ? [toItem(chosen, { keyring, launch, rules })] : [];
  const replaced = rules.mode === 'replace' ? chosen : null;
  return {
    key: trayKey(launch),
    rules,
    defaultPoints: DEFAULT_POINTS,
    defaultCompletion: replaced?.completion ?? 'marked',
    initial: JSON.stringify(initial),
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
