import type { Router } from 'express';
import type { Services } from './compose/services.ts';
import type { SlackConnection } from './faces/slack/deps.ts';
import type { Clock } from './ports/clock.ts';
import type { RateCounterRepository } from './ports/store/store.ts';

/** A course and a chat for trying this host without an LMS and without Slack. */
export interface Demo {
  readonly router: Router;
  /** For the Slack app of this host, which answers in the chat. */
  readonly slack: SlackConnection;
  /** Tells whether people of the chat belong to this tenant. */
  hasSlack(tenantId: string): Promise<boolean>;
}

export interface DemoDeps {
  readonly tenants: Services['tenants'];
  readonly registrations: Services['ltiRegistrations'];
  readonly people: Pick<Services['people'], 'forgetAll'>;
  /** Counts the messages to the chat, which are limited. */
  readonly rateCounters: RateCounterRepository;
  readonly clock: Clock;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  /** Listening address; undefined for all. */
  readonly host: string | undefined;
  readonly port: number;
  /** Reports failures outside of requests. */
  onProblem(error: unknown): void;
}

/** The path is a variable, so that the compiler and hosts without a demo do not load the module:
 *  the demo depends on the product, not the other way round. */
const modulePath: string = '../demo/demo.ts';

export async function loadDemo(deps: DemoDeps): Promise<Demo> {
  const { createDemo } = (await import(modulePath)) as { createDemo(deps: DemoDeps): Demo };
  return createDemo(deps);
}
