import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userOf } from '../../support/sandbox.ts';
import type { Desk } from '../desk.ts';
import type { NounCases } from '../cases.ts';
import { apart, untilSaid } from '../live.ts';

const oneThing = { none: 'it shows one thing' };
const unexpected = { words: 'unexpected', exit: 2, code: 'usage' };
/** A user without a token in the environment. */
const session = { UCCTL_TOKEN: undefined };

async function signIn(desk: Desk): Promise<string> {
  const { username, password } = userOf(desk.sandbox, '102');
  const { exit, stderr } = await desk.run(`login --flow password --username ${username}`, {
    env: { ...session, UCCTL_PASSWORD: password },
  });
  if (exit !== 0) throw new Error(stderr);
  return '';
}

export const login: NounCases = {
  desk: {},
  commands: {
    login: {
      success: {
        words: (desk) =>
          Promise.resolve(
            `--flow password --username ${userOf(desk.sandbox, '102').username} --password-stdin`,
          ),
        env: session,
        stdin: 'Sandbox-102\n',
      },
      empty: oneThing,
      error: {
        words: '--flow password --username +16505550112 --password-stdin',
        env: session,
        stdin: 'wrong\n',
        exit: 4,
        code: 'credentials_rejected',
      },
    },
  },
};

export const logout: NounCases = {
  desk: {},
  commands: {
    logout: {
      success: { words: signIn, env: session },
      empty: { words: '', env: session },
      error: unexpected,
    },
  },
};

export const status: NounCases = {
  desk: { prepare: signIn },
  commands: {
    status: {
      success: { words: '', env: session },
      empty: oneThing,
      error: { words: '-p nobody', env: session, exit: 2, code: 'no_such_profile' },
    },
  },
};

export const api: NounCases = {
  desk: {},
  commands: {
    api: {
      success: { words: 'account/~/extension/~/presence' },
      empty: { words: 'account/~/extension/~/message-store --paginate' },
      error: { words: 'account/~/extension/999', exit: 3, code: 'not_found' },
    },
  },
};

export const doctor: NounCases = {
  desk: { prepare: signIn },
  commands: {
    doctor: {
      success: { words: '', env: session },
      empty: { none: 'there is always a check' },
      error: unexpected,
    },
  },
};

export const profile: NounCases = {
  desk: {
    async prepare(desk) {
      await desk.run('profile add prod --base-url https://platform.example.com');
      for (const setting of ['dialect current', 'timeout 20', 'allow-prefixes +1', 'read-only true'])
        await desk.run(`config set -p prod ${setting}`);
    },
  },
  commands: {
    'profile list': { success: { words: '' }, empty: { none: 'there is always one' }, error: unexpected },
    'profile use': {
      success: { words: 'prod' },
      empty: oneThing,
      error: { words: 'nobody', exit: 3, code: 'not_found' },
    },
    'profile show': {
      success: { words: 'prod' },
      empty: oneThing,
      error: { words: 'nobody', exit: 3, code: 'not_found' },
    },
    'profile add': {
      success: {
        words: async (desk) => {
          await desk.run('profile remove other');
          return 'other --base-url https://other.example.com';
        },
      },
      empty: oneThing,
      error: { words: 'prod', exit: 11, code: 'profile_exists' },
    },
    'profile remove': {
      success: {
        words: async (desk) => {
          await desk.run('profile add other');
          return 'other';
        },
      },
      empty: oneThing,
      error: { words: 'nobody', exit: 3, code: 'not_found' },
    },
  },
};

export const config: NounCases = {
  desk: {},
  commands: {
    'config list': {
      success: { words: '--show-origin' },
      empty: { none: 'there are always settings' },
      error: unexpected,
    },
    'config get': {
      success: { words: 'timeout' },
      empty: oneThing,
      error: { words: 'nonsense', exit: 2, code: 'usage' },
    },
    'config set': {
      success: { words: 'timeout 30' },
      empty: oneThing,
      error: { words: 'timeout never', exit: 2, code: 'usage' },
    },
    'config unset': {
      success: {
        words: async (desk) => {
          await desk.run('config set timeout 30');
          return 'timeout';
        },
      },
      empty: oneThing,
      error: { words: 'nonsense', exit: 2, code: 'usage' },
    },
    'config path': { success: { words: '' }, empty: oneThing, error: unexpected },
  },
};

