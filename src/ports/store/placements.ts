import type { Placement } from '../../domain/lti/placement.ts';

/** A resource link of a platform and what stands behind it now. */
export interface LtiLinkRecord {
  /** SHA-256 over registration, deployment and resource link id, hexadecimal. */
  readonly id: string;
  readonly tenantId: string;
  readonly registrationId: string;
  readonly deploymentId: string;
  readonly contextId: string | null;
  readonly resourceLinkId: string;
  readonly placementId: string;
  readonly firstOpenedAt: Date;
}

export interface PlacementRepository {
  /** After an error some may be there. */
  addPlacements(records: readonly Placement[]): Promise<void>;
  /** Null when there is none in this tenant. */
  findPlacement(tenantId: string, id: string): Promise<Placement | null>;
  /** Chosen in this course, newest first, ties in the order of the ids, at most `limit` (1 to 100). */
  listPlacementsOfContext(
    course: Pick<Placement, 'tenantId' | 'registrationId'> & { readonly contextId: string },
    limit: number,
  ): Promise<readonly Placement[]>;
  /** Chosen in the tenant by others than `person`, newest first, ties in the order of the ids, at most `limit` (1 to 100). */
  listPlacementsOfOthers(tenantId: string, person: string, limit: number): Promise<readonly Placement[]>;
  /** Adds it; where there is one with this id, that one stays and is given. Of several at once all get the same. */
  openLink(record: LtiLinkRecord): Promise<LtiLinkRecord>;
  /** Null when there is none in this tenant. */
  findLink(tenantId: string, id: string): Promise<LtiLinkRecord | null>;
  /** False when there is no such link. */
  replaceLinkPlacement(tenantId: string, linkId: string, placementId: string): Promise<boolean>;
}
