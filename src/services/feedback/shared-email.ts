import type { FeedbackRole } from '../../domain/feedback.ts';
import type { FeedbackSettings } from '../../domain/tenant.ts';
import { isEmail } from '../../domain/text.ts';

/** Of a domain that is reserved to be nobody's (RFC 2606). */
const NOBODY = 'feedback@skilldock.invalid';

/** The address that nobody reads, for tenants that have no shared one: of the host, where that has a name on the internet. */
export function hostEmail(publicUrl: string): string {
  const email = `feedback@${new URL(publicUrl).hostname}`;
  return isEmail(email) ? email : NOBODY;
}

/** Whose feedback goes under the shared address; who may be a learner counts as one. */
export function isHidden({ sharedEmailFor }: FeedbackSettings, role: FeedbackRole): boolean {
  if (sharedEmailFor === 'learners') return role === 'learner' || role === 'unknown';
  return sharedEmailFor === 'everyone';
}
