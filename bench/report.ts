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

/** A comparison that could not be made here, and why: nobody shall take its absence for success. */
export interface Skipped {
  readonly name: string;
  readonly skipped: string;
}

export type Outcome = Result | Skipped;

/** Missed only when it is beyond the goal by more than the noise of the same run. Nothing measured (NaN) is missed. */
export function isMissed({ value, noise, goal, sense }: Result): boolean {
  return sense === 'at most' ? !(value - noise <= goal) : !(value + noise >= goal);
}

/** A value beyond its goal that the noise of the run explains is no success either. */
export function verdictOf(result: Result): 'ok' | 'within noise' | 'MISSED' {
  if (isMissed(result)) return 'MISSED';
  return isMissed({ ...result, noise: 0 }) ? 'within noise' : 'ok';
}

export function printOutcomes(outcomes: readonly Outcome[]): void {
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  for (const outcome of outcomes) {
    const name = outcome.name.padEnd(width);
    if ('skipped' in outcome) {
      process.stdout.write(`${name}  SKIPPED: ${outcome.skipped}\n`);
      continue;
    }
    const figures = figuresOf(outcome).padEnd(30);
    process.stdout.write(`${name}  ${figures} goal ${goalOf(outcome)}  ${verdictOf(outcome)}\n`);
  }
}

/** `1.08x (1.02 to 1.13)` */
export function figuresOf({ value, min, max, unit = '' }: Result): string {
  const range = min === max ? '' : ` (${format(min)} to ${format(max)})`;
  return `${format(value)}${unit}${range}`;
}

/** `at most 1.30x` */
export function goalOf({ goal, sense, unit = '' }: Result): string {
  return `${sense} ${format(goal)}${unit}`;
}

function format(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}
