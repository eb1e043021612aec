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

export const firstOption = {
  type: 'integer',
  short: 'L',
  value: 'N',
  min: 1,
  summary: 'Stop after this many',
} as const;
