/** Blocks that are fine, of every kind, for tests that spoil them. */

export const plain = (text: string) => ({ type: 'plain_text', text, emoji: true }) as const;
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text }) as const;
export const option = (value: string, text = value) => ({ text: plain(text), value });

const confirm = {
  title: plain('Sure?'),
  text: mrkdwn('It is *gone* then.'),
  confirm: plain('Yes'),
  deny: plain('No'),
};

export const button = (actionId = 'learn_page', value = 'token:2') => ({
  type: 'button',
  action_id: actionId,
  text: plain('Next'),
  value,
});

export const overflow = (actionId = 'skills_more') => ({
  type: 'overflow',
  action_id: actionId,
  options: [option('similar'), { ...option('open'), url: 'https://example.org/' }],
  confirm,
});

export const staticSelect = (actionId = 'learn_filter_lang') => ({
  type: 'static_select',
  action_id: actionId,
  placeholder: plain('Language'),
  options: [option('en', 'English'), { ...option('fr', 'French'), description: plain('français') }],
  initial_option: { ...option('fr', 'French'), description: plain('français') },
});

export const externalSelect = (actionId = 'learn_word') => ({
  type: 'external_select',
  action_id: actionId,
  min_query_length: 2,
  initial_option: option('docker'),
});

export const section = (text = 'Docker *basics*', more: object = {}) => ({
  type: 'section',
  text: mrkdwn(text),
  ...more,
});

export const input = (element: object, more: object = {}) => ({
  type: 'input',
  block_id: 'words',
  label: plain('What do you want to learn?'),
  element,
  ...more,
});

export const textInput = {
  type: 'plain_text_input',
  action_id: 'words',
  placeholder: plain('docker'),
  max_length: 500,
  initial_value: 'docker',
};

const image = { type: 'image', image_url: 'https://example.org/a.png', alt_text: 'A whale' };

export const messageBlocks = [
  { type: 'header', text: plain('5 results') },
  section('See <https://example.org/a?b=1&amp;c=2|Docker &amp; you>, says <@U1ADA>', { accessory: image }),
  { type: 'section', fields: [mrkdwn('*Level*'), plain('Beginner')], accessory: overflow() },
  { type: 'context', elements: [image, mrkdwn('video'), plain('free')] },
  { type: 'divider' },
  { ...image, title: plain('A whale') },
  {
    type: 'actions',
    block_id: 'filters',
    elements: [
      button(),
      { ...button('learn_share'), style: 'primary', confirm },
      { type: 'button', text: plain('Open'), url: 'https://example.org/' },
      staticSelect(),
      externalSelect(),
      { type: 'conversations_select', action_id: 'where', filter: { include: ['public'] } },
      { type: 'radio_buttons', action_id: 'free', options: [option('all')], initial_option: option('all') },
      { type: 'checkboxes', action_id: 'types', options: [{ ...option('video'), text: mrkdwn('*Video*') }] },
    ],
  },
];

export const message = (blocks: readonly object[] = messageBlocks) => ({ text: 'Five results', blocks });

export const viewBlocks = [
  ...messageBlocks,
  input(textInput),
  input(
    {
      type: 'multi_static_select',
      action_id: 'types',
      option_groups: [{ label: plain('Reading'), options: [option('book')] }],
      initial_options: [option('book')],
      max_selected_items: 1,
    },
    { block_id: 'types', optional: true, hint: plain('Any') },
  ),
  input({ type: 'multi_external_select', action_id: 'terms', min_query_length: 0 }, { block_id: 'terms' }),
  input(
    { type: 'conversations_select', default_to_current_conversation: true, response_url_enabled: true },
    { block_id: 'share' },
  ),
];

export const modal = (blocks: readonly object[] = viewBlocks) => ({
  type: 'modal',
  callback_id: 'learn_search',
  title: plain('Find learning'),
  submit: plain('Search'),
  close: plain('Close'),
  private_metadata: 'token',
  blocks,
});
