import type { DndStatus } from '../../contract/enums.ts';

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
 * The state in which queue calls are taken or not and all other calls stay as they are. Undefined for a state that is not one of the
 * four of PRESENCE-11.
 */
export function withQueueCalls(present: string | undefined, queueCalls: 'on' | 'off'): DndStatus | undefined {
  const table: Readonly<Record<string, DndStatus>> = queueCalls === 'on' ? on : off;
  return present === undefined || !Object.hasOwn(table, present) ? undefined : table[present];
}
