import type { Client } from '../../client/index.ts';
import { shownValue } from '../../platform/shown-value.ts';
import {
  assignmentKind,
  assignmentSends,
  assignmentWork,
  guardPlan,
  invertRun,
  journalPlan,
  neededChanges,
  readMembershipWithProgress,
  type AssignmentDetail,
  type AssignmentPayload,
  type Guard,
  type Membership,
  type PlanLimits,
} from '../../features/assignment/index.ts';
import { openDirectory, protectedAgents, protectedOwners } from '../../features/directory/index.ts';
import { openRules, rulesRunKind } from '../../features/answering-rules/index.ts';
import { hoursKind, hoursRunKind } from '../../features/hours/index.ts';
import { openPeople, peopleRunKind } from '../../features/people/index.ts';
import {
  hasNewCallHandling,
  invertPresenceRun,
  presenceKind,
  presenceSends,
  presenceWork,
  type PresencePayload,
} from '../../features/presence/index.ts';
import { executeRun, runOrigin, readDetail, type JournalItem } from '../../features/bulk/index.ts';
import { queueSettings, queueSettingsKind } from '../../features/queue-settings/index.ts';
import type { Context } from '../../runtime/context.ts';
import { ucctl } from '../../errors/hint.ts';
import { undoResources } from './undo-resources.ts';
import { undoDetail, type UndoParts, type UndoPlan } from './undo-plan.ts';
import { titleOf } from '../../runtime/with-number.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** The undo of each kind of run; other kinds cannot be undone. */
export const undoPlans: Readonly<Record<string, (parts: UndoParts) => Promise<UndoPlan>>> = lookupTable({
  [assignmentKind]: undoAssignment,
  [presenceKind]: undoPresence,
  [peopleRunKind]: undoPeople,
  [hoursRunKind]: undoHours,
  [rulesRunKind]: undoRules,
  [queueSettingsKind]: (parts) => undoResources(parts, queueSettings(parts.ctx, parts.api)),
});

async function undoAssignment(parts: UndoParts): Promise<UndoPlan> {
  const { ctx, api, journal, run, selected } = parts;
  const detail = readDetail(journal, run.id) as AssignmentDetail;
  const items = selected.items as readonly JournalItem<AssignmentPayload>[];
  const read = (ids: Iterable<string>): Promise<Membership> => readMembershipWithProgress(ctx, api, ids);
  const { plan, before, changedSince } = await invertRun(read, detail, items, selected.isSelected);
  const limits = await protectionOf(ctx, api);
  const names = new Map(items.map(({ payload: { queue } }) => [String(queue.id), titleOf(queue)]));
  return {
    changes: neededChanges(plan).map(
      ({ action, agent, queue }) => `${action === 'add' ? '+' : '-'} ${titleOf(agent)} in ${titleOf(queue)}`,
    ),
    changedSince: changedSince.map((id) => `the members of ${names.get(id) ?? id} have changed`),
    blocked: guardPlan(plan, before, limits).flatMap(blockedText),
    sends: (maxItems) => assignmentSends(api, neededChanges(plan), maxItems),
    journal: (partOf) =>
      journalPlan(journal, plan, {
        ...undoDetail(parts),
        baseUrl: run.baseUrl,
        now: ctx.now(),
        before,
        input: { headings: [], rows: [] },
        limits: [limits],
        partOf,
        origin: runOrigin(ctx, {}),
      }),
    resume: ucctl('queue apply --resume'),
    execute: (request) => executeRun<AssignmentPayload>({ ...request, work: assignmentWork(api) }),
  };
}

/**
 * Returns the safety limits of an undo: an undo may remove any number of agents, but no agent that the profile
 * protects.
 */
async function protectionOf(ctx: Context, api: Client): Promise<PlanLimits> {
  const directory = openDirectory(api, ctx.signal);
  const protectedIds = await protectedAgents(directory, { option: [], setting: ctx.settings.protect.value });
  return { maxRemovals: undefined, allowEmpty: true, protectedIds };
}

function blockedText(guard: Guard): readonly string[] {
  if (guard.kind !== 'protected') return [];
  return [`${titleOf(guard.agent)} is protected and would be removed from ${titleOf(guard.queue)}`];
}

async function undoPeople(parts: UndoParts): Promise<UndoPlan> {
  const { ctx, api } = parts;
  const { protectedIds } = await protectionOf(ctx, api);
  return undoResources(parts, openPeople(ctx, api).kind, protectedIds);
}

async function undoHours(parts: UndoParts): Promise<UndoPlan> {
  const { ctx, api } = parts;
  const directory = openDirectory(api, ctx.signal);
  const protectedIds = await protectedOwners(directory, { option: [], setting: ctx.settings.protect.value });
  return undoResources(parts, hoursKind(ctx, api), protectedIds);
}

async function undoRules(parts: UndoParts): Promise<UndoPlan> {
  const { ctx, api } = parts;
  const rules = openRules(ctx, api, () => hasNewCallHandling(ctx, api));
  const plan = await undoResources(parts, rules.kind);
  if (plan.changes.length > 0) await rules.requireWritable();
  return plan;
}

async function undoPresence(parts: UndoParts): Promise<UndoPlan> {
  const { ctx, api, journal, run, selected } = parts;
  const items = selected.items.filter(selected.isSelected) as readonly JournalItem<PresencePayload>[];
  const { title, ...undone } = undoDetail(parts);
  const { payloads, changedSince } = await invertPresenceRun(api, items, ctx.signal);
  const subjects = new Map(items.map(({ payload, subject }) => [payload.extensionId, subject]));
  return {
    changes: payloads.map(({ extensionId, update, queues = [] }) => {
      const fields = Object.entries(update).map(([field, value]) => `${field} ${shownValue(value)}`);
      const [first] = queues;
      if (first) fields.push(`queueCalls ${first.accepts ? 'on' : 'off'}`);
      return `${subjects.get(extensionId) ?? extensionId}: ${fields.join(', ')}`;
    }),
    changedSince: changedSince.map((id) => `the presence of ${subjects.get(id) ?? id} has changed`),
    blocked: [],
    sends: () => presenceSends(api, payloads),
    journal: () =>
      journal.create<PresencePayload>({
        kind: presenceKind,
        title,
        baseUrl: run.baseUrl,
        now: ctx.now(),
        detail: { input: { headings: [], rows: [] }, ...undone, ...runOrigin(ctx, {}) },
        items: payloads.map((payload) => ({
          action: 'set',
          subject: subjects.get(payload.extensionId) ?? payload.extensionId,
          payload,
        })),
      }),
    resume: ucctl('presence set --resume'),
    execute: (request) => executeRun<PresencePayload>({ ...request, work: presenceWork(api) }),
    maxItems: 1,
  };
}
