/** Fields of a stored event in JSON. */
export const eventFields: readonly string[] = [
  'id',
  'receivedAt',
  'receiver',
  'origin',
  'uuid',
  'event',
  'timestamp',
  'subscriptionId',
  'ownerId',
  'body',
  'recovered',
  'sealed',
];
