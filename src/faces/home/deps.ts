import type { Request } from 'express';
import type { Services } from '#compose/services';
import type { Provider } from '#domain/catalog';
import type { Clock } from '#ports/clock';
import type { ConceptCatalog } from '#ports/object-catalog';
import type { Harvest } from '#services/catalogue/harvest';
import type { Pictures } from '#services/catalogue/pictures/pictures';
import type { RateLimit } from '#services/host/rate-limits';
import type { KeptDays } from '#services/people/retention';
import type { Browsing } from '#services/searching/browsing';
import type { Discovery } from '#services/searching/discovery';
import type { Languages } from '../words/i18n.ts';

export interface HomeFaceDeps
  extends Pick<Services, 'plans' | 'personSessions' | 'placements' | 'keyring' | 'personData'> {
  readonly insight: Pick<Services['insight'], 'noteSearch'>;
  readonly discovery: Discovery;
  readonly trial: Discovery;
  readonly browsing: Browsing;
  /** Changes with the service that answers, and with the objects that can be browsed. */
  readonly catalogVersion: () => Promise<string>;
  readonly tenantId: string;
  readonly publicUrl: string;
  readonly demoKey: string;
  readonly clock: Clock;
  readonly languages: Languages;
  /** Faces of this host and, for those that are off, why. */
  faces(): Promise<readonly FaceState[]>;
  /** Whether an administrator is signed in; only they are told of settings. */
  isAdministrator(request: Request): Promise<boolean>;
  /** The tenant whose objects and shared plans a request may read, by its key or session; null for
   *  none. Errors: those of `ApiAccess`. */
  findTenantOf(request: Request): Promise<string | null>;
  /** Path of the demo course; absent if there is none. */
  readonly demoPath?: string;
  /** Of our own engine; null if another service is searched. */
  readonly sizes: () => Promise<Readonly<Record<'objects' | 'providers' | 'concepts' | 'labels', number>> | null>;
  /** Of our own engine, whose logos we draw, whichever service is searched. */
  readonly ownProviders: () => Promise<readonly Provider[]>;
  readonly pictures: Pictures;
  /** The published objects that all tenants share, and those that one of them sees. */
  readonly harvest: Pick<Harvest, 'findObject' | 'hasObject' | 'list'> & {
    ofTenant(tenantId: string): Pick<Harvest, 'findObject'>;
  };
  readonly concepts: ConceptCatalog;
  readonly isIndexable: boolean;
  readonly publishes: Readonly<Record<'objects' | 'skills' | 'feeds', boolean>> & {
    /** Names of taxonomies that the operator publishes, beside those whose licence allows it. */
    readonly taxonomies: readonly string[];
  };
  /** Whom to tell of a vulnerability; addresses. Absent if the operator has not set it. */
  readonly security?: { readonly contact: string; readonly policy: string | undefined } | undefined;
  /** How long records stay, by kind. */
  readonly keptDays: KeptDays;
  /** Absent if the operator has not set it. */
  readonly privacy: Readonly<Record<'contact' | 'policyUrl' | 'supportUrl', string | undefined>>;
  onProblem(error: unknown): void;
  /** What one address may do; `searchLimits` and `completionLimits` when absent. */
  readonly limits?: { readonly searches: RateLimit; readonly completions: RateLimit };
}

export interface FaceState {
  readonly id: 'demoCourse' | 'demoChat' | 'lti' | 'api' | 'slack' | 'admin';
  readonly name: string;
  readonly isOn: boolean;
  /** In English: where it is, or why it is off. */
  readonly note: string;
  /** Where it is, or where it can be turned on. */
  readonly href: string;
}
