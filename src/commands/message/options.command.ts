import { changedOutput } from '../../features/mailbox/changed.rows.ts';

export const idsOption = {
  type: 'list',
  positional: true,
  value: 'ID...',
  summary: 'Message IDs',
} as const;

export const availabilityOption = {
  type: 'list',
  choices: ['Alive', 'Deleted', 'Purged'],
  value: 'STATE',
  summary: 'States of messages to include; default: Alive',
} as const;

/** Options that select the messages to delete or purge: IDs, or a filter. */
export const whichOptions = {
  ids: { ...idsOption, requiredUnless: ['conversation', 'type', 'before'] },
  conversation: {
    type: 'list',
    value: 'ID',
    summary: 'Select all messages of these conversations instead of passing IDs',
  },
  type: {
    type: 'string',
    choices: ['SMS', 'Fax', 'VoiceMail', 'Pager', 'Text'],
    value: 'TYPE',
    summary: 'Select all messages of this type instead of passing IDs',
    conflicts: ['conversation'],
  },
  before: {
    type: 'string',
    value: 'TIME',
    summary: 'Select all messages older than an age or a date (e.g. 30d) instead of passing IDs',
  },
} as const;

/** Members that are the same in the specs of all commands that change messages. */
export const changeCommand = {
  rateGroup: 'Medium',
  mutates: true,
  output: changedOutput,
} as const;

/** Exit code if the reply does not name all messages of a change. */
export const unknownExitCode = {
  14: 'the reply does not include all messages; the outcome of the missing messages is unknown',
} as const;

/** Exit codes of deleting and purging. */
export const removalExitCodes = {
  3: 'message not found',
  8: 'some messages were not deleted',
  14: 'no reply: the outcome is unknown',
} as const;
