import { changedOutput } from '../../features/mailbox/changed.rows.ts';

export const idsOption = {
  type: 'list',
  positional: true,
  value: 'ID...',
  summary: 'Message ids',
} as const;

export const availabilityOption = {
  type: 'list',
  choices: ['Alive', 'Deleted', 'Purged'],
  value: 'STATE',
  summary: 'States to include; default Alive',
} as const;

/** Options that select the messages to delete or purge: ids, or a filter. */
export const whichOptions = {
  ids: { ...idsOption, requiredUnless: ['conversation', 'type', 'before'] },
  conversation: { type: 'list', value: 'ID', summary: 'All messages of these conversations, instead of ids' },
  type: {
    type: 'string',
    choices: ['SMS', 'Fax', 'VoiceMail', 'Pager', 'Text'],
    value: 'TYPE',
    summary: 'All messages of this type, instead of ids',
    conflicts: ['conversation'],
  },
  before: {
    type: 'string',
    value: 'TIME',
    summary: 'All messages older than this, instead of ids: 30d or a date',
  },
} as const;

/** Members that the specs of all commands that change messages share. */
export const changeCommand = {
  rateGroup: 'Medium',
  mutates: true,
  output: changedOutput,
} as const;

/** Exit code when the reply does not name all messages of a change. */
export const unknownExitCode = {
  14: 'the reply did not include some messages, so their outcome is unknown',
} as const;

/** Exit codes of deleting and purging. */
export const removalExitCodes = {
  3: 'the message was not found',
  8: 'some messages were not deleted',
  14: 'the service did not reply, and the outcome could not be checked',
} as const;
