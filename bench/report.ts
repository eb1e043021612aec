/** One measured goal. */
export interface Result {
  readonly name: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** How far the value may be off: half the distance of the quartiles of what it is the median of. */
  readonly noise: number;
  readonly goal: number;
  /** Whether the value must stay below the goal or reach it. */
  readonly sense: 'at most' | 'at least';
  readonly unit?: string;
}

/** Missed only when it is beyond the goal by more than the noise of the same run. */
export function isMissed({ value, noise, goal, sense }: Result): boolean {
  return sense === 'at most' ? value - noise > goal : value + noise < goal;
}

/** A value beyond its goal that the noise of the run explains is no success either. */
export function verdictOf(result: Result): 'ok' | 'within noise' | 'MISSED' {
  if (isMissed(result)) return 'MISSED';
  return isMissed({ ...result, noise: 0 }) ? 'within noise' : 'ok';
}

export function printResults(results: readonly Result[]): void {
  const width = Math.max(...results.map(({ name }) => name.length));
  for (const result of results) {
    const { name, value, min, max, goal, sense, unit = '' } = result;
    const verdict = verdictOf(result);
    const figures = `${format(value)}${unit} (${format(min)} to ${format(max)})`;
    process.stdout.write(
      `${name.padEnd(width)}  ${figures.padEnd(30)} goal ${sense} ${format(goal)}${unit}  ${verdict}\n`,
    );
  }
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
