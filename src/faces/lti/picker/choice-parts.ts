import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { type PlanView, planView } from './plan-view.ts';
import { readTray, type TrayView } from './tray-view.ts';

/** What the partials `tray`, `plan` and `shelf` show, to be put into the model of the picker's page beside its `t`, `locale`
 *  and `token`. The shelf asks for its lists itself. */
export interface ChoiceParts {
  readonly tray: TrayView;
  readonly plan: PlanView;
}

export async function readChoiceParts(
  deps: Pick<LtiFaceDeps, 'placements' | 'keyring'>,
  context: LaunchContext,
): Promise<ChoiceParts> {
  return { tray: await readTray(deps, context), plan: planView(context.launch) };
}
