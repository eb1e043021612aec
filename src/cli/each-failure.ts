import { Exit, messageOf } from '../errors/command.ts';
import type { EachFailedError } from '../errors/each-failed.ts';
import type { Failure } from './failure.ts';

function longest(waits: readonly number[]): number | undefined {
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Returns the failure of several items of which none succeeded: the failure of one item if all failed in the same way. */
export function eachFailure(
  { message, failures, listed, hint }: EachFailedError,
  classify: (error: unknown) => Failure,
): Failure {
  const each = failures.map(({ error }) => classify(error));
  const [first] = each;
  const same = each.every(({ code, exit }) => code === first?.code && exit === first.exit)
    ? first
    : undefined;
  const more = failures.length - listed;
  return {
    code: same?.code ?? 'failed',
    message,
    exit: same?.exit ?? Exit.failed,
    need: same?.need,
    details: [
      ...failures.slice(0, listed).map(({ id, error }) => `${id}: ${messageOf(error)}`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    hint: hint ?? same?.hint ?? 'fix the problems, and run the command again',
    retryable: each.every(({ retryable }) => retryable),
    retryAfter: same && longest(each.flatMap(({ retryAfter }) => retryAfter ?? [])),
  };
}
