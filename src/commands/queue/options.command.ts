/** The queue of a command about one queue. */
export const queueOption = {
  type: 'string',
  positional: true,
  required: true,
  value: 'QUEUE',
  summary: 'ID, extension number or name of the queue',
} as const;
