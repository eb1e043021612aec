/**
 * Describes how users set a parameter or see a field: with the flag or argument of a command, not at all
 * because `ucctl` itself chooses the value (with its source), or only with `ucctl api` (with the reason why
 * no flag exists).
 */
export type Reach = { readonly flag: string } | { readonly itself: string } | { readonly apiOnly: string };

export interface OperationReach {
  /** Commands that send the request; empty if only `api` sends it. */
  readonly commands: readonly string[];
  /** The reason why no command has a flag for the parameter. */
  readonly apiOnly?: string;
  readonly parameters?: Readonly<Record<string, Reach>>;
}

/** Set by a flag or an argument of a command. */
export const flag = (words: string): Reach => ({ flag: words });
/** Chosen by `ucctl` itself. */
export const itself = (how: string): Reach => ({ itself: how });
/** Only set by `ucctl api`. */
export const apiOnly = (why: string): Reach => ({ apiOnly: why });

export const paging = {
  page: itself('ucctl reads all pages; use `api` for a single page'),
  perPage: itself('the maximum'),
} as const;
export const media = {
  contentDisposition: itself('ucctl chooses the file name'),
  contentDispositionFilename: flag('download --name-template'),
} as const;
