/** Whose mailbox is read; changes are for the own one only. */
export const mailboxOption = {
  type: 'string',
  short: 'e',
  value: 'EXT',
  default: '~',
  summary: 'Whose mailbox; ~ is your own, others are for administrators',
} as const;

export const directionOption = {
  type: 'string',
  choices: ['Inbound', 'Outbound'],
  value: 'WAY',
  summary: 'Only Inbound or Outbound',
} as const;

export const unreadOption = {
  type: 'boolean',
  summary: 'Only unread ones',
} as const;

/** How far back a conversation is shown. */
export const threadSinceOption = {
  type: 'string',
  value: 'TIME',
  default: '30d',
  summary: 'From: a date, ISO 8601, 2h, 7d; 30d',
} as const;

/** How much of a list is wanted; the same for every list of messages. */
export const listOptions = {
  limit: { type: 'integer', short: 'L', value: 'N', min: 1, summary: 'Stop after this many' },
  all: { type: 'boolean', summary: 'As many as there are, which is so anyway', conflicts: ['limit'] },
  perPage: { type: 'integer', value: 'N', min: 1, max: 1000, summary: 'Records in one request; 1000' },
} as const;

/** What `listOptions` ask for. */
export interface ListOptions {
  readonly limit?: number;
  readonly all?: boolean;
  readonly perPage?: number;
}
