import { changedOutput } from '../../features/mailbox/changed.rows.ts';

export const idsOption = {
  type: 'list',
  positional: true,
  value: 'ID...',
  summary: 'Ids of messages',
} as const;

export const availabilityOption = {
  type: 'list',
  choices: ['Alive', 'Deleted', 'Purged'],
  value: 'STATE',
  summary: 'Alive, Deleted, Purged; repeatable; Alive unless given',
} as const;

/** Which messages are deleted or purged: ids, or a filter. */
export const whichOptions = {
  ids: idsOption,
  conversation: { type: 'list', value: 'ID', summary: 'All messages of these conversations instead of ids' },
  type: {
    type: 'string',
    choices: ['SMS', 'Fax', 'VoiceMail', 'Pager', 'Text'],
    value: 'TYPE',
    summary: 'All messages of this type instead of ids',
    conflicts: ['conversation'],
  },
  before: {
    type: 'string',
    value: 'TIME',
    summary: 'Only messages older than this, instead of ids: 30d, a date',
  },
} as const;

/** What commands that change many messages have in common. */
export const changeCommand = {
  rateGroup: 'Medium',
  mutates: true,
  output: changedOutput,
} as const;

/** How a change of several messages ends where the reply says nothing about some of them. */
export const unknownExitCode = {
  14: 'the reply said nothing about some: their outcome is unknown',
} as const;

/** How deleting and purging end. */
export const removalExitCodes = {
  3: 'there is no such message',
  8: 'some were done, some were not',
  14: 'no answer came, and what became of them could not be seen',
} as const;
