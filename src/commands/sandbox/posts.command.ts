import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { SandboxPostsOptions } from './posts.ts';
import { newestOption, notRunning, readyFileOption } from './options.command.ts';
import { postRows } from './log.rows.ts';

export const sandboxPosts = defineCommand<SandboxPostsOptions>({
  path: ['sandbox', 'posts'],
  summary: 'List posts to chat webhooks of a sandbox, oldest first',
  options: {
    group: {
      type: 'string',
      value: 'ID',
      summary: 'ID of the chat group or team; default: all groups and teams',
    },
    limit: newestOption,
    readyFile: readyFileOption,
  },
  examples: [{ comment: 'Show the last five posts', command: 'ucctl sandbox posts --limit 5' }],
  output: list(postRows),
  exitCodes: notRunning,
  watch: true,
  load: () => import('./posts.ts').then((m) => m.sandboxPostsCommand),
});
