import type { Launch } from '../../domain/lti/launch.ts';
import { framedBy } from './framed-by.ts';
import { getProductTraits } from './products/products.ts';
import type { LaunchContext } from './route.ts';

/** For scripts that tell the platform how high our frame should be. */
export function toFrameModel({ launch }: Pick<LaunchContext, 'launch'>) {
  return {
    resizeSubject: getProductTraits(launch.product).resizeSubject,
    resizeTargets: resizeTargets(launch).join(' '),
  };
}

/** Origins that the platform may show us from, one of which the message is for: those that are not written out can be
 *  written to by nobody. */
function resizeTargets(launch: Launch): string[] {
  return framedBy(launch).filter((source) => URL.canParse(source) && !source.includes('*'));
}
