import type { Launch } from '#domain/lti/launch';
import { getProductTraits } from '#domain/lti/products';
import type { LaunchContext } from './route.ts';

/** For pages before a launch, when their framer is unknown. Nothing on them can be clicked. */
export const anyFramer = ['https:', 'http://localhost:*', 'http://127.0.0.1:*'];

export function listFrameAncestors({ product, issuer, platformOrigin, deepLinking, presentation }: Launch): string[] {
  const addresses = [issuer, platformOrigin, deepLinking?.returnUrl, presentation.returnUrl];
  const origins = addresses.flatMap((address) =>
    address !== null && address !== undefined && URL.canParse(address) ? [new URL(address).origin] : [],
  );
  return [...new Set([...origins.filter((origin) => origin !== 'null'), ...getProductTraits(product).framedBy])];
}

export function toFrameModel({ launch }: Pick<LaunchContext, 'launch'>) {
  return {
    resizeSubject: getProductTraits(launch.product).resizeSubject,
    // The height is sent to origins, which cannot have wildcards.
    resizeTargets: listFrameAncestors(launch)
      .filter((source) => URL.canParse(source) && !source.includes('*'))
      .join(' '),
  };
}
