/** For everything that must go out once. */
export const dedupeKeyOption = {
  type: 'string',
  value: 'KEY',
  summary: 'Refuse to send again under the same key within 24 hours',
} as const;

/** The text of a message, from the command line or a file. */
export const textOptions = {
  text: { type: 'string', positional: true, value: 'TEXT', summary: 'The text', conflicts: ['file'] },
  file: {
    type: 'string',
    short: 'f',
    value: 'FILE',
    summary: 'Read the text from a file; - for standard input',
  },
} as const;
