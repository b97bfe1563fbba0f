import type { Clock } from '../src/ports/clock.ts';
import type { RateCounterRepository } from '../src/ports/store/store.ts';
import type { LtiRegistrations } from '../src/services/lti-registrations/lti-registrations.ts';
import type { People } from '../src/services/people/people.ts';
import type { Tenants } from '../src/services/tenants/tenants.ts';

export interface DemoFaceDeps {
  readonly tenants: Tenants;
  readonly registrations: LtiRegistrations;
  readonly people: Pick<People, 'forgetAll'>;
  /** How much is done in the chat. */
  readonly rateCounters: RateCounterRepository;
  readonly clock: Clock;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  /** Address that the host listens on; undefined is every one. */
  readonly host: string | undefined;
  readonly port: number;
  /** Told of what went wrong in passing; no request fails with it. */
  onProblem(error: unknown): void;
}
