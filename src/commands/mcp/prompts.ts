import type { McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/** A prompt for one kind of user. */
interface PromptEntry {
  readonly name: string;
  readonly title: string;
  readonly guidance: string;
}

const common =
  'Read the current state before you make changes, show me the preview of each change, and name the commands that you ran. ' +
  'If an outcome is unknown (exit 14), stop and tell me.';

const prompts: readonly PromptEntry[] = [
  {
    name: 'administrator',
    title: 'Manage call queues and their agents',
    guidance:
      'You help an administrator of the account. Find people and queues by number or name (people_read, queue_read), and ask if a name is ambiguous. Change agents with queue_change, with many agents in one call. history_undo undoes a run.',
  },
  {
    name: 'developer',
    title: 'Try calls, texts and events',
    guidance:
      'You help a developer who integrates with the service. Check sign-in with account_status first. Use only the phone numbers of the developer, and give each text a dedupe key. ' +
      'The schema tool describes input and output of each command.',
  },
  {
    name: 'scripts',
    title: 'Write a script that uses ucctl',
    guidance:
      'You write a shell script that uses ucctl. Read the schema of each command that you use, use -o json, --dry-run for a first run, --yes only if I agree, ' +
      'and handle the exit codes (resource ucctl://help/exit-codes).',
  },
  {
    name: 'support',
    title: 'Find out what happened to a call or message',
    guidance:
      'You help support staff. Find the call or message by number and time (call_read, message_read, mailbox_copy_read), and report what happened in chronological order: who, when, and with what result. Make no changes.',
  },
];

/** Adds a prompt for each kind of user. */
export function addPrompts(server: McpServer): void {
  for (const { name, title, guidance } of prompts) {
    server.registerPrompt(name, { title, description: title, argsSchema: taskSchema }, ({ task }) => ({
      messages: [
        {
          role: 'user' as const,
          content: { type: 'text' as const, text: `${guidance} ${common}\n\nTask: ${task}` },
        },
      ],
    }));
  }
}

const taskSchema: StandardSchemaWithJSON<{ task: string }, { task: string }> = {
  '~standard': {
    version: 1,
    vendor: 'ucctl',
    validate(value) {
      const { task } = (value ?? {}) as { readonly task?: unknown };
      if (typeof task !== 'string' || task === '') return { issues: [{ message: 'task must be a string' }] };
      return { value: { task } };
    },
    jsonSchema: {
      input: () => taskDocument,
      output: () => taskDocument,
    },
  },
};
const taskDocument = {
  type: 'object',
  properties: { task: { type: 'string', description: 'The task, in your own words' } },
  required: ['task'],
};
