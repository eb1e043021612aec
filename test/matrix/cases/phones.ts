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
    'queue availability': {
      success: { words: 'Support' },
      empty: { words: 'Support', blank: /(members|\/presence)$/ },
      error: unknownQueue,
    },
    'queue diff': {
      success: {
        words: async (desk) => {
          await desk.run('queue assign --queue 201 --add 104 --yes');
          return '-f desired.yaml';
        },
      },
      empty: {
        words: async (desk) => {
          await desk.run('queue apply -f desired.yaml --yes');
          return '-f desired.yaml';
        },
      },
      error: { words: '-f none.yaml', exit: 2, code: 'unreadable_file' },
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
  return {
    success: rejected,
    empty: { none: 'it always rejects the call' },
    error: { ...rejected, code: 'usage' },
  };
}

const people = 'agent,department,status\n102,Night shift,\n103,,Disabled\n';

export const agent: NounCases = {
  // Only this dialect has all commands of the noun.
  desk: {
    sandbox: { dialect: 'current' },
    files: { 'people.csv': people, 'same.csv': 'agent,lastName\n102,Okafor\n' },
  },
  commands: {
    'agent export': {
      success: { words: '102 103' },
      empty: { words: '', blank: /extension$/ },
      error: { words: '999', exit: 3, code: 'not_found' },
    },
    'agent plan': {
      success: { words: '-f people.csv', table: 'text' },
      empty: { words: '-f same.csv', table: 'text' },
      error: { words: '-f none.csv', exit: 2, code: 'unreadable_file' },
    },
    'agent apply': {
      success: {
        words: async (desk) => {
          await desk.run('history undo last --yes');
          return '-f people.csv --yes';
        },
      },
      empty: { words: '-f same.csv --yes' },
      error: { words: '-f none.csv', exit: 2, code: 'unreadable_file' },
    },
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
    'agent availability': {
      success: { words: '102' },
      empty: { words: '102', blank: /(members|\/call-queue-presence)$/ },
      error: { words: '999', exit: 3, code: 'not_found' },
    },
  },
};

export const presence: NounCases = {
  desk: {},
  commands: {
    'presence show': {
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

export const account: NounCases = {
  desk: { sandbox: { dialect: 'current' } },
  commands: {
    'account export': {
      success: { words: 'company' },
      empty: { none: 'it shows the files that it writes' },
      error: { words: 'company --only menus', exit: 2, code: 'usage' },
    },
    'account diff': {
      success: {
        words: async (desk) => {
          await desk.run('account export company');
          await desk.run('queue assign --queue 201 --add 107 --yes');
          return 'company';
        },
      },
      empty: {
        words: async (desk) => {
          await desk.run('account export same');
          return 'same';
        },
      },
      error: { words: 'none', exit: 2, code: 'usage' },
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

const opening = 'hours:\n  - owner: company\n    saturday: 10:00-14:00\n';
const regular = 'hours:\n  - owner: company\n    monday: 09:00-18:00\n';
const afterHours = 'rules:\n  - extension: 102\n    rule: after-hours-rule\n    enabled: ';

export const hours: NounCases = {
  desk: {
    sandbox: { dialect: 'current' },
    files: { 'hours.yaml': opening, 'same.yaml': regular, 'bad.yaml': 'hours: 5\n' },
  },
  commands: {
    'hours list': { success: { words: 'company 201' }, empty: oneThing, error: unknownQueue },
    'hours export': { success: { words: '--queues' }, empty: oneThing, error: unknownQueue },
    'hours plan': {
      success: { words: '-f hours.yaml', table: 'text' },
      empty: { words: '-f same.yaml', table: 'text' },
      error: { words: '-f bad.yaml', exit: 2, code: 'usage' },
    },
    'hours apply': {
      success: {
        words: async (desk) => {
          await desk.run('history undo last --yes');
          return '-f hours.yaml --yes';
        },
      },
      empty: { words: '-f same.yaml --yes' },
      error: { words: '-f bad.yaml', exit: 2, code: 'usage' },
    },
  },
};

export const rule: NounCases = {
  desk: {
    sandbox: { dialect: 'current' },
    files: {
      'rules.yaml': `${afterHours}false\n`,
      'same.yaml': `${afterHours}true\n`,
      'bad.yaml': 'rules: 5\n',
    },
  },
  commands: {
    'rule list': {
      success: { words: '102' },
      empty: { words: '102', blank: /answering-rule$/ },
      error: unknownQueue,
    },
    'rule export': {
      success: { words: '102' },
      empty: { words: '102', blank: /answering-rule$/ },
      error: unknownQueue,
    },
    'rule plan': {
      success: { words: '-f rules.yaml', table: 'text' },
      empty: { words: '-f same.yaml', table: 'text' },
      error: { words: '-f bad.yaml', exit: 2, code: 'usage' },
    },
    'rule apply': {
      success: {
        words: async (desk) => {
          await desk.run('history undo last --yes');
          return '-f rules.yaml --yes';
        },
      },
      empty: { words: '-f same.yaml --yes' },
      error: { words: '-f bad.yaml', exit: 2, code: 'usage' },
    },
  },
};
