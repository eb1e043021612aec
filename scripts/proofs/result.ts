export type Size = 'full' | 'reduced';

/** A time limit in milliseconds that the full proof asserts. The reduced one runs in the test suite, whose load on the machine is unknown. */
export function timeLimit(size: Size, milliseconds: number): number {
  return size === 'full' ? milliseconds : Number.POSITIVE_INFINITY;
}

/** One promise with the result of its proof. */
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

/** Attempts of a control. Whether a fault shows depends on the timing of processes. */
const controlAttempts = 4;

/**
 * Runs a control until it shows the fault that the proof can find, and returns its last result. A control that never
 * shows the fault does not hold.
 */
export async function untilShown(control: () => Promise<Result>): Promise<Result> {
  let result = await control();
  for (let attempt = 1; attempt < controlAttempts && !result.holds; attempt += 1) result = await control();
  return result;
}

/**
 * Runs the parts of a proof: at full size one after another, so that no part disturbs the times of another; at reduced
 * size at the same time, because each of them mostly waits. @returns their results in the given order.
 */
export async function runAll<Part>(
  parts: readonly (() => Promise<Part>)[],
  size: Size,
): Promise<readonly Part[]> {
  if (size === 'reduced') return Promise.all(parts.map((part) => part()));
  const results: Part[] = [];
  for (const part of parts) results.push(await part());
  return results;
}
