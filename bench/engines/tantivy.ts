import { execFileSync, spawn } from 'node:child_process';
import type { BenchEngine } from './engine.ts';
import { createLinePeer, type PeerClock } from './line-peer.ts';

const PROJECT = 'bench/tantivy';

/** Tantivy with the four fields that Lucene has, and with all texts in one: a word then has one
 *  list of documents, as in our index. Cargo takes some minutes to build it at first.
 *  @param keptAt makes the folder of `createLinePeer` from a name */
export function createTantivy(clock: PeerClock, keptAt: (name: string) => string | undefined): BenchEngine[] {
  execFileSync('cargo', ['build', '--quiet', '--release', '--manifest-path', `${PROJECT}/Cargo.toml`], {
    stdio: 'inherit',
  });
  const program = `${PROJECT}/target/release/tantivy-peer`;
  const create = (name: string, fields: string) =>
    createLinePeer({
      name,
      kept: keptAt(`tantivy-${fields}`),
      start: (folder) => spawn(program, [folder, clock, fields]),
    });
  return [create('Tantivy', 'four-fields'), create('Tantivy, one field', 'one-field')];
}
