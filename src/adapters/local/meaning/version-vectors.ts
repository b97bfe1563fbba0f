import type { ObjectVectors } from '../../../engine/objects/types.ts';
import type { LabelVectors } from '../../../engine/vectors/vectors.ts';
import type { EncoderModel } from '../../../ports/encoder.ts';

/** Vectors of objects as a tenant has them. */
export type SelectVectors = (vectors: VersionVectors) => ObjectVectors;

/** What is known of a version by now. It stays as it is: what comes later makes another one. */
export interface VersionVectors {
  readonly model: EncoderModel;
  /** Whether all that the version has is encoded. */
  readonly isComplete: boolean;
  readonly labels: LabelVectors;
  readonly objects: ObjectVectors;
  /** The row of an object's text among those of the objects, whichever object has it; -1 while it has none. */
  rowOfText(text: string): number;
}
