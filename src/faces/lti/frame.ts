import type { Launch } from '#domain/lti/launch';
import { getProductTraits } from '#domain/lti/products';
import type { LaunchContext } from './route.ts';

/** Sources that may frame the pages before a launch, whose framer is unknown. */
export const anyFramer = ['https:', 'http://localhost:*', 'http://127.0.0.1:*'];

export function listFrameAncestors({ product, issuer, platformOrigin, deepLinking, presentation }: Launch): string[] {
  const addresses = [issuer, platformOrigin, deepLinking?.returnUrl, presentation.returnUrl];
  const origins = addresses.flatMap((address) =>
    address !== null && address !== undefined && URL.canParse(address) ? [new URL(address).origin] : [],
  );
  return [...new Set([...origins.filter((origin) => origin !== 'null'), ...getProductTraits(product).framedBy])];
}

/** Returns how a page asks its framer for a height: the subject of the message, and its targets. */
export function toFrameModel({ launch }: Pick<LaunchContext, 'launch'>) {
  return {
    resizeSubject: getProductTraits(launch.product).resizeSubject,
    // Messages are sent to origins, which cannot have wildcards.
    resizeTargets: listFrameAncestors(launch)
      .filter((source) => URL.canParse(source) && !source.includes('*'))
      .join(' '),
  };
}
