import type { LtiFaceDeps } from '../deps.ts';
import type { LaunchContext } from '../route.ts';
import { shelfOwner } from './shelf-cards.ts';

/** What is said of one shelf for several accounts of somebody. */
export interface ShelfLink {
  /** For forms without a script. */
  readonly token: string;
  readonly isShared: boolean;
  /** To be typed in Slack; null where none was asked for. */
  readonly code: string | null;
  /** What was typed here, and what is wrong with it. */
  readonly typed: string;
  readonly problem: string | null;
  /** What has just been done. */
  readonly done: 'linked' | 'unlinked' | null;
}

export async function readShelfLink(
  { people }: Pick<LtiFaceDeps, 'people'>,
  { launch, token }: Pick<LaunchContext, 'launch' | 'token'>,
  change: Partial<ShelfLink> = {},
): Promise<ShelfLink> {
  const isShared = (await people.countLinked(shelfOwner(launch))) > 0;
  return { token, isShared, code: null, typed: '', problem: null, done: null, ...change };
}

/** Null where the institution has no Slack to share with, and nothing is shared. */
export async function findShelfLink(
  deps: Pick<LtiFaceDeps, 'people' | 'hasSlack'>,
  context: Pick<LaunchContext, 'launch' | 'token'>,
): Promise<ShelfLink | null> {
  const link = await readShelfLink(deps, context);
  return link.isShared || (await deps.hasSlack(context.launch.tenantId)) ? link : null;
}