export const schema: NounCases = {
  desk: {},
  commands: {
    schema: {
      success: { words: 'queue list', table: 'text' },
      empty: { none: 'every command has a schema' },
      error: { words: 'queue nothing', exit: 3, code: 'not_found' },
    },
  },
};

export const policy: NounCases = {
  desk: {},
  commands: {
    'policy test': {
      success: { words: '+16505550112' },
      empty: oneThing,
      error: { words: '12', exit: 2, code: 'usage' },
    },
  },
};

export const history: NounCases = {
  desk: { prepare: (desk) => desk.run('queue assign --queue 201 --add 105 --yes') },
  commands: {
    'history list': {
      success: { words: '' },
      empty: { words: '', env: { UCCTL_STATE_DIR: 'none' } },
      error: unexpected,
    },
    'history show': {
      success: { words: 'last' },
      empty: { none: 'a run has changes' },
      error: { words: 'zzz', exit: 3, code: 'not_found' },
    },
    'history undo': {
      success: {
        words: async (desk) => {
          await desk.run('queue assign --queue 201 --remove 106 --yes');
          await desk.run('queue assign --queue 201 --add 106 --yes');
          return 'last --yes';
        },
      },
      empty: { none: 'a run has changes' },
      error: { words: 'zzz --yes', exit: 3, code: 'not_found' },
    },
  },
};

const notThere = { words: '--ready-file none.json', exit: 12 };
const gone = { ...notThere, code: 'sandbox_not_running' };
const noSnapshots = { none: 'it shows one thing' };

export const sandbox: NounCases = {
  desk: { sandbox: { listen: true } },
  commands: {
    'sandbox start': {
      success: { words: '', how: apart(untilSaid(1)), table: 'text' },
      empty: oneThing,
      error: { words: '--clock soon', exit: 2, code: 'usage' },
    },
    'sandbox exec': {
      success: { words: ['--', process.execPath, '-e', '0'], gives: 'nothing' },
      empty: { none: 'a program runs' },
      error: { words: '--clock soon -- true', exit: 2, code: 'usage' },
    },
    'sandbox env': { success: { words: '' }, empty: oneThing, error: { ...gone, forShell: 'false\n' } },
    'sandbox status': { success: { words: '' }, empty: oneThing, error: gone },
    'sandbox stop': { success: { words: '' }, empty: oneThing, error: gone },
    'sandbox reset': { success: { words: '' }, empty: oneThing, error: gone },
    'sandbox clock': { success: { words: 'show' }, empty: oneThing, error: gone },
    'sandbox trigger': {
      success: { words: ['sms', 'to=102', 'text=hi'] },
      empty: oneThing,
      error: { words: 'sms to=nobody', exit: 3, code: 'not_found' },
    },
    'sandbox traffic': { success: { words: 'show' }, empty: oneThing, error: gone },
    'sandbox phone': {
      success: {
        words: async (desk) => {
          await desk.run('sandbox settings callProgression=manual');
          await desk.run('sandbox trigger call to=102');
          return 'reject 102';
        },
      },
      empty: oneThing,
      error: { words: 'answer 102 --ready-file none.json', exit: 12, code: 'sandbox_not_running' },
    },
    'sandbox fault': {
      success: { words: 'add status --operation readPresence --percent 1' },
      empty: { words: 'clear' },
      error: gone,
    },
    'sandbox snapshot': { success: { words: 'save before' }, empty: noSnapshots, error: gone },
    'sandbox settings': { success: { words: '' }, empty: oneThing, error: gone },
    'sandbox log': {
      success: {
        words: async (desk) => {
          await desk.run('queue list');
          return '';
        },
      },
      empty: {
        words: async (desk) => {
          await desk.run('sandbox reset');
          return '';
        },
      },
      error: gone,
    },
    'sandbox posts': {
      success: {
        words: async (desk) => {
          const { id } = (await desk.json('webhook create --group 3301')) as { id: string };
          await desk.run(`webhook post ${id} --body hello`);
          return '';
        },
      },
      empty: { words: '--group 1' },
      error: gone,
    },
    'sandbox delivery': { success: { words: 'list' }, empty: { words: '--state failed' }, error: gone },
    'sandbox user': {
      success: { words: 'set-password 103 --password-stdin', stdin: 'New-103\n' },
      empty: oneThing,
      error: {
        words: 'set-password 103 --password-stdin --ready-file none.json',
        stdin: 'New-103\n',
        exit: 12,
        code: 'sandbox_not_running',
      },
    },
    'sandbox assertion': {
      success: { words: '102' },
      empty: oneThing,
      error: { words: 'nobody', exit: 3, code: 'not_found' },
    },
    'sandbox token': {
      success: { words: 'revoke --user 104' },
      empty: oneThing,
      error: { words: 'revoke', exit: 2, code: 'usage' },
    },
  },
};

