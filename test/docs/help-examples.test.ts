import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { understand } from '../../src/cli/program.ts';
import { registry } from '../../src/cli/registry.ts';
import type { System } from '../../src/runtime/system.ts';
import { type Desk, openDesk } from '../matrix/desk.ts';
import { receiver } from '../matrix/live.ts';
import { postgresMissing, testStore } from '../support/postgres.ts';
import { splitWords } from '../support/run-ucctl.ts';
import { pathsIn } from '../support/paths.ts';

// The examples of help; the manual pages and the reference are made of them.

interface Call {
  readonly words: readonly string[];
  /** Where its output goes. */
  readonly file: string | undefined;
  /** The command before its pipe. */
  readonly feeder: readonly string[] | undefined;
}

/** Signs of the shell count where they are not quoted. */
const unquoted = '(?=(?:[^"]*"[^"]*")*[^"]*$)';
const into = new RegExp(` > ${unquoted}`);
const pipe = new RegExp(` \\| ${unquoted}`);

/** What a line of a shell calls `ucctl` with. */
function callsOf(line: string): readonly Call[] {
  const inner = /\$\((ucctl .*?)\)|<\((ucctl .*?)\)/.exec(line);
  return (inner?.[1] ?? inner?.[2] ?? line).split(/ (?:&&|\|\|) /).flatMap((part) => {
    const [command = '', file] = part.split(into);
    const piped = command.split(pipe);
    const [name, ...words] = splitWords((piped.at(-1) ?? '').replace(/ >\S+/, ''));
    const feeder = piped.length > 1 ? splitWords(piped.at(-2) ?? '') : undefined;
    return name === 'ucctl' ? [{ words, file, feeder }] : [];
  });
}

/** What comes out of the program before the pipe; of other programs than ours a line. */
async function fed({ feeder }: Call, desk: Desk): Promise<string> {
  if (!feeder) return '';
  const [name, ...words] = feeder;
  return name === 'ucctl' ? (await desk.run(words)).stdout : 'A line\n';
}

const commands = (await loadAll(registry)).flatMap((noun) => noun.commands);
const lines = [...new Set(commands.flatMap(({ examples }) => examples.map(({ command }) => command)))];
const calls = lines.flatMap((line) => callsOf(line).map((call) => [line, call] as const));

/** What the lines name. Ids that nobody has stand for those of the reader: they are not found. */
const files = {
  'people.csv': 'agent,department\n102,Support\n',
  'hours.yaml': 'hours:\n  - owner: company\n    saturday: 10:00-14:00\n',
  'rules.yaml': 'rules:\n  - extension: 102\n    rule: after-hours-rule\n    enabled: false\n',
  'queues.yaml': 'queues:\n  - queue: Support\n    agents: [102, 103, 104, 105, 106]\n',
  'queues.csv': 'queue,extension\nSupport,102\nSupport,103\nSupport,104\n',
  'agents.csv': 'queue,extension,action\nSupport,105,add\n',
  'list.csv': 'to,name\n+16505550112,Dana\n',
  'offer.pdf': '%PDF-1.4\n%%EOF\n',
  'terms.pdf': '%PDF-1.4\n%%EOF\n',
  'map.png': 'a picture',
};
/** Commands that run until they are stopped; the test stops them at their first output. */
const endless =
  /^(queue watch|presence watch|sync --watch|calllog active .*--watch|subscribe tail|webhook listen|events consume |console|sandbox start|fleet (worker$|.*--watch))/;
/** Commands that need something that tests do not have: another service, a tunnel, a browser, another program, an app of another kind. */
const elsewhere =
  /postgres:..\S*example\.com|https:..\S*example\.com|my-tunnel|--no-browser|sandbox exec|client-credentials|--flow jwt|^login$|^sandbox (stop|reset)/;

const noPostgres = postgresMissing();

/** Whether a command needs the address of a store. */
function usesStore(words: readonly string[]): boolean {
  return /^(store|fleet|events (receivers|consume(rs?)?|dlq --consumer))\b/.test(words.join(' '));
}

