import type { Client } from '../../client/index.ts';
import {
  assignmentKind,
  assignmentSends,
  assignmentWork,
  guardPlan,
  invertRun,
  journalPlan,
  neededChanges,
  readMembershipTold,
  titleOf,
  type AssignmentDetail,
  type AssignmentPayload,
  type Guard,
  type Membership,
  type PlanLimits,
} from '../../features/assignment/index.ts';
import { openDirectory, protectedAgents } from '../../features/directory/index.ts';
import {
  invertPresenceRun,
  presenceKind,
  presenceSends,
  presenceWork,
  type PresencePayload,
} from '../../features/presence/index.ts';
import {
  runOrigin,
  withholdAll,
  type BulkWork,
  type Journal,
  type RunSummary,
} from '../../features/bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import { type CommandText, ucctl } from '../../errors/hint.ts';

/** How a kind of run is taken back. */
export interface UndoPlan {
  /** Each change that will be made, in words. */
  readonly changes: readonly string[];
  /** What has changed since, in words. */
  readonly moved: readonly string[];
  /** The changes that remove a protected agent, in words: with one nothing is undone. */
  readonly blocked: readonly string[];
  /** Asks for every request, for the transport to keep back. @throws {DryRunStop} with all of them. */
  withhold(maxItems: number): Promise<void>;
  /** Writes the undoing into the journal and answers its id. */
  journal(): string;
  readonly work: BulkWork<never>;
  /** The command that resumes the undoing, without the id. */
  readonly resume: CommandText;
  /** Changes in one request, where that is not for the user to say. */
  readonly maxItems?: number;
}

interface UndoParts {
  readonly ctx: Context;
  readonly api: Client;
  readonly journal: Journal;
  readonly run: RunSummary;
}

/** How each kind of run is taken back; a kind that is not here cannot be. */
export const undoPlans: Readonly<Record<string, (parts: UndoParts) => Promise<UndoPlan>>> = {
  [assignmentKind]: undoAssignment,
  [presenceKind]: undoPresence,
};

async function undoAssignment({ ctx, api, journal, run }: UndoParts): Promise<UndoPlan> {
  const detail = journal.detail(run.id) as AssignmentDetail;
  const items = journal.items<AssignmentPayload>(run.id);
  const read = (ids: Iterable<string>): Promise<Membership> => readMembershipTold(ctx, api, ids);
  const { plan, before, moved } = await invertRun(read, detail, items);
  const limits = await protectionOf(ctx, api);
  const names = new Map(items.map(({ payload: { queue } }) => [String(queue.id), titleOf(queue)]));
  return {
    changes: neededChanges(plan).map(
      ({ action, agent, queue }) => `${action === 'add' ? '+' : '-'} ${titleOf(agent)} in ${titleOf(queue)}`,
    ),
    moved: moved.map((id) => `${names.get(id) ?? id} has other members than the run left there`),
    blocked: guardPlan(plan, before, limits).flatMap(blockedText),
    withhold: (maxItems) => withholdAll(assignmentSends(api, neededChanges(plan), maxItems)),
    journal: () =>
      journalPlan(journal, plan, {
        title: `undo of ${run.id}`,
        baseUrl: run.baseUrl,
        now: ctx.now(),
        before,
        input: { headings: [], rows: [] },
        limits: [limits],
        undoes: run.id,
        origin: runOrigin(ctx, {}),
      }),
    resume: ucctl('queue apply --resume'),
    work: assignmentWork(api) as unknown as UndoPlan['work'],
  };
}

/** The safety limits of an undo: it may remove any number of agents, but none that the profile protects. */
async function protectionOf(ctx: Context, api: Client): Promise<PlanLimits> {
  const directory = openDirectory(api, ctx.signal);
  const protectedIds = await protectedAgents(directory, ctx.settings.protect?.value ?? []);
  return { maxRemovals: undefined, allowEmpty: true, protectedIds };
}

function blockedText(guard: Guard): readonly string[] {
  if (guard.kind !== 'protected') return [];
  return [`${titleOf(guard.agent)} is protected and would be removed from ${titleOf(guard.queue)}`];
}

async function undoPresence({ ctx, api, journal, run }: UndoParts): Promise<UndoPlan> {
  const items = journal.items<PresencePayload>(run.id);
  const { payloads, moved } = await invertPresenceRun(api, items, ctx.signal);
  const subjects = new Map(items.map(({ payload, subject }) => [payload.extensionId, subject]));
  return {
    changes: payloads.map(({ extensionId, update }) => {
      const fields = Object.entries(update).map(([field, value]) => `${field} ${value}`);
      return `${subjects.get(extensionId) ?? extensionId}: ${fields.join(', ')}`;
    }),
    moved: moved.map((id) => `the presence of ${subjects.get(id) ?? id} has changed`),
    blocked: [],
    withhold: () => withholdAll(presenceSends(api, payloads)),
    journal: () =>
      journal.create<PresencePayload>({
        kind: presenceKind,
        title: `undo of ${run.id}`,
        baseUrl: run.baseUrl,
        now: ctx.now(),
        detail: { input: { headings: [], rows: [] }, ...runOrigin(ctx, {}) },
        items: payloads.map((payload) => ({
          action: 'set',
          subject: subjects.get(payload.extensionId) ?? payload.extensionId,
          payload,
        })),
      }),
    resume: ucctl('presence set --resume'),
    work: presenceWork(api) as unknown as UndoPlan['work'],
    maxItems: 1,
  };
}
