import type { StringOption } from './command-description.ts';

/** The option of every command that uses a local mailbox copy. */
export interface CopyOptions {
  readonly database?: string;
}

export const copyOptions = {
  database: {
    type: 'string',
    value: 'FILE',
    advanced: true,
    summary: 'File with the local mailbox copy; default: a separate file for each profile in the data folder',
    writes: 'mailbox.sqlite',
  },
} as const satisfies { readonly [K in keyof CopyOptions]-?: StringOption };
