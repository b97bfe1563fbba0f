import { normalizeObjectAddress } from '#domain/learning-object';
import type { LinkCheckRepository } from '#ports/store/store';
import { repeatWork } from '#services/host/repeated-work';
import { readEveryLinkCheck } from '../every-record.ts';

const EVERY_MS = 10 * 60_000;
const MAX_PAGES = 50_000;

/** Holds in memory the pictures that pages name for themselves, as link checks found them: at most
 *  50,000, which are read again every ten minutes. */
export function createPagePictures(deps: {
  readonly linkChecks: Pick<LinkCheckRepository, 'readLinkChecks'>;
  onProblem(error: unknown): void;
}) {
  let pictures: ReadonlyMap<string, string> = new Map();

  async function readPagePictures(): Promise<void> {
    const next = new Map<string, string>();
    for await (const checks of readEveryLinkCheck(deps.linkChecks, 'alive')) {
      for (const { url, picture } of checks) if (picture !== null) next.set(normalizeObjectAddress(url), picture);
      if (next.size >= MAX_PAGES) break;
    }
    pictures = next;
  }

  const work = repeatWork({ everyMs: EVERY_MS, runsAtOnce: true, run: readPagePictures, onProblem: deps.onProblem });
  return {
    read: readPagePictures,
    find: (url: string): string | null => pictures.get(normalizeObjectAddress(url)) ?? null,
    count: () => pictures.size,
    start: work.start,
    close: work.stop,
  };
}
