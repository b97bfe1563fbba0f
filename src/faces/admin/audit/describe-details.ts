import { adminRoles } from '../../../domain/admin.ts';
import type { AuditEntry } from '../../../ports/store/store.ts';
import type { Languages, Translate } from '../../words/i18n.ts';

/** What was changed, as it is shown: people's own names as they are, ours in the reader's language. Empty where the action
 *  says it all. */
export function describeSubject(
  { action, target }: Pick<AuditEntry, 'action' | 'target'>,
  t: Translate,
): string {
  if (action.endsWith('.exported') || action === 'secrets.rotated') return '';
  // Several at once, which the details count.
  if (action.startsWith('feedback.') && target === 'feedback') return '';
  if (!action.startsWith('link.')) return target;
  const name = /^reset: (.*)$/s.exec(target)?.[1];
  if (name !== undefined) return t('audit.links.resetOf', { name });
  return ['setup', 'invitation', 'reset', 'registration', 'slack-install'].includes(target)
    ? t(`audit.links.${target}`)
    : target;
}

export interface Detail {
  readonly label: string;
  readonly value: string;
}

/** Between what was and what is, as services write changes. */
const ARROW = ' → ';
/** Details whose values are words of ours. The others are what people wrote, and stay as it was; only nothing is called so. */
const coded =
  /^(?:role|roleBefore|tenants|tenantsBefore|by|key|kind|state|origin|registration\.(?:product|acceptsNewDeployments)|feedback\.sharedEmailFor|defaults\..+)$/;

/** The details of an entry in the reader's language. What the catalogues do not know is shown as it was kept. */
export function describeDetails(
  { details }: Pick<AuditEntry, 'details'>,
  t: Translate,
  languages: Languages,
): Detail[] {
  return Object.entries(details).map(([name, kept]) => {
    const key = `audit.details.${name}`;
    const words = kept.split(ARROW);
    const isOurs = (word: string) => coded.test(name) || (word === 'none' && words.length > 1);
    const value = words.map((word) => (isOurs(word) ? describeWord(word, t, languages) : word)).join(ARROW);
    return { label: languages.has(key) ? t(key) : name, value };
  });
}

function describeWord(word: string, t: Translate, languages: Languages): string {
  if (adminRoles.some((role) => role === word)) return t(`roles.${word}`);
  const key = `audit.words.${word}`;
  return /^[a-z-]+$/.test(word) && languages.has(key) ? t(key) : word;
}
