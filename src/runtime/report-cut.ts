import type { Output } from './output.ts';

/**
 * Reports that a limit cut a list. `limit` is the limit that the user gave. The default limit is a warning, which `--quiet`
 * does not hide, because the user did not ask for a part of the list.
 */
export function reportCut(out: Output, text: string, limit: number | undefined): void {
  if (limit === undefined) out.warn(text);
  else out.note(text);
}
