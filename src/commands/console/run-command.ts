import { PageError } from '../../platform/local-page/page-route.ts';
import { shellLine } from '../../platform/shell-quoted.ts';
import type { Context } from '../../runtime/context.ts';
import { isSuccess, runNested, type NestedResult } from '../../runtime/nested-run.ts';
import type { CommandResult } from './types.ts';

/** Maximum length of the output of a command in UTF-16 code units. */
const mostResult = 50_000_000;

interface CommandOptions {
  readonly signal: AbortSignal;
  /** Standard input. */
  readonly input?: string;
  /** Code of an error with which the command also has a complete result. */
  readonly accepts?: string;
}

/**
 * Runs a command of ucctl for the page, with the profile and settings of this run, so that policy, limits and journals
 * apply as in a terminal.
 * @throws {PageError} 422 with the message and hint of the command's error.
 */
export async function runForPage(
  ctx: Context,
  words: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const ran = await runNested(ctx, words, { ...options, mostResult });
  if (ran.tooLong !== undefined) throw new PageError(422, 'the result is too long; select a shorter period');
  const { code } = (ran.error ?? {}) as { readonly code?: unknown };
  const isAccepted = options.accepts !== undefined && code === options.accepts;
  if (!isSuccess(ran) && !isAccepted) throw failureOf(words, ran);
  return { result: ran.result, notes: ran.notes, runs: ran.runs };
}

function failureOf(words: readonly string[], { error, exit, notes }: NestedResult): PageError {
  const details = typeof error === 'object' && error !== null ? error : {};
  const { message } = details as { readonly message?: unknown };
  const text =
    typeof message === 'string' ? message : (notes.at(-1) ?? `the command exited with code ${exit}`);
  return new PageError(422, text, { ...details, exit, command: `ucctl ${shellLine(words)}` });
}
