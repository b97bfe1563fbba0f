import { z } from 'zod';
import { confirmation, id, linkedOption, markedOption, plainText, shown, webAddress } from './compositions.ts';
import { hasInitialOptions } from './initial-options.ts';
import {
  conversationsSelect,
  externalSelect,
  multiExternalSelect,
  multiStaticSelect,
  staticSelect,
} from './selects.ts';

const button = z.strictObject({
  type: z.literal('button'),
  action_id: id.optional(),
  text: plainText(75),
  value: z.string().min(1, 'is empty').max(2000, 'longer than 2000 characters').optional(),
  url: webAddress.optional(),
  style: z.enum(['primary', 'danger']).optional(),
  accessibility_label: shown(75).optional(),
  confirm: confirmation.optional(),
});

const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: id.optional(),
  options: z.array(linkedOption).min(2, 'fewer than 2').max(5, 'more than 5'),
  confirm: confirmation.optional(),
});

const choice = {
  action_id: id.optional(),
  options: z.array(markedOption).min(1, 'is empty').max(10, 'more than 10'),
  confirm: confirmation.optional(),
  focus_on_load: z.boolean().optional(),
};

const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    ...choice,
    initial_options: z.array(markedOption).min(1, 'is empty').optional(),
  })
  .superRefine(hasInitialOptions);

const radioButtons = z
  .strictObject({ type: z.literal('radio_buttons'), ...choice, initial_option: markedOption.optional() })
  .superRefine(hasInitialOptions);

const textLength = z.int().min(0).max(3000, 'more than 3000');

const plainTextInput = z
  .strictObject({
    type: z.literal('plain_text_input'),
    action_id: id.optional(),
    placeholder: plainText(150).optional(),
    initial_value: z.string().max(3000, 'longer than 3000 characters').optional(),
    multiline: z.boolean().optional(),
    min_length: textLength.optional(),
    max_length: textLength.min(1, 'is 0').optional(),
    dispatch_action_config: z
      .strictObject({
        trigger_actions_on: z
          .array(z.enum(['on_enter_pressed', 'on_character_entered']))
          .min(1)
          .max(2),
      })
      .optional(),
    focus_on_load: z.boolean().optional(),
  })
  .refine((input) => (input.min_length ?? 0) <= (input.max_length ?? 3000), 'min_length is above max_length')
  .refine((input) => (input.initial_value ?? '').length <= (input.max_length ?? 3000), {
    path: ['initial_value'],
    error: 'longer than max_length',
  });

export const image = z.strictObject({
  type: z.literal('image'),
  image_url: webAddress,
  alt_text: shown(2000),
});

const singleSelects = [staticSelect, externalSelect, conversationsSelect] as const;
const multiSelects = [multiStaticSelect, multiExternalSelect] as const;

/** Beside a section. */
export const accessory = z.discriminatedUnion('type', [
  button,
  overflow,
  checkboxes,
  radioButtons,
  image,
  ...singleSelects,
  ...multiSelects,
]);

/** In a row of actions; menus of several choices are not taken there. */
export const action = z.discriminatedUnion('type', [button, overflow, checkboxes, radioButtons, ...singleSelects]);

/** What is filled in. */
export const input = z.discriminatedUnion('type', [
  plainTextInput,
  checkboxes,
  radioButtons,
  ...singleSelects,
  ...multiSelects,
]);
