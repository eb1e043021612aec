import type { OperationId } from '../../../src/contract/operations.ts';
import { apiOnly, flag, itself, paging, type OperationReach } from './reach.ts';

/** Extensions, call queues and presence. */
export const queues = {
  listExtensions: {
    commands: ['queue list', 'agent list', 'agent export'],
    parameters: {
      ...paging,
      type: itself('queue list for queues, agent list for people'),
      extensionNumber: apiOnly('ucctl looks up numbers and names in the complete list'),
      email: apiOnly('as extensionNumber'),
      status: apiOnly('use --jq to filter the list'),
    },
  },
  readExtension: { commands: ['outcome resolve', 'audit list'] },
  updateExtension: {
    commands: [],
    apiOnly: 'agent apply changes many extensions in one request',
    parameters: {
      status: apiOnly('agent apply --file'),
      statusInfo: apiOnly('agent apply --file'),
      extensionNumber: apiOnly('agent apply --file'),
      contact: apiOnly('agent apply --file'),
      site: apiOnly('agent apply --file'),
    },
  },
  updateExtensions: {
    commands: ['agent apply', 'history undo'],
    parameters: { records: flag('agent apply --file') },
  },
  readExtensionUpdateTask: { commands: ['agent apply'] },
  listDepartmentMembers: { commands: ['queue members', 'queue show'], parameters: paging },
  bulkAssignDepartmentMembers: {
    commands: ['queue assign', 'queue apply', 'queue unassign', 'history undo'],
    parameters: { items: flag('queue assign --file') },
  },
  listCallQueues: {
    commands: ['agent show', 'queue apply'],
    parameters: { ...paging, memberExtensionId: itself('agent show for the queues of an agent') },
  },
  readCallQueue: { commands: ['queue export', 'queue diff', 'queue plan', 'queue apply'] },
  updateCallQueue: {
    commands: ['queue apply', 'history undo'],
    parameters: {
      extensionNumber: flag('queue apply --file'),
      name: flag('queue apply --file'),
      status: flag('queue apply --file'),
      serviceLevelSettings: flag('queue apply --file'),
      editableMemberStatus: flag('queue apply --file'),
      alertTimer: flag('queue apply --file'),
    },
  },
  listCallQueueMembers: { commands: ['queue members', 'queue show'], parameters: paging },
  assignCallQueueMembers: {
    commands: ['queue assign', 'queue apply', 'queue unassign', 'history undo'],
    parameters: {
      addedExtensionIds: flag('queue assign --add'),
      removedExtensionIds: flag('queue assign --remove'),
    },
  },
  createExtension: {
    commands: ['queue apply'],
    parameters: {
      type: itself('a call queue'),
      name: flag('queue apply --file'),
      contact: itself('the name of the queue'),
      extensionNumber: flag('queue apply --file'),
      status: flag('queue apply --file'),
    },
  },
  updateMemberQueues: {
    commands: [],
    apiOnly: 'queue assign changes only the named queues of a user',
    parameters: { records: apiOnly('queue assign --add and --remove') },
  },
  readExtensionFeatures: {
    commands: ['presence set'],
    parameters: {
      featureId: itself('NewCallHandlingAndForwarding'),
      availableOnly: apiOnly('the reply states the reason for a missing feature'),
    },
  },
  readCallQueuePresence: { commands: ['queue availability'] },
  updateCallQueuePresence: {
    commands: ['queue availability'],
    parameters: { records: flag('queue availability --agent') },
  },
  readExtensionQueuePresence: {
    commands: ['agent availability', 'presence set'],
    parameters: {
      editableMemberStatus: apiOnly('shown in the column EDITABLE; use --jq to filter the list'),
    },
  },
  updateExtensionQueuePresence: {
    commands: ['presence set'],
    parameters: { records: flag('presence set --queue-calls') },
  },
  listPresences: {
    commands: ['presence watch', 'agent list'],
    parameters: {
      ...paging,
      detailedTelephonyState: itself('always true for boards, because they show active calls'),
      sipData: apiOnly('signaling data, which is useful only for a telephone'),
    },
  },
  readPresence: {
    commands: ['presence show', 'agent show', 'presence watch'],
    parameters: {
      detailedTelephonyState: flag('presence show --detailed'),
      sipData: apiOnly('signaling data, which is useful only for a telephone'),
    },
  },
  updatePresence: {
    commands: ['presence set'],
    parameters: {
      userStatus: flag('presence set --user-status'),
      dndStatus: flag('presence set --dnd-status'),
      dndStatusPersonal: apiOnly('shown by presence show; presence set --dnd-status changes the mode'),
      acceptCallQueueCalls: apiOnly('shown by presence show; presence set --queue-calls changes the queues'),
      callerIdVisibility: apiOnly('shown by presence show; a setting of the telephone'),
      message: flag('presence set --message'),
      allowSeeMyPresence: flag('presence set --allow-see-my-presence'),
      ringOnMonitoredCall: flag('presence set --ring-on-monitored-call'),
      pickUpCallsOnHold: flag('presence set --pick-up-calls-on-hold'),
    },
  },
  readUnifiedPresence: { commands: [], apiOnly: 'presence show shows the presence in calls' },
  updateUnifiedPresence: {
    commands: [],
    apiOnly: 'presence set changes the presence in calls',
    parameters: {
      chat: apiOnly('no command of ucctl uses the chat of the service'),
      telephony: apiOnly('presence set --dnd-status changes the mode'),
    },
  },
} satisfies Partial<Record<OperationId, OperationReach>>;
