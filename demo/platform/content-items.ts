import { z } from 'zod';
import type { ChoiceOutcome } from './request.ts';
import { refuse } from './request.ts';
import type { ContentRules, DeepLinkingTraits } from './traits.ts';

/** Content items of Deep Linking 2.0, §3, as far as a course can show them. */

const webAddress = z.url({ protocol: /^https?$/ });
const shortText = z.string().max(1000);

const contentItem = z.looseObject({
  type: z.string(),
  title: shortText.optional(),
  text: z.string().max(10_000).optional(),
  url: webAddress.optional(),
  custom: z.record(z.string().min(1), z.string().max(2000)).optional(),
  iframe: z.looseObject({}).optional(),
  window: z.looseObject({}).optional(),
  lineItem: z
    .looseObject({
      scoreMaximum: z.number().gt(0),
      label: shortText.optional(),
      resourceId: shortText.optional(),
      tag: shortText.optional(),
    })
    .optional(),
});
type ContentItem = z.output<typeof contentItem>;

export interface ReadItem {
  readonly title: string;
  readonly text: string;
  /** Null is the tool itself. */
  readonly url: string | null;
  readonly custom: Readonly<Record<string, string>>;
  readonly target: 'iframe' | 'window';
  readonly lineItem: {
    readonly scoreMaximum: number;
    readonly label: string | null;
    readonly resourceId: string | null;
    readonly tag: string | null;
  } | null;
}

export interface ReadItems {
  readonly kept: readonly ReadItem[];
  readonly dropped: ChoiceOutcome['dropped'];
}

const MAX_ITEMS = 100;

/** Errors: what the specification or the settings of the request forbid. What a platform loses
 *  without a word is among the dropped ones. */
export function readContentItems(items: unknown, settings: DeepLinkingTraits, rules: ContentRules): ReadItems {
  // An answer without the claim gives back nothing, as one with an empty list.
  const parsed = z
    .array(contentItem)
    .max(MAX_ITEMS)
    .safeParse(items ?? []);
  if (!parsed.success) return refuse(`the content items are wrong: ${parsed.error.issues.map(describe).join('; ')}`);
  checkSettings(parsed.data, settings);
  const reasons = findReasons(parsed.data, rules);
  return {
    kept: parsed.data.filter((_, index) => reasons[index] === null).map((item) => toRead(item, settings)),
    dropped: parsed.data.flatMap(({ title = '' }, index) => {
      const reason = reasons[index] ?? null;
      return reason === null ? [] : [{ title, reason }];
    }),
  };
}

const describe = ({ path, message }: z.core.$ZodIssue) => `${path.join('.')}: ${message}`;

function checkSettings(items: readonly ContentItem[], settings: DeepLinkingTraits): void {
  if (items.length > 1 && !settings.acceptMultiple) refuse(`one item is wanted, not ${items.length}`);
  for (const { type, url, lineItem } of items) {
    if (!settings.acceptTypes.includes(type)) refuse(`items of type ${type} are not wanted`);
    if (type === 'link' && url === undefined) refuse('an item of type link has no url');
    if (lineItem !== undefined && settings.acceptLineItem === false) refuse('line items are not wanted');
  }
}

/** Why each item is lost; null for one that is kept. */
function findReasons(items: readonly ContentItem[], rules: ContentRules): (string | null)[] {
  const reasons: (string | null)[] = [];
  for (const [index, item] of items.entries()) {
    const isAfterBad =
      rules.losesItemAfterBad && index > 0 && reasons[index - 1] !== null && items[index - 1]?.lineItem !== undefined;
    const own = findReason(item, rules);
    reasons.push(own ?? (isAfterBad && item.lineItem === undefined ? 'it follows a bad graded item' : null));
  }
  return reasons;
}

function findReason({ title = '', custom = {}, lineItem }: ContentItem, rules: ContentRules): string | null {
  if (title.length > rules.maxTitleLength) return `its title has ${title.length} characters`;
  const { maxWholePoints, customName } = rules;
  const points = lineItem?.scoreMaximum;
  if (maxWholePoints !== null && points !== undefined && !(Number.isInteger(points) && points <= maxWholePoints))
    return `its maximum of ${points} points is not a whole number up to ${maxWholePoints}`;
  const wrongName = customName === null ? undefined : Object.keys(custom).find((name) => !customName.test(name));
  return wrongName === undefined ? null : `its custom parameter ${wrongName} has a name that is not taken`;
}

function toRead(
  { title, text, url, custom, iframe, window, lineItem }: ContentItem,
  { targets }: DeepLinkingTraits,
): ReadItem {
  const wantsWindow = iframe === undefined && (window !== undefined || !targets.includes('iframe'));
  return {
    title: title ?? '',
    text: text ?? '',
    url: url ?? null,
    custom: custom ?? {},
    target: wantsWindow ? 'window' : 'iframe',
    lineItem:
      lineItem === undefined
        ? null
        : {
            scoreMaximum: lineItem.scoreMaximum,
            label: lineItem.label ?? null,
            resourceId: lineItem.resourceId ?? null,
            tag: lineItem.tag ?? null,
          },
  };
}
