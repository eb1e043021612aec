import { fleetState, type FleetState, type SignInLoss } from '../../features/fleet/index.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { hintFor } from '../../runtime/hint-for.ts';
import { lossOf, signInAgain } from './lost-sign-in.ts';
import { sessionName } from './session-name.ts';
import { statusRows, type StatusRow } from './fleet.rows.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

/** `fleet status`: a line for each state. */
export async function status(ctx: Context): Promise<void> {
  const lines = statusLines(await fleetState(await ctx.store()));
  const rows = lines.map(({ state, count, detail, advice }) => ({
    state,
    count,
    detail,
    advice: advice && hintFor(ctx, advice),
  }));
  await ctx.out.list(rows, statusRows.list);
}

/** A line, whose advice can contain commands. */
type StatusLine = Omit<StatusRow, 'advice'> & { readonly advice?: Hint };

/** Returns the lines of a state; none without tasks. */
function statusLines(state: FleetState): readonly StatusLine[] {
  if (state.kinds.length === 0) return [];
  const isStaffed = state.workers.some((worker) => worker.state === 'running');
  const help = isStaffed ? undefined : adviceWithoutWorker(state);
  return [
    { state: 'enrolled', ...tasksOf(state, 'tasks') },
    ...backlogLines(state, help),
    ...problemLines(state),
    workerLine(state, help),
  ];
}

/** Returns the next step if no worker runs. A new worker would also exit without a sign-in. */
function adviceWithoutWorker({ lostSignIns: [loss] }: FleetState): Hint {
  return loss === undefined ? nextStep`start a worker: ${ucctl('fleet worker')}` : adviceAfterLoss(loss);
}

function adviceAfterLoss(loss: SignInLoss): Hint {
  return nextStep`${signInAgain(loss)}; then start the worker again`;
}

/** Returns the number of tasks in a state, by kind. */
function tasksOf(
  { kinds }: FleetState,
  member: 'tasks' | 'due' | 'late' | 'running' | 'paused' | 'failed' | 'fenced',
): Pick<StatusRow, 'count' | 'detail'> {
  const some = kinds.filter((kind) => kind[member] > 0);
  return {
    count: some.reduce((total, kind) => total + kind[member], 0),
    detail: some.map((kind) => `${kind.kind}: ${kind[member]}`).join(', '),
  };
}

function backlogLines(state: FleetState, help: Hint | undefined): readonly StatusLine[] {
  const limited = state.budgets.filter(({ waitSeconds }) => waitSeconds > 0);
  const due = tasksOf(state, 'due');
  const late = tasksOf(state, 'late');
  const oldest = Math.max(0, ...state.kinds.map(({ oldestDueSeconds }) => oldestDueSeconds));
  const dueDetail = due.count > 0 ? `${due.detail}; the oldest has been due for ${oldest} s` : '';
  const isLimiting = limited.length > 0 && due.count > 0;
  return [
    advised(
      { state: 'due', count: due.count, detail: dueDetail },
      due.count > 0 ? (help ?? adviceForDue(isLimiting)) : undefined,
    ),
    advised({ state: 'late', ...late }, late.count > 0 ? (help ?? adviceForLate(isLimiting)) : undefined),
    { state: 'running', ...tasksOf(state, 'running') },
    advised(
      {
        state: 'limited',
        count: limited.length,
        detail: limited.map((one) => `${sessionName(one)} ${one.group} for ${one.waitSeconds} s`).join(', '),
      },
      isLimiting
        ? nextStep`more workers do not help; add a sign-in: ${ucctl('fleet session add')}`
        : undefined,
    ),
  ];
}

function problemLines(state: FleetState): readonly StatusLine[] {
  const fenced = tasksOf(state, 'fenced');
  const failed = tasksOf(state, 'failed');
  const paused = tasksOf(state, 'paused');
  const shown = state.problems.filter((one) => failed.count === 0 || one.state === 'failed').slice(0, 3);
  return [
    advised(
      {
        state: 'fenced',
        count: fenced.count,
        detail:
          fenced.count > 0 ? `${counted(fenced.count, 'reply', 'replies')} discarded; no data was lost` : '',
      },
      fenced.count > 0 ? 'if the number grows, look for overloaded or suspended machines' : undefined,
    ),
    advised(
      {
        state: 'failed',
        count: failed.count,
        detail: shown.map(({ kind, label, problem }) => `${kind} of ${label}: ${problem}`).join('; '),
      },
      failed.count > 0 ? nextStep`fix the problem, then run: ${ucctl('fleet retry')}` : undefined,
    ),
    advised({ state: 'paused', ...paused }, paused.count > 0 ? ucctl('fleet resume') : undefined),
  ];
}

function workerLine({ workers, lostSignIns }: FleetState, help: Hint | undefined): StatusLine {
  const details = workers.map((one) => `${one.worker} ${one.state}, ${counted(one.running, 'task')}`);
  const lost = workers.filter((worker) => worker.state === 'lost').length;
  const [loss] = lostSignIns;
  const next = help ?? (loss && adviceAfterLoss(loss));
  return advised(
    {
      state: 'workers',
      count: workers.filter((worker) => worker.state === 'running').length,
      detail: [...details, ...lostSignIns.map(lossOf)].join('; '),
    },
    lost > 0
      ? nextStep`no report from ${counted(lost, 'worker')}; ${next ?? 'other workers take over their tasks'}`
      : next,
  );
}

function adviceForDue(isLimited: boolean): string {
  return isLimited
    ? 'the tasks wait for the rate limit; see the line "limited"'
    : 'if the number does not decrease, start more workers, or raise --concurrency';
}

function adviceForLate(isLimited: boolean): Hint {
  return isLimited
    ? nextStep`the rate limit delays the tasks: add a sign-in (${ucctl('fleet session add')}), or enroll again with a longer --every`
    : 'start more workers, or raise --concurrency';
}

function advised(row: StatusLine, advice: Hint | undefined): StatusLine {
  return { ...row, ...(advice !== undefined && { advice }) };
}
