import type { ProductTraits } from '#domain/lti/products';
import { AppError } from '#errors';

export function getToolAddresses(publicUrl: string) {
  return {
    login: `${publicUrl}/lti/login`,
    launch: `${publicUrl}/lti/launch`,
    keys: `${publicUrl}/lti/keys`,
    notices: `${publicUrl}/lti/notices`,
    /** Has the port, as Moodle compares it with that of the target. */
    domain: new URL(publicUrl).host,
  };
}

export const getToolIcon = (publicUrl: string, { tintsIcons }: Pick<ProductTraits, 'tintsIcons'>): string =>
  `${publicUrl}/assets/${tintsIcons ? 'icon-plain' : 'icon'}.svg`;

/** Errors: LTI_TARGET_UNKNOWN unless the target is the launch address, perhaps with a slash. */
export function requireToolAddress(target: string, publicUrl: string): void {
  const { launch } = getToolAddresses(publicUrl);
  if (target === launch || target === `${launch}/`) return;
  throw new AppError(
    'LTI_TARGET_UNKNOWN',
    'The platform opens an address that is none of this tool. Its settings, or those of the activity, have another one than they should.',
    { data: { facts: { expected: launch, given: target.slice(0, 500) } } },
  );
}
