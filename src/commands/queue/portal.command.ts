import { defineCommand, type AnyCommandSpec } from '../../runtime/define.ts';
import type { QueuePortalOptions } from './portal.ts';

/**
 * The service has no request that deletes queues, and dialect `current` creates them from a file. These commands only
 * name the next step.
 */
function portalCommand(verb: 'create' | 'delete'): AnyCommandSpec {
  return defineCommand<QueuePortalOptions>({
    path: ['queue', verb],
    summary: `Explain how to ${verb} a queue`,
    unlisted: true,
    options: {
      names: { type: 'list', positional: true, value: 'QUEUE', summary: 'Name of the queue' },
    },
    examples: [],
    exitCodes: { 2: 'always' },
    load: () =>
      import('./portal.ts').then((m) => (verb === 'create' ? m.explainCreation : m.explainDeletion)),
  });
}

export const queueCreate = portalCommand('create');
export const queueDelete = portalCommand('delete');
