import type { SlackFaceDeps } from '../deps.ts';

/** What Home is drawn from. */
export type HomeDeps = Pick<SlackFaceDeps, 'shelf' | 'people' | 'onProblem'>;

/** What else is needed for what is done there. */
export type HomeActionDeps = HomeDeps & Pick<SlackFaceDeps, 'tenants' | 'keptStates'>;
