import type { CallQueueInfo, CallQueueUpdate } from '../../contract/call-queue.ts';
import type { Value, Values } from '../resource-plan/index.ts';

/** Returns the settings of a queue by the names of the file. */
export function valuesOf(info: CallQueueInfo): Values {
  const { serviceLevelSettings: level = {} } = info;
  return {
    name: info.name ?? null,
    number: info.extensionNumber ?? null,
    status: info.status ?? null,
    'serviceLevel.goal': level.slaGoal ?? null,
    'serviceLevel.threshold': level.slaThresholdSeconds ?? null,
    'serviceLevel.includeAbandoned': level.includeAbandonedCalls ?? null,
    'serviceLevel.abandonedThreshold': level.abandonedThresholdSeconds ?? null,
    alertTimer: info.alertTimer ?? null,
    editableMemberStatus: info.editableMemberStatus ?? null,
  };
}

/** Returns the body of a request that sets these values. Absent values, which cannot be set, are omitted. */
export function updateOf(values: Values): CallQueueUpdate {
  const given = (name: string): Value | undefined => values[name] ?? undefined;
  const level = defined({
    slaGoal: given('serviceLevel.goal'),
    slaThresholdSeconds: given('serviceLevel.threshold'),
    includeAbandonedCalls: given('serviceLevel.includeAbandoned'),
    abandonedThresholdSeconds: given('serviceLevel.abandonedThreshold'),
  });
  return defined({
    name: given('name'),
    extensionNumber: given('number'),
    status: given('status'),
    alertTimer: given('alertTimer'),
    editableMemberStatus: given('editableMemberStatus'),
    serviceLevelSettings: Object.keys(level).length > 0 ? level : undefined,
  });
}

function defined(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
