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
