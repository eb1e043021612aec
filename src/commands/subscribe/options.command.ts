/** The subscription of a command about one subscription. */
export const idOption = {
  type: 'string',
  positional: true,
  required: true,
  value: 'ID',
  summary: 'Subscription ID; see ucctl subscribe list',
} as const;

/** The subscriptions to change. */
export const idsOption = {
  type: 'list',
  positional: true,
  required: true,
  value: 'ID...',
  summary: 'Subscription IDs; see ucctl subscribe list',
} as const;