export const init: NounCases = {
  desk: {},
  commands: {
    init: {
      success: { words: '' },
      empty: { words: '', blank: /extension/ },
      error: { words: '', env: session, exit: 9, code: 'input_needed' },
    },
  },
};

const noShell = { words: 'tcsh', exit: 2, code: 'usage' };

export const completion: NounCases = {
  desk: {},
  commands: {
    'completion install': { success: { words: 'bash' }, empty: oneThing, error: noShell },
    'completion uninstall': { success: { words: 'bash' }, empty: oneThing, error: noShell },
    'completion script': { success: { words: 'bash', table: 'text' }, empty: oneThing, error: noShell },
    'completion values': {
      success: { words: '--refresh' },
      empty: { words: '--clear' },
      error: { words: '--clear --refresh', exit: 2, code: 'usage' },
    },
  },
};

const unwritable = { words: '--dir /proc/nothing', exit: 12, code: 'not_written' };

export const man: NounCases = {
  desk: {},
  commands: {
    'man install': { success: { words: '' }, empty: oneThing, error: unwritable },
    'man uninstall': {
      success: { words: '' },
      empty: oneThing,
      error: { words: '--dir', exit: 2, code: 'usage' },
    },
  },
};

const call = {
  time: '2026-01-05T09:00:00.000Z',
  client: 'agent 1.0',
  tool: 'sms_send',
  outcome: 'done',
  exit: 0,
};

export const mcp: NounCases = {
  desk: {
    prepare: (desk) => {
      mkdirSync(desk.paths.state, { recursive: true });
      writeFileSync(
        join(desk.paths.state, 'mcp-calls.ndjson'),
        `${JSON.stringify({ ...call, command: 'sms send --to=+16505550112 -- hello' })}\n`,
      );
      return Promise.resolve();
    },
  },
  commands: {
    mcp: {
      // Without a message on standard input, the connection ends at once.
      success: { words: '', gives: 'nothing' },
      empty: oneThing,
      error: unexpected,
    },
    'mcp calls': { success: { words: '' }, empty: { none: 'a call is recorded' }, error: unexpected },
  },
};

export const consolePage: NounCases = {
  desk: {},
  commands: {
    console: {
      success: { words: '--no-open', how: apart(untilSaid(1)), table: 'text' },
      empty: oneThing,
      error: { words: '--no-open --port 70000', exit: 2, code: 'usage' },
    },
  },
};

export const version: NounCases = {
  desk: {},
  commands: { version: { success: { words: '' }, empty: oneThing, error: unexpected } },
};

export const skill: NounCases = {
  desk: {},
  commands: {
    skill: { success: { words: '' }, empty: oneThing, error: unexpected },
    'skill install': {
      success: { words: 'skills' },
      empty: oneThing,
      error: { words: '/proc/nothing', exit: 12, code: 'not_written' },
    },
  },
};
