import type { Translate } from '#faces/words/i18n';
import { isUsableSlackApp } from '../workspaces/describe-slack.ts';
import type { Situation } from './situation.ts';

/** A step of setting up a host. */
export interface Step {
  readonly state: 'done' | 'open';
  readonly title: string;
  readonly text: string;
  readonly link: { readonly href: string; readonly label: string };
}

interface StepFacts {
  readonly kind: 'source' | 'key' | 'lms' | 'slack';
  readonly state: Step['state'];
  /** Which of the texts of the kind fits. */
  readonly text: string;
  readonly href: string;
}

/** The steps of setting up a new host, and which of them are done. */
export function listFirstSteps(
  { connections, keys, platforms, slack }: Situation,
  { t, objects }: { t: Translate; objects: string },
): Step[] {
  const connected = connections.filter(({ tenant }) => tenant.upstream.kind !== 'local');
  const [first, ...more] = connections;
  const only = first !== undefined && more.length === 0 ? `/${first.tenant.id}` : '';
  const steps: StepFacts[] = [
    {
      kind: 'source',
      state: 'done',
      text: connected.length > 0 ? 'connected' : 'own',
      href: `/admin/tenants${only}`,
    },
    {
      kind: 'key',
      state: keys.active > 0 ? 'done' : 'open',
      text: keys.active > 0 ? 'done' : 'open',
      href: '/admin/keys',
    },
    {
      kind: 'lms',
      state: platforms > 0 ? 'done' : 'open',
      text: platforms > 0 ? 'done' : 'open',
      href: '/admin/registrations',
    },
    {
      kind: 'slack',
      state: slack.workspaces > 0 ? 'done' : 'open',
      text: slack.workspaces > 0 ? 'done' : isUsableSlackApp(slack.app) ? 'ready' : 'open',
      href: '/admin/workspaces',
    },
  ];
  const values = {
    objects,
    names: connected.map(({ tenant }) => tenant.name).join(', '),
    count: keys.active,
    platforms,
    workspaces: slack.workspaces,
  };
  return steps.map(({ kind, state, text, href }) => ({
    state,
    title: t(`firstSteps.${kind}.title`),
    text: t(`firstSteps.${kind}.${text}`, values),
    link: { href, label: t(`firstSteps.${kind}.link`) },
  }));
}
