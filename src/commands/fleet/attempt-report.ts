import type { ClaimedTask, TaskEnd } from '../../features/fleet/index.ts';
import type { SpanFacts } from '../../platform/spans.ts';
import type { LogEntry } from '../../runtime/output.ts';
import type { RunRow } from './fleet.rows.ts';

/** Returns the span of an attempt. */
export function spanOf({ kind, subject, attempts, fence }: ClaimedTask): SpanFacts {
  return {
    name: `task ${kind}`,
    kind: 'internal',
    attributes: {
      'ucctl.task': kind,
      'ucctl.extension.id': kind === 'calls' ? undefined : subject,
      'ucctl.attempt': attempts,
      'ucctl.fence': fence,
    },
  };
}

/** Returns the entry of an attempt for the structured log. */
export function entryOf({ task: { kind, label, subject } }: TaskEnd, row: RunRow): LogEntry {
  const isProblem = row.result !== 'done' && row.result !== 'released';
  return {
    level: isProblem ? 'warn' : 'info',
    message: `${kind} of ${label}: ${row.result}`,
    ...row,
    extensionId: kind === 'calls' ? undefined : subject,
    run: row.worker,
    // The log adds its own time to the entry.
    time: undefined,
    worker: undefined,
  };
}

/** Returns whether an attempt changed the archive or had a problem. */
export function isNews({ result, report }: TaskEnd): boolean {
  const { added = 0, changed = 0 } = (report ?? {}) as Partial<RunRow>;
  return result !== 'done' || added + changed > 0;
}

/** Returns the line of an attempt. @param name the name of the worker. @param now milliseconds since 1970. */
export function rowOf(
  { task, session, result, milliseconds, report, problem }: TaskEnd,
  name: string,
  now: number,
): RunRow {
  const { received, added, changed } = (report ?? {}) as Partial<RunRow>;
  return {
    time: new Date(now).toISOString(),
    worker: name,
    session,
    task: task.kind,
    mailbox: task.label,
    result,
    milliseconds,
    ...(report && { received, added, changed }),
    ...(problem !== undefined && { problem }),
  };
}