function isRunnable(words: readonly string[]): boolean {
  return !elsewhere.test(words.join(' ')) && !(usesStore(words) && noPostgres !== undefined);
}

/** What must have happened. */
const before: Readonly<Record<string, string>> = {
  'history undo last': 'queue assign --queue Sales --add 107 --yes',
  'sandbox phone answer 102': 'sandbox trigger call to=102 from=+14155550142',
};

/** Commands that only dialect `current` has. */
const currentOnly = new Set(
  commands.flatMap(({ path, dialect }) => (dialect === 'current' ? [path.join(' ')] : [])),
);

describe('the examples of help', () => {
  let desk: Desk;
  let currentDesk: Desk;
  let target = '';
  beforeAll(async () => {
    currentDesk = await openDesk({ files, sandbox: { dialect: 'current' } });
    desk = await openDesk({
      files,
      sandbox: { listen: true },
      async prepare(opened) {
        for (const name of ['default', 'prod', 'old'])
          await opened.json(`profile add ${name} --base-url ${opened.sandbox.url}`);
        await opened.json('calllog sync');
        mkdirSync(join(opened.cwd, 'office.db.snapshots'));
        opened.sandbox.save(join(opened.cwd, 'office.db.snapshots', 'before.snapshot.db'));
      },
    });
    target = await receiver();
    return async () => {
      await desk[Symbol.asyncDispose]();
      await currentDesk[Symbol.asyncDispose]();
    };
  });

  it('call ucctl, every one', () => {
    expect(lines.filter((line) => callsOf(line).length === 0)).toEqual([]);
    expect(calls.filter(([, { words }]) => elsewhere.test(words.join(' '))).length).toBeLessThanOrEqual(20);
  });

  it.each(calls)('is understood: %s', async (_line, { words }) => {
    const system = { version: '0', stdout: { columns: 80 } } as unknown as System;
    expect((await understand(words, registry, system)).kind).toBe('run');
  });

  it.each(calls.filter(([, { words }]) => isRunnable(words)))('works: %s', async (_line, call) => {
    const text = call.words.join(' ');
    const stop = new AbortController();
    const stopIfEndless = (): void => {
      if (endless.test(text)) stop.abort(new Error('enough'));
    };
    const needed = before[text];
    const isCurrent =
      [call.words.slice(0, 2), call.feeder?.slice(1, 3) ?? []].some((path) =>
        currentOnly.has(path.join(' ')),
      ) || text.includes('--settings');
    const own = isCurrent ? currentDesk : desk;
    if (needed !== undefined) await own.json(needed);
    writeFileSync(join(desk.cwd, 'ready.json'), JSON.stringify(desk.sandbox.ready));
    const words = call.words.map((word, index) => {
      // Another program of the machine may use the port of the example.
      if (call.words[0] === 'console' && call.words[index - 1] === '--port') return '0';
      // The example for all users would write to the manual pages of this machine.
      if (word === '/usr/local/share/man') return join(desk.cwd, 'man');
      return word.replace(/http:\/\/localhost:\d+(\/\w+)?/, target);
    });
    const { exit, stdout, stderr } = await own.run([...words, '--yes'], {
      stdin: await fed(call, own),
      signal: stop.signal,
      onStdout: stopIfEndless,
      onStderr: stopIfEndless,
      env: {
        ...(usesStore(words) && { UCCTL_STORE: (await testStore()).url }),
        HOME: own.cwd,
        SHELL: '/bin/bash',
        UCCTL_PASSWORD: 'Sandbox-101',
      },
      ...(text.startsWith('sandbox start') && { paths: pathsIn(join(desk.cwd, 'apart')) }),
      ...(text.includes(' --watch') && {
        sleep: async (_, signal) => {
          stopIfEndless();
          signal.throwIfAborted();
        },
      }),
    });
    if (call.file !== undefined && !call.file.startsWith('/'))
      writeFileSync(join(own.cwd, call.file), stdout);
    // A password is asked for, and nobody is there.
    const asked = exit === 9 && /input needed|nobody can be asked/.test(stderr);
    expect([exit, stderr]).toEqual([expect.toBeOneOf(asked ? [9] : [0, 3]), stderr]);
  });
});
