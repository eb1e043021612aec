import { usageError } from '../../../errors/command.ts';
import type { ShownEvent } from './shown-event.ts';

/** Decides by the body of an event. */
export type Where = (event: ShownEvent) => boolean;

/**
 * A filter in the language of jq, which reads the body (`null` when there is none): an event is wanted when the last result is neither false
 * nor null, as `jq -e` has it. One that the expression does not work on is not wanted.
 * @throws {CommandError} `usage` for an expression that is none.
 */
export async function compileWhere(expression: string): Promise<Where> {
  const jq = await loadExpression(expression, '--where');
  return (event) => {
    const { stdout, exitCode } = jq.raw(JSON.stringify(event.body ?? null), expression, ['-c']);
    const last = stdout.trimEnd().split('\n').at(-1);
    return exitCode === 0 && last !== undefined && !['', 'false', 'null'].includes(last);
  };
}

/**
 * A change of events in the language of jq, which reads and gives a whole notification.
 * @throws {CommandError} `usage` for an expression that is none; the function throws it for a result that is no single object.
 */
export async function compileEdit(expression: string): Promise<(text: string) => string> {
  const jq = await loadExpression(expression, '--edit');
  return (text) => {
    const { stdout, stderr, exitCode } = jq.raw(text, expression, ['-c']);
    const result = stdout.trim();
    if (exitCode === 0 && result.startsWith('{') && !result.includes('\n')) return result;
    throw usageError('--edit does not give one object', stderr.replace(/^jq: /, '').trim() || undefined);
  };
}

/** Exit code of jq for an expression that cannot be compiled. */
const compileError = 3;

async function loadExpression(expression: string, flag: string) {
  const { openJq } = await import('../../../platform/jq.ts');
  const jq = await openJq();
  const { stderr, exitCode } = jq.raw('null', expression, ['-c']);
  if (exitCode === compileError) {
    throw usageError(
      `${flag}: ${stderr.replace(/^jq: /, '').split('\n', 1)[0]}`,
      'it is an expression of jq',
    );
  }
  return jq;
}
