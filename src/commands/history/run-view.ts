import type { JournalItem, RunSummary } from '../../features/bulk/index.ts';
import type { View } from '../../runtime/output.ts';

/** A run for people and programs: times in ISO 8601. */
export interface RunRow extends Omit<RunSummary, 'started' | 'ended'> {
  readonly started: string;
  readonly ended: string | null;
}

/** A run of the journal, for people and programs. */
export function toRunRow(run: RunSummary): RunRow {
  return {
    ...run,
    started: new Date(run.started).toISOString(),
    ended: run.ended === undefined ? null : new Date(run.ended).toISOString(),
  };
}

export const runView: View<RunRow> = {
  columns: [
    { key: 'id', title: 'RUN', value: (run) => run.id, priority: 8, whole: true },
    { key: 'started', title: 'STARTED', kind: 'time', value: (run) => run.started, priority: 6 },
    { key: 'state', title: 'STATE', kind: 'status', value: (run) => run.state, priority: 7 },
    { key: 'ok', title: 'DONE', kind: 'number', value: (run) => run.counts.ok, priority: 5 },
    { key: 'failed', title: 'FAILED', kind: 'number', value: (run) => run.counts.failed, priority: 5 },
    { key: 'unknown', title: 'UNKNOWN', kind: 'number', value: (run) => run.counts.unknown, priority: 3 },
    {
      key: 'left',
      title: 'LEFT',
      kind: 'number',
      value: (run) => run.counts.planned + run.counts.sent,
      priority: 4,
    },
    { key: 'title', title: 'WHAT', value: (run) => run.title, priority: 2 },
  ],
  empty: 'No runs yet.',
};

/** One change of a run, without the parts that only the engine reads. */
export interface ItemRow extends Omit<JournalItem<unknown>, 'payload' | 'time' | 'seq'> {
  /** From 1. */
  readonly seq: number;
  readonly time: string | null;
}

/** One change of the journal, for people and programs. */
export function toItemRow(item: JournalItem<unknown>): ItemRow {
  const { seq, action, subject, status, code, message, requestId, attempts, time } = item;
  const known = { seq: seq + 1, action, subject, status, code, message, requestId, attempts };
  return { ...known, time: time === undefined ? null : new Date(time).toISOString() };
}

export const itemView: View<ItemRow> = {
  columns: [
    { key: 'seq', title: '#', kind: 'number', value: (item) => item.seq, priority: 3 },
    { key: 'action', title: 'ACTION', value: (item) => item.action, priority: 7 },
    { key: 'subject', title: 'WHAT', value: (item) => item.subject, priority: 6 },
    { key: 'status', title: 'STATUS', kind: 'status', value: (item) => item.status, priority: 8 },
    { key: 'code', title: 'CODE', value: (item) => item.code, priority: 5 },
    { key: 'message', title: 'MESSAGE', value: (item) => item.message, priority: 4, folds: true },
    { key: 'requestId', title: 'REQUEST', kind: 'id', value: (item) => item.requestId, priority: 1 },
    { key: 'attempts', title: 'SENT', kind: 'number', value: (item) => item.attempts, priority: 2 },
    { key: 'time', title: 'TIME', kind: 'time', value: (item) => item.time, priority: 2 },
  ],
};
