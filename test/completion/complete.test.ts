import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';
import { answer, namesToRead } from '../../src/completion/answer.ts';
import { forBash, splitBashLine } from '../../src/completion/bash-line.ts';
import { complete, type LiveValues } from '../../src/completion/complete.ts';
import { completionTable } from '../../src/completion/table.ts';
import { settingKeys } from '../../src/config/index.ts';
import { eventNames } from '../../src/features/live/notification/event-kinds.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { storeKnownValues } from '../../src/platform/known-values.ts';
import { SentSecrets } from '../../src/platform/sent-secrets.ts';
import { temporaryFolder } from '../support/temporary.ts';

const nouns = await loadAll(registry);
const table = completionTable(nouns);
const live: LiveValues = {
  valuesOf: (kind) =>
    kind === 'queues'
      ? [
          { value: 'Support', about: '201', also: ['201'] },
          { value: 'Front Desk', about: '204', also: ['204'] },
        ]
      : [{ value: `a-${kind}` }],
  dialectOf: () => 'spec',
};
const at = (...words: readonly string[]) => complete(table, words.slice(0, -1), words.at(-1) ?? '', live);
const valuesAt = (...words: readonly string[]) => at(...words).candidates.map(({ value }) => value);

describe('completion', () => {
  it('offers every listed command of the registry, word by word, and no other', () => {
    for (const noun of nouns) {
      expect(valuesAt('')).toContain(noun.name);
      for (const { path, unlisted = false } of noun.commands) {
        for (let length = 1; length < path.length; length += 1) {
          expect(valuesAt(...path.slice(0, length), '').includes(path[length] ?? '')).toBe(!unlisted);
        }
      }
    }
  });

  it('offers the profiles of a config file with a byte-order mark', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'config.json'), '\uFEFF{"version":1,"profiles":{"work":{}}}');
    const system = { env: { UCCTL_CONFIG_DIR: folder }, platform: 'linux', homeDirectory: folder } as const;
    expect(answer(['words', '=', 'profile', 'use'], table, system).trim().split('\n')).toContain('work');
  });

  it('spec:CURRENT-13 offers the values of the dialect, from the flag, the environment or the profile', () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({ current: 'new', profiles: { new: { dialect: 'current' }, old: { dialect: 'spec' } } }),
    );
    const offered = (line: string, env: Readonly<Record<string, string>> = {}) =>
      answer(['words', '=', ...line.split(' ')], table, {
        env: { UCCTL_CONFIG_DIR: folder, ...env },
        platform: 'linux',
        homeDirectory: folder,
      })
        .trim()
        .split('\n')
        .slice(1);
    expect(offered('calllog list --type')).toEqual(['Voice', 'Fax']);
    expect(offered('calllog stats --type')).toEqual(['Voice', 'Fax']);
    expect(offered('calllog list -p old --type')).toEqual(['Voice', 'Fax', 'SMS']);
    expect(offered('calllog list -pold --type')).toEqual(['Voice', 'Fax', 'SMS']);
    expect(offered('calllog list --dialect spec --type')).toEqual(['Voice', 'Fax', 'SMS']);
    expect(offered('calllog list --type', { UCCTL_DIALECT: 'spec' })).toEqual(['Voice', 'Fax', 'SMS']);
    for (const command of ['subscribe tail', 'sync']) {
      expect(offered(`${command} --transport`)).toEqual(['websocket', 'webhook']);
      expect(offered(`${command} -p old --transport`)).toEqual(['channel', 'webhook']);
    }
    expect(offered('subscribe create --transport')).toEqual(['webhook']);
  });

  it('offers the JSON fields of the command for --json, --fields and --sort, one after the other', () => {
    expect(valuesAt('queue', 'members', '5', '--json=ex')).toEqual(['--json=extensionNumber']);
    expect(valuesAt('queue', 'members', '5', '--json=id,na')).toEqual(['--json=id,name']);
    expect(valuesAt('queue', 'members', '5', '--fields', 'id,e')).toEqual(['id,extensionNumber', 'id,email']);
    expect(valuesAt('queue', 'members', '5', '--sort', 'name:desc,e')).toEqual([
      'name:desc,extensionNumber',
      'name:desc,email',
    ]);
    expect(valuesAt('--fields', '')).toEqual([]);
  });

  it('offers the kinds of events for every option --events, also after a comma', () => {
    const commands = [
      'subscribe tail',
      'subscribe create',
      'subscribe update',
      'webhook listen',
      'events list',
    ];
    for (const command of commands) {
      expect(valuesAt(...command.split(' '), '--events', '')).toEqual(eventNames);
      expect(valuesAt(...command.split(' '), '--events', 'messages,li')).toEqual(['messages,lines']);
    }
  });

  it('offers values of options that also accept other values', () => {
    const stores = ['keychain', 'file', 'memory'];
    expect(valuesAt('login', '--store', '')).toEqual(stores);
    expect(valuesAt('profile', 'add', 'x', '--store', '')).toEqual(stores);
    for (const verb of ['start', 'exec'])
      expect(valuesAt('sandbox', verb, '--clock', '')).toEqual(['real', 'frozen', '60x']);
  });

  it('offers the words of commands after schema, as after help', () => {
    expect(valuesAt('schema', 'q')).toEqual(['queue']);
    expect(valuesAt('schema', 'queue', '')).toEqual(valuesAt('help', 'queue', ''));
    expect(valuesAt('schema', '-p', 'work', 'queue', 'li')).toEqual(['list']);
    expect(valuesAt('schema', '').toSorted()).toEqual(nouns.map(({ name }) => name).toSorted());
    expect(valuesAt('schema', 'queue', 'list', '')).toEqual([]);
  });

  it('offers the settings for config, and the kinds of events for the triggers', async () => {
    for (const verb of ['get', 'set', 'unset']) {
      expect(valuesAt('config', verb, '')).toEqual(Object.values(settingKeys).map(({ key }) => key));
    }
    expect(valuesAt('webhook', 'trigger', '')).toEqual([...eventNames, 'reminder']);
    await using sandbox = await startSandbox({ listen: false });
    const kinds = await sandbox.control('POST', '/triggers/moon', {}).then(
      () => '',
      (error: Error) => /; use (.+)$/.exec(error.message)?.[1] ?? '',
    );
    expect(valuesAt('sandbox', 'trigger', '').toSorted()).toEqual(kinds.split(', ').toSorted());
  });

  it('offers every flag of every command, also global flags', () => {
    for (const { path, options, mutates, watch } of nouns.flatMap(({ commands }) => commands)) {
      const flags = valuesAt(...path, '--');
      const own = Object.entries(options).filter(([, option]) => !option.positional);
      for (const [key] of own) {
        expect(flags).toContain(`--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
      }
      expect(flags).toContain('--output');
      expect(flags.includes('--dry-run')).toBe(Boolean(mutates) || Object.hasOwn(options, 'dryRun'));
      expect(flags.includes('--watch')).toBe(Boolean(watch) || Object.hasOwn(options, 'watch'));
      expect(new Set(flags).size).toBe(flags.length);
    }
  });

  it('describes --dry-run by what it prints', () => {
    const about = (...path: readonly string[]) =>
      at(...path, '--dry-run').candidates.map((candidate) => candidate.about);
    for (const path of [
      ['store', 'expire'],
      ['sync', 'erase'],
    ])
      expect(about(...path)).toEqual(['Show the changes without making them']);
    expect(about('sms', 'send')).toEqual(['Print requests that would make changes instead of sending them']);
  });

  it.each([
    ['a value in the next word', ['queue', 'list', '--output', 'n'], ['ndjson']],
    ['after a short flag', ['queue', 'list', '-qo', 'y'], ['yaml']],
    ['joined', ['queue', 'list', '--output=c'], ['--output=csv']],
    ['a flag before the command', ['-o', 'json', 'queue', 'li'], ['list']],
    [
      'an argument after the interval of --watch',
      ['queue', 'members', '--interval', '5s', 'Sup'],
      ['Support'],
    ],
    ['the last of several', ['agent', 'list', '--queue', '201,Sup'], ['201,Support']],
    ['by another name', ['queue', 'show', '204'], ['Front Desk']],
    ['in other letters', ['queue', 'show', 'sup'], ['Support']],
    ['profiles', ['queue', 'list', '-p', ''], ['a-profiles']],
    ['a topic', ['help', 'exit'], ['exit-codes']],
    ['help of a verb', ['help', 'queue', 'me'], ['members']],
    ['nothing after the last argument', ['queue', 'show', 'Support', ''], []],
    ['nothing for a name that is to be new', ['queue', 'create', ''], []],
    ['no flag after --', ['queue', 'show', '--', '--out'], []],
  ])('%s', (_, words, expected) => {
    expect(valuesAt(...words)).toEqual(expected);
  });

  it('keeps the typed text if several values match by another name', () => {
    const people = [
      { value: '104', about: 'Chris Smith', also: ['Chris Smith', 'chris@example.com'] },
      { value: '105', about: 'Chris Smith', also: ['Chris Smith', 'csmith@example.com'] },
      { value: '106', about: 'Christine Roy', also: ['Christine Roy'] },
    ];
    const offered = (current: string) =>
      complete(table, ['agent', 'show'], current, { ...live, valuesOf: () => people }).candidates;
    expect(offered('chris')).toEqual([
      { value: 'Chris Smith', about: '104, 105' },
      { value: 'Christine Roy', about: '106' },
    ]);
    expect(offered('c')).toEqual(offered('chris'));
    // A name of several people is not a usable value, so their numbers replace it.
    expect(offered('Chris S')).toEqual([
      { value: '104', about: 'Chris Smith, chris@example.com' },
      { value: '105', about: 'Chris Smith, csmith@example.com' },
    ]);
    expect(offered('Chris Smith')).toEqual(offered('chris s'));
    expect(offered('Christi')).toEqual([{ value: '106', about: 'Christine Roy' }]);
    expect(offered('10').map(({ value }) => value)).toEqual(['104', '105', '106']);
    expect(at('queue', 'show', '20').candidates).toEqual([
      { value: '201', about: 'Support' },
      { value: '204', about: 'Front Desk' },
    ]);
  });

  it.each([
    ['history', 'undo', ''],
    ['history', 'show', 'l'],
    ['queue', 'apply', '--resume', ''],
    ['events', 'replay', ''],
  ])('offers last for the newest: %s %s %s', (...words) => {
    expect(valuesAt(...words)).toContain('last');
  });

  it('does not offer a flag twice, unless it may be repeated', () => {
    expect(valuesAt('queue', 'list', '--members', '--mem')).toEqual([]);
    expect(valuesAt('agent', 'list', '--queue', 'x', '--que')).toContain('--queue');
  });

  it('does not take the next word as the value of a short flag with an attached value', () => {
    expect(valuesAt('-pdemo', 'queue', 'mem')).toEqual(['members']);
    expect(valuesAt('queue', 'list', '-qo', 'nd')).toEqual(['ndjson']);
  });

  it('lets the shell complete files and folders', () => {
    expect(at('queue', 'assign', '--file', '').paths).toBe('files');
    expect(at('queue', 'assign', '--file=').paths).toBe('files');
    expect(at('download', '--dir', '').paths).toBe('folders');
  });
});

describe('the answer to a shell', () => {
  const asked = async (line: string, env: Readonly<Record<string, string>> = {}) => {
    const home = temporaryFolder();
    const owner = { profile: 'default', origin: 'https://service.example' };
    await storeKnownValues(`${home}/cache`, owner, {
      kind: 'queues',
      sent: new SentSecrets(),
      now: 0,
      values: [
        { value: 'Front Desk', about: '204' },
        { value: 'Evil\u001b[2J', about: '205' },
        { value: 'Sales', about: 'two\tcolumns\n' },
      ],
    });
    const base = { UCCTL_CACHE_DIR: `${home}/cache`, UCCTL_CONFIG_DIR: `${home}/config` };
    const text = answer(['bash', line], table, {
      env: { ...base, UCCTL_BASE_URL: 'https://service.example/', ...env },
      platform: 'linux',
      homeDirectory: home,
    });
    return text.split('\n');
  };

  it('is quoted for bash, without control characters', async () => {
    expect(await asked('ucctl queue show ')).toEqual([
      'none',
      'Front\\ Desk\t204',
      'Sales\ttwo→columns⏎',
      '',
    ]);
    expect(await asked('ucctl queue show "Fro')).toEqual(['none', 'Front Desk\t204', '']);
    expect(await asked('ucctl queue show Front\\ D')).toEqual(['none', 'Front\\ Desk\t204', '']);
  });

  it('contains only the part after the last character at which bash splits words', async () => {
    expect(await asked('ucctl queue list --output=ya')).toEqual(['none', 'yaml', '']);
  });

  it.each([
    ["ucctl queue show 'It", "It's here", String.raw`It'\''s here`],
    ['ucctl queue show "Say', 'Say "hi"', String.raw`Say \"hi\"`],
    ['ucctl queue show "$', '$HOME `x` \\', String.raw`\$HOME \`x\` \\`],
    ['ucctl queue show Sales@N', 'Sales@North Wing', String.raw`@North\ Wing`],
    ['ucctl queue show "Sales@N', 'Sales@North', 'Sales@North'],
    ['ucctl queue show a@b:c', 'a@b:cd', 'cd'],
    ['ucctl queue show S', 'Support 😀 𠮷田', String.raw`Support\ 😀\ 𠮷田`],
    ['ucctl queue show ', 'Ärzte & Co', String.raw`Ärzte\ \&\ Co`],
  ])('completes in bash the name of %s', (line, value, inserted) => {
    expect(forBash(value, splitBashLine(line))).toBe(inserted);
  });

  it('is empty for another address', async () => {
    expect(await asked('ucctl queue show ', { UCCTL_BASE_URL: 'https://other.example' })).toEqual([
      'none',
      '',
    ]);
    expect(await asked('ucctl queue show --base-url https://other.example ')).toEqual(['none', '']);
  });
});

describe('names that no list has read yet', () => {
  const words = (...before: readonly string[]) => ['words', '=', ...before];
  const systemAt = (folder: string, now: number) => ({
    env: { UCCTL_BASE_URL: 'https://example.com', UCCTL_CONFIG_DIR: folder, UCCTL_CACHE_DIR: folder },
    platform: process.platform,
    homeDirectory: folder,
    now,
  });

  it.each([
    [['agent', 'show'], 'agent list'],
    [['queue', 'members'], 'queue list'],
    [['queue', 'assign', '--add'], 'agent list'],
  ])('are read for %j, once per minute', (before, command) => {
    const folder = temporaryFolder();
    const at = (now: number) => namesToRead(words(...before), table, systemAt(folder, now))?.join(' ');
    const now = Date.now();
    expect(at(now)).toContain(`${command} --output ndjson --no-input`);
    expect(at(now + 30_000)).toBeUndefined();
    expect(at(now + 90_000)).toContain(command);
  });

  it('are read for each kind of names, also within a minute', () => {
    const system = systemAt(temporaryFolder(), Date.now());
    expect(namesToRead(words('queue', 'members'), table, system)?.join(' ')).toContain('queue list');
    expect(namesToRead(words('presence', 'show'), table, system)?.join(' ')).toContain('agent list');
    expect(namesToRead(words('presence', 'show'), table, system)).toBeUndefined();
  });

  it.each([
    [['-p', 'prod'], '--profile prod'],
    [['-qp', 'prod'], '--profile prod'],
    [['-pprod'], '--profile prod'],
    [['--profile=prod', '--dialect', 'current'], '--profile prod --dialect current'],
    [['--ca-file', 'ca.pem', '--tz', '--profile'], '--ca-file ca.pem'],
  ])('are read with the profile and the connection of the command line: %j', (flags, expected) => {
    const found = namesToRead(words(...flags, 'agent', 'show'), table, systemAt(temporaryFolder(), 0));
    expect(found?.join(' ')).toContain(`agent list ${expected} --output`);
  });

  it.each([[['agent']], [['queue', 'members', '--output']], [['sms', 'send', '--file']]])(
    'are not read for %j',
    (before) => {
      expect(namesToRead(words(...before), table, systemAt(temporaryFolder(), 0))).toBeUndefined();
    },
  );

  it('are not read again if they are cached, even if there are none', async () => {
    const folder = temporaryFolder();
    const owner = { profile: 'default', origin: 'https://example.com' };
    await storeKnownValues(folder, owner, { kind: 'agents', values: [], sent: new SentSecrets(), now: 0 });
    expect(namesToRead(words('agent', 'show'), table, systemAt(folder, 0))).toBeUndefined();
  });
});
