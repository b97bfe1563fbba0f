import { z } from 'zod';
import { confirmation, id, MAX_OPTIONS, option, optionGroups, options, plainText } from './compositions.ts';
import { hasInitialOptions } from './initial-options.ts';

const select = {
  action_id: id.optional(),
  placeholder: plainText(150).optional(),
  confirm: confirmation.optional(),
  focus_on_load: z.boolean().optional(),
};
const multi = { max_selected_items: z.int().min(1, 'is below 1').optional() };
const initialOptions = z.array(option).min(1, 'is empty').max(MAX_OPTIONS, `more than ${MAX_OPTIONS}`).optional();
const choices = { options: options.optional(), option_groups: optionGroups.optional() };

type Choices = { readonly options?: unknown; readonly option_groups?: unknown };
const hasOneKindOfOptions = (menu: Choices) => (menu.options === undefined) !== (menu.option_groups === undefined);
const ONE_KIND = 'needs either options or option_groups';

type Chosen = {
  readonly initial_options?: readonly unknown[] | undefined;
  readonly max_selected_items?: number | undefined;
};
const isWithinMaximum = (menu: Chosen) =>
  (menu.initial_options?.length ?? 0) <= (menu.max_selected_items ?? MAX_OPTIONS);
const ABOVE_MAXIMUM = 'more is chosen at first than max_selected_items';

export const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...select,
    ...choices,
    initial_option: option.optional(),
  })
  .refine(hasOneKindOfOptions, ONE_KIND)
  .superRefine(hasInitialOptions);

export const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...select,
    ...multi,
    ...choices,
    initial_options: initialOptions,
  })
  .refine(hasOneKindOfOptions, ONE_KIND)
  .refine(isWithinMaximum, ABOVE_MAXIMUM)
  .superRefine(hasInitialOptions);

const minQueryLength = z.int().min(0, 'is below 0').max(255, 'above 255').optional();

export const externalSelect = z.strictObject({
  type: z.literal('external_select'),
  ...select,
  min_query_length: minQueryLength,
  initial_option: option.optional(),
});

export const multiExternalSelect = z
  .strictObject({
    type: z.literal('multi_external_select'),
    ...select,
    ...multi,
    min_query_length: minQueryLength,
    initial_options: initialOptions,
  })
  .refine(isWithinMaximum, ABOVE_MAXIMUM);

export const conversationsSelect = z.strictObject({
  type: z.literal('conversations_select'),
  ...select,
  initial_conversation: id.optional(),
  default_to_current_conversation: z.boolean().optional(),
  response_url_enabled: z.boolean().optional(),
  filter: z
    .strictObject({
      include: z
        .array(z.enum(['im', 'mpim', 'private', 'public']))
        .min(1, 'is empty')
        .optional(),
      exclude_external_shared_channels: z.boolean().optional(),
      exclude_bot_users: z.boolean().optional(),
    })
    .optional(),
});
