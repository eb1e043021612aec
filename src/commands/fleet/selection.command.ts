import type { ListOption } from '../../runtime/command-description.ts';

/** The options of the commands that change tasks. */
export const selectionOptions = {
  extension: {
    type: 'list',
    value: 'EXT,...',
    summary: 'Mailboxes whose tasks to select: extension names or numbers, or all; default: all tasks',
  },
  tasks: {
    type: 'list',
    choices: ['messages', 'calls', 'media'],
    value: 'TASK,...',
    summary: 'Kinds of tasks; default: all',
  },
} as const satisfies Readonly<Record<string, ListOption>>;
