/** Members of an outcome. */
export const outcomeFields = [
  'id',
  'kind',
  'state',
  'to',
  'extension',
  'startedAt',
  'endedAt',
  'serviceId',
  'dedupeKey',
  'digest',
] as const;
