import type { BenchQuery } from '../corpus/queries.ts';

/** A search service behind a socket, with its documents. */
export interface HttpPeer {
  readonly name: string;
  readonly buildSeconds?: number;
  readonly indexBytes?: number;
  readonly documents: number;
  /** The answer as it came. */
  search(query: BenchQuery): Promise<string>;
  countHits(answer: string): number;
  close(): Promise<void>;
}
