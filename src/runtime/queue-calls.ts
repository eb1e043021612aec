import type { DndStatus } from '../contract/enums.ts';

const off: Readonly<Record<DndStatus, DndStatus>> = {
  TakeAllCalls: 'DoNotAcceptDepartmentCalls',
  TakeDepartmentCallsOnly: 'DoNotAcceptAnyCalls',
  DoNotAcceptDepartmentCalls: 'DoNotAcceptDepartmentCalls',
  DoNotAcceptAnyCalls: 'DoNotAcceptAnyCalls',
};
const on: Readonly<Record<DndStatus, DndStatus>> = {
  DoNotAcceptDepartmentCalls: 'TakeAllCalls',
  DoNotAcceptAnyCalls: 'TakeDepartmentCallsOnly',
  TakeAllCalls: 'TakeAllCalls',
  TakeDepartmentCallsOnly: 'TakeDepartmentCallsOnly',
};

/**
 * Returns the dndStatus with queue calls turned on or off and all other calls unchanged. Undefined for a status that
 * PRESENCE-11 does not list.
 */
export function withQueueCalls(present: string | undefined, queueCalls: 'on' | 'off'): DndStatus | undefined {
  const table: Readonly<Record<string, DndStatus>> = queueCalls === 'on' ? on : off;
  return present === undefined || !Object.hasOwn(table, present) ? undefined : table[present];
}

/** Whether a dndStatus accepts calls from queues; undefined for a status that PRESENCE-11 does not list. */
export function acceptsQueueCalls(present: string | undefined): boolean | undefined {
  return present === undefined || !Object.hasOwn(on, present)
    ? undefined
    : on[present as DndStatus] === present;
}
