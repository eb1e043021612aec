import { humanError, jsonError, traceText } from '../cli/error-report.ts';
import type { Failure, ShownFailure } from '../cli/failure.ts';
import { interruptExit } from '../cli/interrupt-exit.ts';
import type { SeenReplies } from '../cli/seen-replies.ts';
import { Exit, ExitWith } from '../errors/command.ts';
import { hintFor } from '../runtime/hint-for.ts';
import { ClosedPipe, isClosedPipe, type ProgramOutput } from '../output/index.ts';
import type { StartedRun } from '../runtime/context.ts';
import type { OutputFormat } from '../runtime/output.ts';
import type { Settings } from '../runtime/settings.ts';
import type { System } from '../runtime/system.ts';

/** A failed run, with its error and the known settings of the run. */
export interface Report {
  readonly error: unknown;
  readonly system: System;
  readonly out: ProgramOutput;
  readonly format: OutputFormat | undefined;
  readonly debug: boolean;
  readonly settings?: Settings | undefined;
  /** Whether the command was run with `--detailed-exitcode`. */
  readonly detailed?: boolean | undefined;
  readonly replies?: SeenReplies | undefined;
  /** The run of changes that the command has started. */
  readonly started?: StartedRun | undefined;
}

/** Reports the error that ended a run. @returns the exit code. */
export async function report(failed: Report): Promise<number> {
  const { error, system, out, replies } = failed;
  await out.settled();
  if (error instanceof ClosedPipe) return Exit.ok;
  if (error instanceof ExitWith) return error.exit;
  const { toFailure } = await import('../cli/to-failure.ts');
  try {
    const ofDryRun = await reportDryRun(failed);
    if (ofDryRun !== undefined) return ofDryRun;
    const interrupted = interruptExit(error, system.signal);
    if (interrupted !== undefined) return interrupted;
    return await reportFailure(failed, toFailure(error, replies, failed.settings?.dialect.value));
  } catch (second) {
    // If stderr cannot be written, only the exit code reports the error.
    if (cannotWrite(second)) return toFailure(error, replies).exit;
    throw second;
  }
}

/** Shows the requests that a dry run did not send. @returns the exit code; undefined if another error ended the run. */
async function reportDryRun(failed: Report): Promise<number | undefined> {
  const { error, out, detailed } = failed;
  const { showRequests, unsentRequests } = await import('../cli/dry-run.ts');
  const unsent = unsentRequests(error);
  if (!unsent) return undefined;
  await showRequests(unsent, out);
  await out.settled();
  // The failure that the run would report without `--dry-run`, such as skipped rows.
  const { cause } = error as Error;
  if (cause !== undefined) return report({ ...failed, error: cause });
  return detailed ? Exit.changesPresent : Exit.ok;
}

/** Writes a failure to stderr, with its trace under `--debug`. @returns its exit code. */
async function reportFailure(
  { error, system, out, format, debug, settings, started }: Report,
  failure: Failure,
): Promise<number> {
  // Masks secrets that a server put into an error, e.g. into the address of a redirect. Error replies are
  // masked already.
  const { maskSecrets, maskValue } = await import('../platform/mask-secrets.ts');
  const ofRun = started ? withRun(failure, started) : failure;
  const masked = maskValue(shown(ofRun, settings), system.sentSecrets) as ShownFailure;
  if (out.logsJson) {
    const { message, code, hint, exit, requestId } = masked;
    out.log({ level: 'error', message, code, hint, exit, requestId });
    await out.settled();
  } else await system.stderr.write(await errorText(masked, out, format, settings));
  if (debug) await system.stderr.write(maskSecrets(traceText(error), system.sentSecrets));
  return failure.exit;
}

/** Adds the run of the command. If the run blocks the same command, only a resumption may succeed later. */
function withRun(failure: Failure, { id, isBlocking }: StartedRun): Failure {
  return { ...failure, run: failure.run ?? id, retryable: failure.retryable && !isBlocking };
}

function cannotWrite(error: unknown): boolean {
  const isFailedWrite = error instanceof Error && 'syscall' in error && error.syscall === 'write';
  return isFailedWrite || error instanceof ClosedPipe || isClosedPipe(error);
}

/** Converts the hint of a failure to text. Commands in the hint get the profile that `-p` named. */
function shown({ hint, ...failure }: Failure, settings: Settings | undefined): ShownFailure {
  return { ...failure, hint: hint && hintFor({ settings }, hint) };
}

async function errorText(
  failure: ShownFailure,
  out: ProgramOutput,
  format: OutputFormat | undefined,
  settings: Settings | undefined,
): Promise<string> {
  if (format === 'json' || format === 'ndjson') return jsonError(failure);
  return `${await out.forStderr(humanError(failure, settings?.profile.value, (kind, text) => out.style(kind, text)))}\n`;
}
