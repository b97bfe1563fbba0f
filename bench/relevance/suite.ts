/** What a suite is told on the command line. */
export interface SuiteOptions {
  /** Folder or file of the judgments, in the layout of the suite. */
  readonly data: string;
  /** Folder with the taxonomies `esco`, `onet` and `rome-347` in their official layouts. */
  readonly taxonomies: string;
  /** Whether each way that adds to the ranking is also left out in turn. */
  readonly withAblation: boolean;
  /** Whether the sealed part is measured instead of the open one. */
  readonly sealed?: boolean;
  /** Folder to write what has no grade yet into, instead of measuring. */
  readonly pool?: string;
  /** Address of a running OpenSearch to measure beside, without a slash at the end. */
  readonly opensearch?: string;
  /** Address of a running OpenSearch that keeps the objects: what is searched there is measured beside our own index, without
   *  MiniSearch and words alone. */
  readonly catalog?: string;
  /** File to write what was measured of each need into, … */
  readonly keep?: string;
  /** … and such a file of another ranking, to compare with need by need. */
  readonly against?: string;
}

/** A line of the table that a suite prints: what was measured on what, and its values, each by the name of its measure. */
export interface SuiteRow {
  readonly name: string;
  readonly cases: number;
  readonly values: Readonly<Record<string, number>>;
}

export type RunSuite = (options: SuiteOptions) => Promise<readonly SuiteRow[]>;
