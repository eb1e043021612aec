import { defineCommand, type AnyCommandSpec } from '../../runtime/define.ts';
import type { QueuePortalOptions } from './portal.ts';

/** Queues are made and deleted in the account portal: the service has no request for it. The commands exist to say so. */
function portalCommand(verb: 'create' | 'delete'): AnyCommandSpec {
  return defineCommand<QueuePortalOptions>({
    path: ['queue', verb],
    summary: `Not here: queues are ${verb}d in the account portal`,
    options: {
      names: { type: 'list', positional: true, value: 'QUEUE', summary: 'Ignored' },
    },
    examples: [],
    exitCodes: { 2: 'always' },
    load: () => import('./portal.ts').then((m) => m.refuseInPortal),
  });
}

export const queueCreate = portalCommand('create');
export const queueDelete = portalCommand('delete');
