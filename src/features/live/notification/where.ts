import { usageError } from '../../../errors/command.ts';
import type { ShownEvent } from './shown-event.ts';

/** A condition on an event. */
export type Where = (event: ShownEvent) => boolean;

/**
 * Compiles `--where`, a jq expression on the body of an event (`null` without a body). As with `jq -e`, the condition
 * is true if the last result is neither false nor null. The condition is false if the expression fails on the body;
 * `warn` reports the first failure.
 * @throws {CommandError} `usage` for an invalid expression.
 */
export async function compileWhere(expression: string, warn: (text: string) => void): Promise<Where> {
  const jq = await loadExpression(expression, '--where');
  let hasFailed = false;
  return (event) => {
    const { stdout, stderr, exitCode } = jq.raw(JSON.stringify(event.body ?? null), expression, ['-c']);
    if (exitCode !== 0 && !hasFailed) {
      hasFailed = true;
      warn(`--where failed for event ${event.uuid}, so the event is not shown: ${reasonOf(stderr)}`);
    }
    const last = stdout.trimEnd().split('\n').at(-1);
    return exitCode === 0 && last !== undefined && !['', 'false', 'null'].includes(last);
  };
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
