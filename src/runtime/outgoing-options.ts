import { dayMilliseconds } from '../platform/day.ts';

/** Milliseconds for which a dedupe key prevents a second send. */
export const dedupeKeyMilliseconds = dayMilliseconds;

/** The options of commands for messages and calls, which must not be sent twice. */
export const dedupeKeyOption = {
  type: 'string',
  value: 'KEY',
  summary:
    'Key that blocks a second send with the same key within 24 hours, also by other profiles and of other kinds of messages',
} as const;

/** Meaning of exit code 11 of a command that sends one request. */
export const sendConflict =
  'an earlier request used the same --dedupe-key, or the outcome was resolved while the request waited';

/** The option that accepts a phone number which is too short or too long for its country. */
export const forceNumberOption = {
  type: 'boolean',
  advanced: true,
  summary: 'Accept a phone number that is too short or too long',
} as const;

/** The text of a message, as an argument or in a file. */
export const textOptions = {
  text: {
    type: 'string',
    positional: true,
    value: 'TEXT',
    summary: 'Text of the message; - for standard input',
    conflicts: ['file'],
  },
  file: {
    type: 'string',
    short: 'f',
    value: 'FILE',
    summary: 'Read the text from a file; - for standard input',
  },
} as const;
