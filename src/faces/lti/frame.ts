import type { Launch } from '#domain/lti/launch';
import { getProductTraits } from '#domain/lti/products';
import type { LaunchContext } from './route.ts';

/** Until a launch is verified, it is unknown who frames us; but the pages until then have nothing
 *  that could be clicked by mistake. */
export const anyFramer = ['https:', 'http://localhost:*', 'http://127.0.0.1:*'];

/** Sources that may frame the pages of a launch: every place where the platform has said it is. */
export function listFramers({
  product,
  issuer,
  platformOrigin,
  deepLinking,
  presentation,
}: Launch): string[] {
  const addresses = [issuer, platformOrigin, deepLinking?.returnUrl, presentation.returnUrl];
  const origins = addresses.flatMap((address) =>
    address !== null && address !== undefined && URL.canParse(address) ? [new URL(address).origin] : [],
  );
  return [
    ...new Set([...origins.filter((origin) => origin !== 'null'), ...getProductTraits(product).framedBy]),
  ];
}

/** For scripts that tell the platform how high our frame should be. */
export function toFrameModel({ launch }: Pick<LaunchContext, 'launch'>) {
  return {
    resizeSubject: getProductTraits(launch.product).resizeSubject,
    resizeTargets: listResizeTargets(launch).join(' '),
  };
}

/** Origins that the message about our height may be for. Sources with wildcards cannot be written
 *  to. */
function listResizeTargets(launch: Launch): string[] {
  return listFramers(launch).filter((source) => URL.canParse(source) && !source.includes('*'));
}
