import type { ProductTraits } from '#domain/lti/products';
import { AppError } from '#errors';

/** Addresses of the tool that a platform is told. */
export function getToolAddresses(publicUrl: string) {
  return {
    login: `${publicUrl}/lti/login`,
    /** The one that it launches us at, and sends people back to after a login. */
    launch: `${publicUrl}/lti/launch`,
    keys: `${publicUrl}/lti/keys`,
    /** Where it sends notices. */
    notices: `${publicUrl}/lti/notices`,
    /** With its port: Moodle compares it with that of the target. */
    domain: new URL(publicUrl).host,
  };
}

/** The tool's picture: one shape of one colour where the platform gives icons a colour of its
 *  own. */
export function getToolIcon(publicUrl: string, { tintsIcons }: Pick<ProductTraits, 'tintsIcons'>): string {
  return `${publicUrl}/assets/${tintsIcons ? 'icon-plain' : 'icon'}.svg`;
}

/** Errors: LTI_TARGET_UNKNOWN for every other address, even one that differs only by its query:
 *  items are told apart by their custom parameters. A slash at the end makes no difference. */
export function requireToolAddress(target: string, publicUrl: string): void {
  const { launch } = getToolAddresses(publicUrl);
  if (target === launch || target === `${launch}/`) return;
  throw new AppError(
    'LTI_TARGET_UNKNOWN',
    'The platform opens an address that is none of this tool. Its settings, or those of the activity, have another one than they should.',
    { data: { facts: { expected: launch, given: target.slice(0, 500) } } },
  );
}
