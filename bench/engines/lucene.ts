import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { BenchEngine } from './engine.ts';
import { createLinePeer, type PeerClock } from './line-peer.ts';

const PROJECT = 'bench/lucene';

/** Lucene in a JVM.
 *  @param kept as in `createLinePeer` */
export function createLucene(clock: PeerClock, kept?: string): BenchEngine {
  execFileSync('mvn', ['-q', '-f', `${PROJECT}/pom.xml`, 'compile'], { stdio: 'inherit' });
  const classes = `${PROJECT}/target/classes:${readFileSync(`${PROJECT}/target/classpath`, 'utf8')}`;
  return createLinePeer({
    name: 'Lucene',
    ways: { 'Lucene, totals cut short': 'cut', 'Lucene with facets': 'facets' },
    kept,
    start: (folder) => spawn('java', ['-Xms2g', '-Xmx2g', '-cp', classes, 'skilldock.LucenePeer', folder, clock]),
  });
}
