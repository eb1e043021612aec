import { usageError } from '../../../errors/command.ts';
import { counted } from '../../../platform/counted.ts';
import type { Context } from '../../../runtime/context.ts';
import type { ShownEvent } from './shown-event.ts';

/** A condition on an event. */
export interface Where {
  /** Returns whether an event is shown and delivered. The key identifies the event if it is checked again. */
  matches(event: ShownEvent, key: string): boolean;
  /** Reports the failures that were not reported before. */
  end(): void;
}

interface WhereSettings {
  readonly now: () => number;
  readonly warn: (text: string) => void;
}

/** Compiles the option `--where` with warnings on standard error; undefined if it is not given. */
export async function whereOf(ctx: Context, expression: string | undefined): Promise<Where | undefined> {
  if (expression === undefined) return undefined;
  return compileWhere(expression, { now: () => ctx.now(), warn: (text) => ctx.out.warn(text) });
}

/**
 * Compiles `--where`, a jq expression on the body of an event (`null` without a body). As with `jq -e`, the condition
 * is true if the last result is neither false nor null. The condition is false if the expression fails on the body;
 * `warn` reports the first failure, and the number of further failures every minute and on exit.
 * @throws {CommandError} `usage` for an invalid expression.
 */
export async function compileWhere(expression: string, settings: WhereSettings): Promise<Where> {
  const jq = await loadExpression(expression, '--where');
  const failures = new WhereFailures(settings);
  return {
    matches(event, key) {
      const { stdout, stderr, exitCode } = jq.raw(JSON.stringify(event.body ?? null), expression, ['-c']);
      if (exitCode !== 0) failures.add(key, reasonOf(stderr));
      const last = stdout.trimEnd().split('\n').at(-1);
      return exitCode === 0 && last !== undefined && !['', 'false', 'null'].includes(last);
    },
    end: () => failures.report(),
  };
}

const reportInterval = 60_000;
/** Number of failed events that are remembered, because the output and the delivery check each event. */
const maxRemembered = 10_000;

/** Counts the events on which an expression fails. */
class WhereFailures {
  readonly #settings: WhereSettings;
  readonly #keys = new Set<string>();
  #reportedAt: number | undefined;
  #unreported = 0;

  constructor(settings: WhereSettings) {
    this.#settings = settings;
  }

  add(key: string, reason: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > maxRemembered && oldest !== undefined) this.#keys.delete(oldest);
    const { now, warn } = this.#settings;
    if (this.#reportedAt === undefined) {
      this.#reportedAt = now();
      warn(`--where failed for event ${key}, so the event is neither shown nor delivered: ${reason}`);
      return;
    }
    this.#unreported += 1;
    if (now() - this.#reportedAt >= reportInterval) this.report();
  }

  report(): void {
    if (this.#unreported === 0) return;
    const { now, warn } = this.#settings;
    warn(`--where failed for ${counted(this.#unreported, 'more event')}, neither shown nor delivered`);
    this.#unreported = 0;
    this.#reportedAt = now();
  }
}

/**
 * Compiles `--edit`, a jq expression that changes a complete notification. The returned function throws `usage` if the
 * result is not a single object.
 * @throws {CommandError} `usage` for an invalid expression.
 */
export async function compileEdit(expression: string): Promise<(text: string) => string> {
  const jq = await loadExpression(expression, '--edit');
  return (text) => {
    const { stdout, stderr, exitCode } = jq.raw(text, expression, ['-c']);
    const result = stdout.trim();
    if (exitCode === 0 && result.startsWith('{') && !result.includes('\n')) return result;
    throw usageError(
      `--edit: "${expression}" does not return a single object`,
      reasonOf(stderr) || 'use an expression that returns one object, such as {uuid, event}',
    );
  };
}

/** Returns the message of jq without the name of the program. */
function reasonOf(stderr: string): string {
  return stderr.replace(/^jq: /, '').trim();
}

/** Exit code of jq for an invalid expression. */
const compileErrorCode = 3;

async function loadExpression(expression: string, flag: string) {
  const { openJq } = await import('../../../platform/jq.ts');
  const jq = await openJq();
  const { stderr, exitCode } = jq.raw('null', expression, ['-c']);
  if (exitCode === compileErrorCode) {
    throw usageError(`${flag}: ${reasonOf(stderr).split('\n', 1)[0]}`, 'use a valid jq expression');
  }
  return jq;
}
