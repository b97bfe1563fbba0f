import { AppError } from '../../src/errors.ts';
import type { LtiPlatforms, PlatformScore } from '../../src/ports/lti-platforms.ts';

export interface FakeLtiPlatforms extends LtiPlatforms {
  /** What was taken, in order. */
  readonly taken: readonly PlatformScore[];
  /** Scores that were sent so far, taken or not. */
  asked(): number;
  /** Every score from here on meets this, until it is null. */
  answer: ((score: PlatformScore) => Promise<void>) | null;
}

/** A strict double of platforms with one gradebook: a score must be later by a whole second than
 *  the one before. */
export function createFakeLtiPlatforms(): FakeLtiPlatforms {
  const taken: PlatformScore[] = [];
  let asked = 0;
  return {
    taken,
    asked: () => asked,
    answer: null,
    async submitScore(registration, score) {
      asked++;
      if (this.answer !== null) return this.answer(score);
      refuseWrong(score);
      if (registration.status !== 'active') throw new AppError('INTERNAL', 'It may not be called.');
      const isOlder = (each: PlatformScore) =>
        each.lineItem !== score.lineItem || each.userId !== score.userId || each.earnedAt < score.earnedAt;
      if (!taken.every(isOlder)) throw new AppError('PLATFORM_SCORE_OUTDATED', 'There is one.');
      taken.push(score);
    },
    listMembers: () => Promise.reject(new AppError('INTERNAL', 'There are no members here.')),
    listGroups: () => Promise.reject(new AppError('INTERNAL', 'There are no groups here.')),
    isResultGone: () => Promise.resolve(false),
    provideLineItem: (_, { launched }) =>
      launched === null
        ? Promise.reject(new AppError('INTERNAL', 'No line items are made here.'))
        : Promise.resolve(launched),
    subscribeToNotices: () => Promise.reject(new AppError('INTERNAL', 'There are no notices here.')),
    verifyToken: () => Promise.reject(new AppError('INTERNAL', 'Nothing is signed here.')),
    checkLaunchClaims: () => Promise.reject(new AppError('INTERNAL', 'Nothing is launched here.')),
    fetchConfiguration: () => Promise.reject(new AppError('INTERNAL', 'There is no configuration here.')),
    registerTool: () => Promise.reject(new AppError('INTERNAL', 'No tool is registered here.')),
    check: () => Promise.reject(new AppError('INTERNAL', 'There is nothing to check here.')),
  };
}

function refuseWrong({ lineItem, userId, points, earnedAt }: PlatformScore): void {
  const isGood =
    URL.canParse(lineItem) && userId !== '' && Number.isInteger(points) && earnedAt.getTime() % 1_000 === 0;
  if (!isGood) throw new AppError('PLATFORM_REFUSED', 'This is no score.', { data: { status: 400 } });
}
