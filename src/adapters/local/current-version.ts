import type { LearningService } from '../../ports/learning-service.ts';
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

export function openCurrentVersion(first: OpenVersion): CurrentVersion {
  let version = first;
  /** How many answers of each version are under way. */
  const underWay = new Map([[first, 0]]);

  function count(used: OpenVersion, change: number): void {
    const left = underWay.get(used);
    // Closed already, with all the others.
    if (left === undefined) return;
    underWay.set(used, left + change);
    if (used !== version && left + change === 0) end(used);
  }

  function end(used: OpenVersion): void {
    underWay.delete(used);
    used.close();
  }

  async function ask<T>(operation: (learning: LearningService) => Promise<T>): Promise<T> {
    const used = version;
    count(used, 1);
    processSearches.begin();
    try {
      return await operation(used.learning);
    } finally {
      processSearches.end();
      count(used, -1);
    }
  }

  return {
    get version() {
      return version;
    },
    learning: answerBy(ask),
    replace(next) {
      const before = version;
      version = next;
      underWay.set(next, 0);
      count(before, 0);
    },
    close() {
      for (const used of [...underWay.keys()]) end(used);
    },
  };
}

type Ask = <T>(operation: (learning: LearningService) => Promise<T>) => Promise<T>;

function answerBy(ask: Ask): LearningService {
  return {
    similar: (...given) => ask((learning) => learning.similar(...given)),
    tagger: (...given) => ask((learning) => learning.tagger(...given)),
    suggest: (...given) => ask((learning) => learning.suggest(...given)),
    listProviders: (...given) => ask((learning) => learning.listProviders(...given)),
    listTypes: (...given) => ask((learning) => learning.listTypes(...given)),
    listBlooms: (...given) => ask((learning) => learning.listBlooms(...given)),
    listLanguages: (...given) => ask((learning) => learning.listLanguages(...given)),
    searchProvider: (...given) => ask((learning) => learning.searchProvider(...given)),
    searchMany: (...given) => ask((learning) => learning.searchMany(...given)),
    browse: (...given) => ask((learning) => learning.browse(...given)),
    findAlike: (...given) => ask((learning) => learning.findAlike(...given)),
    feedback: (...given) => ask((learning) => learning.feedback(...given)),
  };
}
