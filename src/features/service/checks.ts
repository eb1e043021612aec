import { withinTime } from './within-time.ts';

/** Milliseconds for a check. Load balancers and other health checks often wait 5 s. */
const mostMilliseconds = 4000;

/** Checks one requirement of the service. @returns the problem; undefined if there is none. */
export type Check = () => string | undefined | Promise<string | undefined>;

/** The requirements of a service by name, such as `store` and `session`. */
export type Checks = Readonly<Record<string, Check>>;

/** The results of checks by name. */
export interface Report {
  readonly status: 'ok' | 'failed';
  /** `ok`, or the problem. */
  readonly checks: Readonly<Record<string, string>>;
}

/** Executes checks at the same time. A check that fails or takes too long is a problem. */
export async function reportOf(checks: Checks, excluded: readonly string[] = []): Promise<Report> {
  const results = await Promise.all(
    Object.entries(checks)
      .filter(([name]) => !excluded.includes(name))
      .map(async ([name, check]) => {
        let problem: string | undefined;
        const failed = await withinTime(mostMilliseconds, async () => {
          problem = await check();
        });
        return [name, failed ?? problem ?? 'ok'] as const;
      }),
  );
  const isOk = results.every(([, result]) => result === 'ok');
  return { status: isOk ? 'ok' : 'failed', checks: Object.fromEntries(results) };
}
