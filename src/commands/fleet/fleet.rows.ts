import { integer, nullable, oneOf, optional, text, time } from '../../runtime/output-schema.ts';
import { timeOfDay } from '../../platform/moment.ts';
import type { View } from '../../runtime/output.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

const kind = oneOf('messages', 'calls', 'media');

/** The effect of `fleet enroll` on the tasks of one kind. */
export const enrolledRows = rows(
  { empty: 'No tasks.' },
  {
    task: { schema: kind, title: 'TASK', kind: 'id', priority: 9 },
    added: { schema: integer, title: 'ADDED', kind: 'number', priority: 8 },
    updated: { schema: integer, title: 'UPDATED', kind: 'number', priority: 7 },
    removed: { schema: integer, title: 'REMOVED', kind: 'number', priority: 6 },
    everySeconds: { schema: integer, title: 'EVERY (S)', kind: 'number', priority: 5 },
  },
);

/** A line of `fleet status`. */
export const statusRows = rows(
  { empty: nextStep`No tasks. To enroll mailboxes: ${ucctl('fleet enroll')}` },
  {
    state: {
      schema: oneOf('enrolled', 'due', 'late', 'running', 'limited', 'fenced', 'failed', 'paused', 'workers'),
      title: 'STATE',
      kind: 'id',
      priority: 9,
    },
    count: { schema: integer, title: 'COUNT', kind: 'number', priority: 8 },
    detail: { schema: text, title: 'DETAIL', priority: 6, folds: true },
    advice: { schema: optional(text), title: 'ADVICE', priority: 7, folds: true },
  },
);

/** The type of a line of `fleet status`. */
export type StatusRow = RowOf<typeof statusRows>;

/** The number of tasks that a command changed. */
export const changedRows = rows(
  {},
  {
    task: { schema: kind, title: 'TASK', kind: 'id', priority: 9 },
    changed: { schema: integer, title: 'CHANGED', kind: 'number', priority: 8 },
  },
);

/** A worker that was asked to exit. */
export const drainedRows = rows(
  { empty: 'No workers.' },
  {
    worker: { schema: text, title: 'WORKER', kind: 'id', priority: 9 },
    machine: { schema: text, title: 'MACHINE', priority: 8 },
  },
);

/** The budget of one sign-in for one usage group. */
export const budgetRows = rows(
  { empty: 'No budgets yet: no reply has contained a rate limit.' },
  {
    session: { schema: text, title: 'SESSION', kind: 'id', priority: 9 },
    group: { schema: text, title: 'GROUP', priority: 8 },
    limit: { schema: nullable(integer), title: 'LIMIT', kind: 'number', priority: 6 },
    remaining: { schema: integer, title: 'LEFT', kind: 'number', priority: 7 },
    resetsInSeconds: { schema: integer, title: 'RESETS IN (S)', kind: 'number', priority: 5 },
    waitSeconds: { schema: integer, title: 'WAIT (S)', kind: 'number', priority: 4 },
  },
);

/** A sign-in of the fleet. */
export const sessionRows = rows(
  { empty: 'No additional sign-ins: each worker uses its own profile.' },
  {
    profile: { schema: text, title: 'PROFILE', kind: 'id', priority: 9 },
    user: { schema: text, title: 'USER', priority: 7 },
    origin: { schema: text, title: 'SERVICE', priority: 5 },
    addedAt: { schema: time, title: 'ADDED', kind: 'time', priority: 4 },
    problem: { schema: nullable(text), title: 'PROBLEM', priority: 8, folds: true },
  },
);

/** The result of an attempt of a task. */
export const runRows = rows(
  { empty: 'No tasks were due.' },
  {
    time: { schema: time, title: 'TIME', kind: 'time', priority: 3 },
    worker: { schema: text, title: 'WORKER', priority: 1 },
    session: { schema: text, title: 'SESSION', priority: 2 },
    task: { schema: kind, title: 'TASK', kind: 'id', priority: 9 },
    mailbox: { schema: text, title: 'MAILBOX', kind: 'id', priority: 9 },
    result: {
      schema: oneOf('done', 'retry', 'failed', 'fenced', 'released'),
      title: 'RESULT',
      kind: 'status',
      priority: 8,
    },
    milliseconds: { schema: integer, title: 'MS', kind: 'number', priority: 4 },
    received: { schema: optional(integer) },
    added: { schema: optional(integer), title: 'ADDED', kind: 'number', priority: 7 },
    changed: { schema: optional(integer), title: 'CHANGED', kind: 'number', priority: 6 },
    problem: { schema: optional(text), title: 'PROBLEM', priority: 7, folds: true },
  },
);

/** The type of a line of `fleet worker`. */
export type RunRow = RowOf<typeof runRows>;

/** The lines of `fleet worker` on a terminal. */
export const runView: View<RunRow> = { ...runRows.list, line: runText };

function runText(
  { time: at, task, mailbox, result, added, changed, problem }: RunRow,
  zone?: string,
): string {
  const counts = result === 'done' ? ` ${added ?? 0} added, ${changed ?? 0} changed` : '';
  const why = problem === undefined ? '' : `: ${problem}`;
  return `${timeOfDay(at, zone)}  ${task} of ${mailbox}: ${result}${counts}${why}`;
}
