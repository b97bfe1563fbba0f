import type { LearningService } from '#ports/learning-service';
import type { OpenVersion } from './open-version.ts';
import { processSearches } from './search-activity.ts';

/** The version that is searched, and those before it while somebody still needs them. */
export interface CurrentVersion {
  readonly version: OpenVersion;
  /** Answers from the version that is current when it is asked. */
  readonly learning: LearningService;
  /** The one before is closed once its last answer is done. */
  replace(next: OpenVersion): void;
  /** Closes all of them. */
  close(): void;
}

interface Versions {
  current: OpenVersion;
  /** How many answers of each version that is open are under way. */
  readonly underWay: Map<OpenVersion, number>;
}

export function openCurrentVersion(first: OpenVersion): CurrentVersion {
  const versions: Versions = { current: first, underWay: new Map([[first, 0]]) };
  return {
    get version() {
      return versions.current;
    },
    learning: answerFromCurrent(versions),
    replace(next) {
      const previous = versions.current;
      versions.current = next;
      versions.underWay.set(next, 0);
      countUse(versions, previous, 0);
    },
    close() {
      for (const version of [...versions.underWay.keys()]) closeVersion(versions, version);
    },
  };
}

/** The version that a question begins with stays open until it is answered. */
function answerFromCurrent(versions: Versions): LearningService {
  return {
    async ask(operation, request, options) {
      const version = versions.current;
      countUse(versions, version, 1);
      processSearches.begin();
      try {
        return await version.learning.ask(operation, request, options);
      } finally {
        processSearches.end();
        countUse(versions, version, -1);
      }
    },
  };
}

function countUse(versions: Versions, version: OpenVersion, change: number): void {
  const before = versions.underWay.get(version);
  // Closed already, with all the others.
  if (before === undefined) return;
  versions.underWay.set(version, before + change);
  if (version !== versions.current && before + change === 0) closeVersion(versions, version);
}

function closeVersion({ underWay }: Versions, version: OpenVersion): void {
  underWay.delete(version);
  version.close();
}
