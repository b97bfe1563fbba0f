import type { ContentItemType, DeepLinkingSettings, Launch } from '#domain/lti/launch';
import { MAX_AT_ONCE, MAX_TITLE_LENGTH } from '#domain/lti/placement';
import { getProductTraits } from '#domain/lti/products';

/** Where a platform opens an item: in a frame of the course's page, or in a window of its own. */
export type ItemTarget = 'iframe' | 'window';

/** What can be chosen in a launch, and how. */
export interface ChoiceRules {
  /** `replace` puts another object behind a link that is in the course. */
  readonly mode: 'embed' | 'replace';
  /** Null where the platform takes nothing that we can give. */
  readonly itemType: ContentItemType | null;
  readonly maxItems: number;
  /** Characters. */
  readonly maxTitleLength: number;
  /** Null where items cannot be graded. */
  readonly maxPoints: number | null;
  /** Whether the platform reads the period in which an item is shown, and until when it can be
   *  done. */
  readonly takesAvailability: boolean;
  readonly takesSubmission: boolean;
  /** What people choose from, the usual one first; empty where the platform decides. */
  readonly targets: readonly ItemTarget[];
  /** Whether what is chosen is in the course at once. */
  readonly isCreatedAtOnce: boolean;
}

/** Points of an item that becomes graded without any typed. */
export const DEFAULT_POINTS = 10;

export function findChoiceRules(launch: Launch): ChoiceRules {
  const { maxTitleLength } = getProductTraits(launch.product);
  const titled = { maxTitleLength: Math.min(maxTitleLength, MAX_TITLE_LENGTH) };
  return launch.deepLinking === null
    ? { ...nothingMore, ...titled, mode: 'replace', itemType: 'ltiResourceLink' }
    : { ...titled, ...rulesOf(launch, launch.deepLinking) };
}

/** The link itself stays as it is in the course. */
const nothingMore = {
  maxItems: 1,
  maxPoints: null,
  takesAvailability: false,
  takesSubmission: false,
  targets: [],
  isCreatedAtOnce: true,
} as const;

function rulesOf(launch: Launch, settings: DeepLinkingSettings): Omit<ChoiceRules, 'maxTitleLength'> {
  const { honours, maxPoints } = getProductTraits(launch.product);
  const itemType = itemTypeOf(settings);
  const maxItems = settings.acceptMultiple ? MAX_AT_ONCE : 1;
  const begun = {
    ...nothingMore,
    mode: 'embed',
    itemType,
    maxItems,
    isCreatedAtOnce: settings.autoCreate,
  } as const;
  // Anything but a launch of ours is a mere link that never comes back to us.
  if (itemType !== 'ltiResourceLink') return begun;
  const targets = (['iframe', 'window'] as const).filter(
    (target) => settings.targets.includes(target) && (target === 'iframe' || honours.window),
  );
  return {
    ...begun,
    maxPoints: settings.acceptLineItem ? maxPoints : null,
    takesAvailability: honours.available,
    takesSubmission: honours.submission,
    targets,
  };
}

/** The best kind that the platform takes: only with a launch of ours can we know who completed
 *  what. */
function itemTypeOf({ acceptTypes }: DeepLinkingSettings): ContentItemType | null {
  const ours = ['ltiResourceLink', 'link', 'html'] as const;
  return ours.find((type) => acceptTypes.includes(type)) ?? null;
}
