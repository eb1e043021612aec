import type { StringOption } from './command-description.ts';

/** What every command about the copy on this machine takes. */
export interface CopyOptions {
  readonly database?: string;
}

export const copyOptions = {
  database: {
    type: 'string',
    value: 'FILE',
    summary: "The copy; by default one for each profile in the user's data folder",
  },
} as const satisfies { readonly [K in keyof CopyOptions]-?: StringOption };
