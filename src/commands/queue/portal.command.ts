import { defineCommand, type AnyCommandSpec } from '../../runtime/define.ts';
import type { QueuePortalOptions } from './portal.ts';

/** The service has no request for creating and deleting queues. These commands refer the user to the account portal. */
function portalCommand(verb: 'create' | 'delete'): AnyCommandSpec {
  return defineCommand<QueuePortalOptions>({
    path: ['queue', verb],
    summary: `Not supported: ${verb} queues in the account portal`,
    options: {
      names: { type: 'list', positional: true, value: 'QUEUE', summary: 'Ignored' },
    },
    examples: [],
    exitCodes: { 2: 'always' },
    load: () => import('./portal.ts').then((m) => m.rejectPortalCommand),
  });
}

export const queueCreate = portalCommand('create');
export const queueDelete = portalCommand('delete');
