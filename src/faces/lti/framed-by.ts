import type { Launch } from '../../domain/lti/launch.ts';
import { getProductTraits } from './products/products.ts';

/** Before a launch is verified nobody knows who frames us, and the pages shown until then hold nothing to be clicked on by
 *  mistake. */
export const framedByAnyone = ['https:', 'http://localhost:*', 'http://127.0.0.1:*'];

/** Sources that may frame the pages of a launch: wherever the platform has told us that it is. */
export function framedBy({ product, issuer, platformOrigin, deepLinking, presentation }: Launch): string[] {
  const addresses = [issuer, platformOrigin, deepLinking?.returnUrl, presentation.returnUrl];
  const origins = addresses.flatMap((address) =>
    address !== null && address !== undefined && URL.canParse(address) ? [new URL(address).origin] : [],
  );
  return [
    ...new Set([...origins.filter((origin) => origin !== 'null'), ...getProductTraits(product).framedBy]),
  ];
}
