import { alertTimers, queueStatuses } from '../../contract/enums.ts';
import { extensionNumberForm, type FileForm } from '../resource-plan/index.ts';

/** The settings of a queue in a file: the mapping `settings:` of an item of `queues:` (OPERATION-3). */
export const queueFileForm: FileForm = {
  list: 'queues',
  item: 'queue',
  settingsKey: 'settings',
  flags: ['create'],
  settings: [
    { name: 'name', type: 'text', maxLength: 129 },
    { name: 'number', type: 'text', ...extensionNumberForm },
    { name: 'status', type: 'text', values: queueStatuses },
    { name: 'serviceLevel.goal', type: 'integer', min: 0, max: 100 },
    { name: 'serviceLevel.threshold', type: 'integer', min: 0, max: 3600 },
    { name: 'serviceLevel.includeAbandoned', type: 'boolean' },
    { name: 'serviceLevel.abandonedThreshold', type: 'integer', min: 0, max: 3600 },
    { name: 'alertTimer', type: 'integer', values: alertTimers },
    { name: 'editableMemberStatus', type: 'boolean' },
  ],
};
