import type { Detail } from '../errors/command.ts';
import { stringifyJson } from '../platform/json.ts';
import { escapeJson, safe, safeLines } from '../platform/terminal-text.ts';
import type { Output } from '../runtime/output.ts';
import type { ServerReason, ShownFailure } from './failure.ts';

function machineText(detail: Detail): string {
  return typeof detail === 'string' ? detail : detail.machine;
}

/** Returns the error as one line of JSON, for the JSON formats. */
export function jsonError(failure: ShownFailure): string {
  const error = {
    code: failure.code,
    message: failure.message,
    hint: failure.hint,
    need: failure.need,
    details: failure.details?.length ? failure.details.map(machineText) : undefined,
    retryable: failure.retryable,
    retry_after: failure.retryAfter,
    run: failure.run,
    outcome: failure.outcome,
    earlier: failure.earlier,
    http_status: failure.httpStatus,
    server_code: failure.serverCode,
    server_errors: failure.serverErrors,
    request_id: failure.requestId,
    exit: failure.exit,
  };
  return `${escapeJson(stringifyJson({ error }))}\n`;
}

/**
 * Returns the error for people: what failed, what is missing, what to do next, and which request failed. Control
 * characters are escaped. `style` only marks a text; the caller passes the report to `forStderr` of the same output,
 * which adds the colors.
 */
export function humanError(
  failure: ShownFailure,
  profile: string | undefined,
  style: Output['style'],
): string {
  const tag = serverTag(failure);
  const lines = [`${style('bad', 'error:')} ${safe(failure.message)}${tag ? ` [${safe(tag)}]` : ''}`];
  for (const reason of shownReasons(failure)) lines.push(`  ${safe(reasonText(reason))}`);
  for (const detail of failure.details ?? [])
    lines.push(`  ${safe(typeof detail === 'string' ? detail : detail.people)}`);
  const line = (label: string, text: string): void => {
    lines.push(`  ${style('dim', `${label}:`.padEnd(8))} ${safe(text)}`);
  };
  if (failure.need) line('need', failure.need);
  if (failure.hint) line('try', failure.hint);
  if (failure.request) {
    const { method, path } = failure.request;
    const id = failure.requestId ? `   ID ${failure.requestId}` : '';
    line('request', `${method} ${path}${id}${profile ? `   profile ${profile}` : ''}`);
  }
  return lines.join('\n');
}

/** Returns the codes and the status of the reply. A single reason has its code here, and other reasons have their own lines. */
function serverTag({ serverCode, serverErrors = [], httpStatus }: ShownFailure): string {
  const [only, another] = serverErrors;
  const parts = [
    // A reply without a code has its status as the code.
    serverCode === `HTTP-${httpStatus}` ? undefined : serverCode,
    another ? undefined : only?.code,
    httpStatus && `HTTP ${httpStatus}`,
  ];
  return [...new Set(parts.filter((part) => part !== undefined))].join(', ');
}

/** Returns the reasons that need a line: several reasons, or one reason that the message does not state. */
function shownReasons({ serverErrors = [] }: ShownFailure): readonly ServerReason[] {
  return serverErrors.filter(({ message }) => serverErrors.length > 1 || message !== undefined);
}

/** Returns a reason with its code and the name of its parameter. */
function reasonText({ code, message, parameter }: ServerReason): string {
  const tag = [code, parameter].filter((part) => part !== undefined).join(', ');
  return message === undefined ? `[${tag}]` : `${message} [${tag}]`;
}

/** Returns the inner trace of an error and its causes, for `--debug`. */
export function traceText(error: unknown): string {
  const parts: string[] = [];
  for (let one = error; one instanceof Error && parts.length < 10; one = one.cause) {
    parts.push(safeLines(one.stack ?? `${one.name}: ${one.message}`));
  }
  return `${parts.join('\ncaused by: ')}\n`;
}
