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
  /** Searches that are not counted. */
  readonly trial: Discovery;
  readonly browsing: Browsing;
  /** Returns a text that changes with the service that answers and with its objects. */
  readonly catalogVersion: () => Promise<string>;
  readonly tenantId: string;
  readonly publicUrl: string;
  readonly demoKey: string;
  readonly clock: Clock;
  readonly languages: Languages;
  faces(): Promise<readonly FaceState[]>;
  /** Tells whether an administrator is signed in, who may read about settings. */
  isAdministrator(request: Request): Promise<boolean>;
  /** Finds the tenant whose objects and shared plans a request may read, by its key or session;
   *  null for none. Errors: those of `ApiAccess`. */
  findTenantOf(request: Request): Promise<string | null>;
  readonly demoPath?: string;
  /** Returns the sizes of the built-in engine; null if an upstream is searched. */
  readonly sizes: () => Promise<Readonly<Record<'objects' | 'providers' | 'concepts' | 'labels', number>> | null>;
  /** Lists the providers of the built-in engine, whose logos this host draws. */
  readonly listBuiltInProviders: () => Promise<readonly Provider[]>;
  readonly pictures: Pictures;
  /** Reads the published objects that all tenants share, and those that one tenant sees. */
  readonly harvest: Pick<Harvest, 'findObject' | 'hasObject' | 'list'> & {
    ofTenant(tenantId: string): Pick<Harvest, 'findObject'>;
  };
  readonly concepts: ConceptCatalog;
  readonly isIndexable: boolean;
  readonly publishes: Readonly<Record<'objects' | 'skills' | 'feeds', boolean>> & {
    /** Names of taxonomies that the operator publishes, beside those whose licence allows it. */
    readonly taxonomies: readonly string[];
  };
  /** Addresses for reports of vulnerabilities; absent if the operator has not set them. */
  readonly security?: { readonly contact: string; readonly policy: string | undefined } | undefined;
  readonly keptDays: KeptDays;
  readonly privacy: Readonly<Record<'contact' | 'policyUrl' | 'supportUrl', string | undefined>>;
  onProblem(error: unknown): void;
  /** Limits for one address; `searchLimits` and `completionLimits` if they are absent. */
  readonly limits?: { readonly searches: RateLimit; readonly completions: RateLimit };
}

export interface FaceState {
  readonly id: 'demoCourse' | 'demoChat' | 'lti' | 'api' | 'slack' | 'admin';
  readonly name: string;
  readonly isOn: boolean;
  /** Says in English where the face is, or why it is off. */
  readonly note: string;
  /** Address of the face, or of the page on which it can be turned on. */
  readonly href: string;
}
