import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  fromFlags,
  readAssignments,
  resolveRequests,
  type AssignmentRequest,
  type ResolveResult,
} from '../../features/assignment/index.ts';
import type { Directory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { fileTrouble } from '../../platform/file-trouble.ts';
import { CommandError, Exit, lookupError, notFoundError, usageError } from '../../runtime/errors.ts';
import type { QueueAssignOptions } from './assign.ts';

/** The wishes of the user from the flags or the file. */
export async function readRequests(
  ctx: Context,
  options: QueueAssignOptions,
): Promise<readonly AssignmentRequest[]> {
  const { queue, add, remove, file } = options;
  const named = add.length + remove.length;
  if (file === undefined) {
    if (queue === undefined) throw usageError('say which queue: --queue QUEUE, or a list with --file');
    if (named === 0) throw usageError('say whom to --add or --remove');
    return fromFlags(queue, add, remove);
  }
  if (queue !== undefined || named > 0) {
    throw usageError('--file does not go together with --queue, --add and --remove');
  }
  const { requests, problems } = readAssignments(await readText(ctx, file), file === '-' ? 'stdin' : file);
  if (problems.length > 0) throw usageError(countProblems(problems), 'nothing was sent', problems);
  return requests;
}

function countProblems(problems: readonly string[]): string {
  return problems.length === 1
    ? 'there is a problem in the list'
    : `there are ${problems.length} problems in the list`;
}

async function readText(ctx: Context, file: string): Promise<string> {
  if (file === '-') return ctx.input.text();
  try {
    return await readFile(resolve(ctx.cwd, file), 'utf8');
  } catch (cause) {
    throw new CommandError('unreadable_file', Exit.usage, `cannot read ${file}: ${fileTrouble(cause)}`, {
      hint: 'check the path, or give - for standard input',
      cause,
    });
  }
}

/** Finds every queue and agent that is named. @throws {CommandError} that tells all names that led nowhere. */
export async function resolveAll(
  requests: readonly AssignmentRequest[],
  directory: Directory,
): Promise<ResolveResult['resolved']> {
  const { resolved, failures } = await resolveRequests(requests, directory);
  const [first, second] = failures;
  if (!first) return resolved;
  if (!second) throw lookupError({ ...first.failure, message: first.text });
  const details = failures.flatMap(({ text, failure }) => [
    failure.kind === 'unknown' ? `${text} (${failure.hint})` : text,
    ...failure.details.map((candidate) => `  ${candidate}`),
  ]);
  const message = `${failures.length} names lead nowhere`;
  const allUnknown = failures.every(({ failure }) => failure.kind === 'unknown');
  if (allUnknown) throw notFoundError(message, 'nothing was sent', details);
  throw usageError(message, 'nothing was sent', details);
}
