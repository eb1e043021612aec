import { untilSaid } from '../live.ts';
import type { NounCases, Situations } from '../cases.ts';

const oneThing = { none: 'it shows one thing' };
const unknownQueue = { words: 'Nowhere', exit: 3, code: 'not_found' };
const desired = 'queues:\n  - queue: Support\n    agents: [102, 103, 105]\n';
const asIs = 'queue,extension,action\n201,102,add\n';

export const queue: NounCases = {
  desk: {
    files: { 'desired.yaml': desired, 'as-is.csv': asIs, 'bad.csv': 'queue,extension\n201,1.16E+20\n' },
  },
  commands: {
    'queue list': {
      success: { words: '--members' },
      empty: { words: '', blank: /call-queues|extension$/ },
      error: { words: '--limit', exit: 2, code: 'usage' },
    },
    'queue show': { success: { words: 'Support' }, empty: oneThing, error: unknownQueue },
    'queue members': {
      success: { words: '201' },
      empty: { words: '201', blank: /members$/ },
      error: unknownQueue,
    },
    'queue watch': {
      success: { words: 'Support --poll', gives: 'stream', how: untilSaid(3) },
      empty: { none: 'it runs until it is ended' },
      error: unknownQueue,
    },
    'queue export': {
      success: { words: 'Support' },
      empty: { words: 'Support', blank: /members$/ },
      error: unknownQueue,
    },
    'queue plan': {
      success: { words: '-f desired.yaml', table: 'text' },
      empty: { words: '-f as-is.csv', table: 'text' },
      error: { words: '-f bad.csv --exact', exit: 2, code: 'usage' },
    },
    'queue apply': {
      success: {
        words: async (desk) => {
          await desk.run('queue assign --queue 201 --add 104 --remove 105 --yes');
          return '-f desired.yaml --yes';
        },
      },
      empty: { words: '-f as-is.csv --yes' },
      error: { words: '-f none.yaml', exit: 2, code: 'unreadable_file' },
    },
    'queue assign': {
      success: {
        words: async (desk) => {
          await desk.run('queue assign --queue 201 --remove 105 --yes');
          return '--queue 201 --add 105 --yes';
        },
      },
      empty: { words: '--queue 201 --add 102 --yes' },
      error: { words: '--queue Nowhere --add 102', exit: 3, code: 'not_found' },
    },
    'queue unassign': {
      success: {
        words: async (desk) => {
          await desk.run('queue assign --queue 201 --add 105 --yes');
          return '201 105 --yes';
        },
      },
      empty: { words: '201 106 --yes' },
      error: { words: 'Nowhere 102', exit: 3, code: 'not_found' },
    },
    'queue create': portal(),
    'queue delete': portal(),
  },
};

/** Queues are created in the portal: the command always fails. */
function portal(): Situations {
  const rejected = { words: 'Support', exit: 2, gives: 'nothing' } as const;
  return { success: rejected, empty: { none: 'it always refuses' }, error: { ...rejected, code: 'usage' } };
}

export const agent: NounCases = {
  desk: {},
  commands: {
    'agent list': {
      success: { words: '--presence' },
      empty: { words: '', blank: /members$/ },
      error: { words: '--queue Nowhere', exit: 3, code: 'not_found' },
    },
    'agent show': {
      success: { words: '102' },
      empty: oneThing,
      error: { words: '999', exit: 3, code: 'not_found' },
    },
  },
};

export const presence: NounCases = {
  desk: {},
  commands: {
    'presence get': {
      success: { words: '102 103 --detailed' },
      empty: { words: '--queue Support', blank: /members$/ },
      error: { words: '999', exit: 3, code: 'not_found' },
    },
    'presence set': {
      success: { words: '102 --user-status Busy --message lunch --yes' },
      empty: { words: '102 103 --user-status Busy --yes' },
      error: { words: '999 --user-status Busy --yes', exit: 3, code: 'not_found' },
    },
    'presence watch': {
      success: { words: '102 103 --poll', gives: 'stream', how: untilSaid(2) },
      empty: { none: 'it runs until it is ended' },
      error: { words: '999', exit: 3, code: 'not_found' },
    },
  },
};

export const audit: NounCases = {
  desk: {
    sandbox: { dialect: 'current' },
    prepare: (desk) => desk.run('queue assign --queue 201 --add 105 --yes'),
  },
  commands: {
    'audit list': {
      success: { words: '--by 100 --action CALL_QUEUE_MEMBERS_UPDATE' },
      empty: { words: '--by 102' },
      error: { words: '--by 999', exit: 3, code: 'not_found' },
    },
  },
};
