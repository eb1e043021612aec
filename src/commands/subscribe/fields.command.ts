/** Fields of a subscription in JSON. */
export const subscriptionFields: readonly string[] = [
  'id',
  'eventFilters',
  'deliveryMode',
  'status',
  'creationTime',
  'expirationTime',
  'expiresIn',
  'blacklistedData',
  'disabledFilters',
  'uri',
];

/** `--show-secrets` of every command that shows subscriptions. */
export const showSecrets = {
  type: 'boolean',
  summary: 'Show the keys of subscriptions, which are masked otherwise',
} as const;
