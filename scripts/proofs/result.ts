export type Size = 'full' | 'reduced';

/** One promise that was put to the test. */
export interface Result {
  readonly promise: string;
  readonly figure: string;
  readonly holds: boolean;
}

/** The value below which a share of the sorted values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** A proof for `npm run proof`: runs at full size, prints each promise with its figure, and throws when one does not hold. */
export function atFullSize(
  run: (size: Size) => Promise<readonly Result[]>,
): (say: (line: string) => void) => Promise<void> {
  return async (say) => {
    const results = await run('full');
    for (const { promise, figure, holds } of results)
      say(`${holds ? 'holds' : 'FAILS'}  ${promise}: ${figure}`);
    const failed = results.filter(({ holds }) => !holds);
    if (failed.length > 0)
      throw new Error(`does not hold: ${failed.map(({ promise }) => promise).join('; ')}`);
  };
}
