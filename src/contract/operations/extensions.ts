import { ExtensionBulkUpdateRequest, ExtensionBulkUpdateTask } from '../extension-bulk-update.ts';
import { Extension, ExtensionList, ExtensionQuery } from '../extension.ts';
import type { Operation } from './operation.ts';
import { account, extension } from './paths.ts';

export const extensions = {
  listExtensions: {
    method: 'GET',
    path: `${account}/extension`,
    section: 'Call queues and presence',
    summary: 'Lists extensions; `type=Department` lists call queues',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Medium',
    query: ExtensionQuery,
    status: 200,
    reply: ExtensionList,
  },
  readExtension: {
    method: 'GET',
    path: extension,
    section: 'Resources',
    summary: 'Reads one extension by ID',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Light',
    status: 200,
    reply: Extension,
  },
  updateExtensions: {
    method: 'POST',
    path: `${account}/extension-bulk-update`,
    dialects: ['current'],
    section: 'Extensions',
    summary: 'Starts a task that changes many extensions',
    authorization: 'bearer',
    permission: 'EditExtensions',
    group: 'Heavy',
    body: ExtensionBulkUpdateRequest,
    status: 200,
    reply: ExtensionBulkUpdateTask,
  },
  readExtensionUpdateTask: {
    method: 'GET',
    path: `${account}/extension-bulk-update/tasks/{taskId}`,
    dialects: ['current'],
    section: 'Extensions',
    summary: 'Reads the status and the results of a task',
    authorization: 'bearer',
    permission: 'EditExtensions',
    group: 'Light',
    status: 200,
    reply: ExtensionBulkUpdateTask,
  },
} as const satisfies Record<string, Operation>;
