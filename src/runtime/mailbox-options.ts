import { windowOptions, type WindowOptions } from './window-options.ts';

/** The mailbox to read. Only the user's own mailbox can be changed. */
export const mailboxOption = {
  type: 'string',
  short: 'e',
  value: 'EXT',
  default: '~',
  summary: 'Mailbox owner; ~ is your own extension; other extensions require an administrator',
} as const;

export const phoneOption = {
  type: 'string',
  value: 'NUMBER',
  summary: 'Show only messages from or to this number',
} as const;

export const directionOption = {
  type: 'list',
  choices: ['Inbound', 'Outbound'],
  value: 'DIRECTION',
  summary: 'Show only inbound or only outbound messages',
} as const;

export const unreadOption = {
  type: 'boolean',
  summary: 'Show only unread messages',
} as const;

/** The option for the start of the shown part of a conversation. */
export const threadSinceOption = {
  type: 'string',
  value: 'TIME',
  default: '30d',
  summary: 'Start: a date, an ISO 8601 time, or an age such as 2h or 7d',
} as const;

/** Size options of every list of messages. */
export const listOptions = {
  limit: { type: 'integer', short: 'L', value: 'N', min: 1, summary: 'Maximum number of records' },
  all: { type: 'boolean', advanced: true, summary: 'Show all records (default)', conflicts: ['limit'] },
  perPage: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 1000,
    advanced: true,
    summary: 'Number of records per request; default: 1000',
  },
} as const;

/** The parsed values of `listOptions`. */
export interface ListOptions {
  readonly limit?: number;
  readonly all?: boolean;
  readonly perPage?: number;
}

/** The options of the lists of texts and faxes, which other lists of messages extend or restrict. */
export interface MailboxListOptions extends WindowOptions, ListOptions {
  readonly phone?: string;
  readonly direction: readonly ('Inbound' | 'Outbound')[];
  readonly unread?: boolean;
  readonly extension: string;
}

export const mailboxListOptions = {
  ...windowOptions,
  phone: phoneOption,
  direction: directionOption,
  unread: unreadOption,
  ...listOptions,
  extension: mailboxOption,
} as const;
