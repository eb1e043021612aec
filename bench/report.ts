/** One measured goal. */
export interface Result {
  readonly name: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** Uncertainty of the value: half the interquartile range of the values whose median is `value`. */
  readonly noise: number;
  /** 0 for a value that is only compared with others. */
  readonly goal: number;
  /** Whether the value must stay below the goal or reach it. */
  readonly sense: 'at most' | 'at least' | 'no goal';
  readonly unit?: string;
}

/** A comparison that is not possible on this machine, with the reason. The report shows it, so that it does not count as a success. */
export interface Skipped {
  readonly name: string;
  readonly skipped: string;
}

/** A figure of a minimal program, which ucctl cannot outperform. It shows what a goal can be, and has no goal itself. */
export interface Limit extends Omit<Result, 'goal' | 'sense'> {
  readonly isLimit: true;
}

export type Outcome = Result | Skipped | Limit;

/**
 * A goal is missed only if the value is beyond it by more than the noise of the same run. A value that was not measured (NaN)
 * is missed.
 */
export function isMissed({ value, noise, goal, sense }: Result): boolean {
  if (sense === 'no goal') return false;
  return sense === 'at most' ? !(value - noise <= goal) : !(value + noise >= goal);
}

/** A value beyond its goal by less than the noise of the run is not a success either. */
export function gradeOf(result: Result): 'ok' | 'within noise' | 'MISSED' | 'for comparison' {
  if (result.sense === 'no goal') return 'for comparison';
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
    if ('isLimit' in outcome) {
      process.stdout.write(`${name}  ${figuresOf(outcome)}\n`);
      continue;
    }
    const figures = figuresOf(outcome).padEnd(30);
    process.stdout.write(`${name}  ${figures} goal ${goalOf(outcome)}  ${gradeOf(outcome)}\n`);
  }
}

/** `1.08x (1.02 to 1.13)` */
export function figuresOf({ value, min, max, unit = '' }: Omit<Result, 'goal' | 'sense'>): string {
  const range = min === max ? '' : ` (${format(min)} to ${format(max)})`;
  return `${format(value)}${unit}${range}`;
}

/** `at most 1.30x` */
export function goalOf({ goal, sense, unit = '' }: Result): string {
  return sense === 'no goal' ? 'none' : `${sense} ${format(goal)}${unit}`;
}

function format(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}
