/** A run of the journal with the numbers of changes that were not made. */
export interface RunWithCounts {
  readonly state: string;
  /** Number of changes by result. `left`: without a recorded reply. */
  readonly counts: { readonly failed: number; readonly unknown: number; readonly left: number };
}

/** Returns the state of a run with the changes that were not made, such as `done, 1 failed`. */
export function runStateText({ state, counts }: RunWithCounts): string {
  const parts = (['failed', 'unknown', 'left'] as const).flatMap((word) =>
    counts[word] > 0 ? [`${counts[word]} ${word}`] : [],
  );
  return [state, ...parts].join(', ');
}
