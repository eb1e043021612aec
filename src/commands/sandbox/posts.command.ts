import { defineCommand } from '../../runtime/define.ts';
import type { SandboxPostsOptions } from './posts.ts';
import { lastOnesOption, notRunning, readyFileOption } from './options.command.ts';

export const sandboxPosts = defineCommand<SandboxPostsOptions>({
  path: ['sandbox', 'posts'],
  summary: 'List what was posted through chat webhooks, oldest first',
  options: {
    group: { type: 'string', value: 'ID', summary: 'Of this chat group or team alone' },
    limit: lastOnesOption,
    readyFile: readyFileOption,
  },
  examples: [{ comment: 'What did my program post?', command: 'ucctl sandbox posts --limit 5' }],
  jsonFields: ['id', 'groupId', 'webhookId', 'time', 'post'],
  exitCodes: notRunning,
  watch: true,
  load: () => import('./posts.ts').then((m) => m.sandboxPostsCommand),
});
