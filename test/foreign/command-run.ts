import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseJson } from '../../src/platform/json.ts';
import { pathsIn } from '../support/paths.ts';
import { runUcctl, type RunOptions, type RunResult } from '../support/run-ucctl.ts';
import { agrees } from './agrees.ts';
import { foreignNow, foreignOrigin, shapesOf } from './client-run.ts';
import type { CommandCase, Stage } from './commands/command-case.ts';
import { batchReceivers } from './commands/messages.ts';
import { foreignHttp } from './in-process.ts';
import { Dice } from '../support/dice.ts';
import { catalogue, disallowedFor } from './service/disallowed.ts';
import { type Exchange, ForeignService } from './service/foreign-service.ts';
import type { OperationName } from './service/operations.ts';
import type { Value } from './service/shape.ts';

/** The result of one run of a command. */
export interface CommandReport {
  readonly replies: number;
  readonly kind?:
    | 'false success'
    | 'exit 70'
    | 'allowed rejected'
    | 'wrong end'
    | 'wrong value'
    | 'journal'
    | undefined;
  readonly fault?: string | undefined;
  /** The requests of the command that can make a change, after allowed replies. */
  readonly changes?: readonly OperationName[];
}

const dialectNames = ['spec', 'current'] as const;
const queueFile = 'queues:\n  - queue: "201"\n    settings: { alertTimer: 45 }\n';
const files = {
  'plan.csv': 'queue,extension,action\n201,103,add\n',
  'a.txt': 'hello\n',
  'queues.yaml': queueFile,
  'hours.yaml': 'hours:\n  - owner: company\n    monday: 07:00-09:30\n',
  'rules.yaml':
    'rules:\n  - extension: 103\n    rule: after-hours-rule\n    calledNumbers: [{phoneNumber: "+16505550177"}]\n    enabled: false\n',
  'texts.csv': `to,name\n${batchReceivers.map((to, index) => `${to},${index}\n`).join('')}`,
  'people.csv': 'agent,department\n103,Night shift\n',
  'less.csv': 'queue,extension,action\n201,102,remove\n',
  'new-queue.yaml':
    'queues:\n  - queue: Night desk\n    create: true\n    settings: { name: Night desk, number: "290" }\n',
  'own-hours.yaml': 'hours:\n  - owner: "103"\n    monday: 07:00-09:30\n',
  'new-rule.yaml':
    'rules:\n  - extension: 103\n    name: Holiday\n    callHandlingAction: TakeMessagesOnly\n',
};

/** The operation whose replies determine the output. */
function decisiveOf(it: CommandCase, seed: number): CommandCase['decisive'] {
  const dialect = it.dialect ?? dialectNames[seed % 2];
  return dialect === 'current' ? (it.current ?? it.decisive) : it.decisive;
}

/** Opens a stage; the caller removes its folder. */
async function openStage(
  seed: number,
  dialect = dialectNames[seed % 2] ?? 'spec',
): Promise<Stage & { readonly remove: () => Promise<void> }> {
  const cwd = await mkdtemp(join(tmpdir(), 'ucctl-foreign-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
  const service = new ForeignService({ seed, setting: { origin: foreignOrigin, now: foreignNow } });
  let now = foreignNow;
  const sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    now += milliseconds;
    // Lets requests and file operations in progress continue: on a busy machine, a command otherwise waits more often
    // than it may before it has read its files.
    await stat(cwd);
    await setImmediate();
    signal.throwIfAborted();
  };
  const run = (words: readonly string[], options: RunOptions = {}): Promise<RunResult> =>
    runUcctl(words, {
      cwd,
      paths: pathsIn(join(cwd, '.home')),
      now: () => now,
      sleep,
      stdin: '',
      ...options,
      sandbox: {
        http: foreignHttp(service),
        env: {
          HOME: cwd,
          UCCTL_BASE_URL: foreignOrigin,
          UCCTL_TOKEN: 'token-of-the-harness',
          UCCTL_CLIENT_ID: 'client',
          UCCTL_CLIENT_SECRET: 'client-secret-of-the-harness',
          UCCTL_STORE: 'file',
          UCCTL_DIALECT: dialect,
          ...options.env,
        },
      },
    });
  return { service, cwd, run, sleep, remove: () => rm(cwd, { recursive: true, force: true }) };
}

/** After this many waits, a command that runs until it is stopped has shown all its output. */
const mostWaits = 300;

/** Runs the preceding commands. */
async function prepare(it: CommandCase, stage: Stage): Promise<void> {
  const [disallowed] = catalogue;
  const { service } = stage;
  service.mischief = ({ operation }) => (operation === it.lost ? disallowed : undefined);
  for (const words of it.before ?? []) await stage.run(words);
  service.mischief = undefined;
}

/**
 * Runs the case; a command that runs until it is stopped ends after the given number of lines, or at its first wait.
 */
async function perform(name: string, it: CommandCase, stage: Stage): Promise<RunResult> {
  const argv = [...(it.command ?? name).split(' '), ...it.words(stage), '-o', 'json'];
  if (it.untilLines === undefined) return stage.run(argv, it.options);
  const { untilLines } = it;
  const stop = new AbortController();
  let said = 0;
  let waits = 0;
  const count = (text: string): void => {
    said += text.split('\n').length - 1;
    if (said >= untilLines) stop.abort(new Error('enough'));
  };
  return stage.run(argv, {
    ...it.options,
    signal: stop.signal,
    onStdout: count,
    sleep: (milliseconds, signal) => {
      waits += 1;
      if (waits > mostWaits) stop.abort(new Error('enough'));
      return stage.sleep(milliseconds, signal);
    },
  });
}

/** One run whose replies are all allowed: it must show what was served. */
export async function runCommandAllowed(name: string, it: CommandCase, seed: number): Promise<CommandReport> {
  const stage = await openStage(seed, it.dialect);
  const { service } = stage;
  const fault = (kind: CommandReport['kind'], words: string): CommandReport => ({
    replies: service.exchanges.length,
    kind,
    fault: `${name}, seed ${seed}: ${words}`,
  });
  try {
    await prepare(it, stage);
    const first = service.exchanges.length;
    const { exit, stdout, stderr } = await perform(name, it, stage);
    if (exit === 70) return fault('exit 70', stderr);
    if (!(it.exits ?? [0]).includes(exit)) return fault('allowed rejected', `exit ${exit}: ${stderr}`);
    const wrong = wrongIn(stdout, { ...it, decisive: decisiveOf(it, seed) }, stage, first);
    if (wrong !== undefined) return fault('wrong value', wrong);
    return { replies: service.exchanges.length, changes: changesIn(service.exchanges.slice(first)) };
  } finally {
    await stage.remove();
  }
}

function changesIn(exchanges: readonly Exchange[]): readonly OperationName[] {
  const changing = exchanges.filter(({ request }) => request.method !== 'GET');
  return changing.flatMap(({ operation }) => operation ?? []);
}

function wrongIn(stdout: string, it: CommandCase, stage: Stage, first: number): string | undefined {
  if (it.shows === 'nothing') return undefined;
  const shown = documents(stdout);
  const served = stage.service.exchanges.slice(first).filter(({ operation }) => operation === it.decisive);
  if (served.length === 0) return `${it.decisive} was not asked for`;
  if (typeof it.shows === 'function') return it.shows(shown, stage);
  if (it.shows === 'ids') {
    const missing = it.words(stage).find((word) => /^\d+$/.test(word) && !stdout.includes(word));
    return missing === undefined ? undefined : `${missing} is not reported`;
  }
  const shape = served.flatMap(({ content }) => shapesOf(content))[0];
  const rows = served.flatMap((exchange) => exchange.rows);
  return shape && rows.map((row) => agrees(shape, row, shown)).find((text) => text !== undefined);
}

/** The JSON values of an output: the rows of its document, or one value per line. */
function documents(stdout: string): readonly Value[] {
  try {
    return [parseJson(stdout) as Value].flat();
  } catch {
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.flatMap((line) => parseJson(line) as Value);
  }
}

/**
 * One run whose decisive reply is disallowed: it ends with a documented code, and no journal records the request as
 * sent.
 */
export async function runCommandDisallowed(
  name: string,
  it: CommandCase,
  seed: number,
): Promise<CommandReport> {
  const stage = await openStage(seed, it.dialect);
  const { service } = stage;
  const dice = new Dice(`disallowed ${name} ${seed}`);
  let chosen = '';
  const fault = (kind: CommandReport['kind'], words: string): CommandReport => ({
    replies: service.exchanges.length,
    kind,
    fault: `${name}, seed ${seed}, ${chosen}: ${words}`,
  });
  try {
    await prepare(it, stage);
    service.mischief = ({ operation, content, request }) => {
      const choice = operation === decisiveOf(it, seed) ? disallowedFor(content, request) : [];
      if (choice.length === 0) return undefined;
      const entry = choice.find((one) => one.name === chosen) ?? dice.pick(choice);
      chosen = entry.name;
      return entry;
    };
    const { exit, stdout, stderr } = await perform(name, it, stage);
    if (chosen === '') return { replies: service.exchanges.length };
    if (exit === 70) return fault('exit 70', stderr);
    if (exit === 0 && !it.ends.includes(0)) return fault('false success', stdout.slice(0, 200));
    if (!it.ends.includes(exit)) return fault('wrong end', `exit ${exit}: ${stderr}`);
    if (it.isOnce && (await states(stage)).includes('sent')) return fault('journal', 'the journal says sent');
    return { replies: service.exchanges.length };
  } finally {
    await stage.remove();
  }
}

/** Requests that make no change although they are sent with POST, unless a case is about them. */
const noChanges = new Set<OperationName>(['searchAuditTrail', 'issueToken', 'revokeToken']);

/** Which requests another host answers: the changes, also what is read after them, or only what is read after them. */
export type Intrusion = 'changes' | 'changes and reads' | 'reads';

/**
 * One run in which another host answers with this entry of the catalogue. A change that it answers is not made.
 * @returns what is wrong with the end of the run, or undefined.
 */
export async function runWriteAnswered(
  name: string,
  it: CommandCase,
  { stranger, answers }: { readonly stranger: string; readonly answers: Intrusion },
): Promise<string | undefined> {
  const stage = await openStage(1, it.dialect);
  const { service } = stage;
  const entry = catalogue.find((one) => one.name === stranger);
  let changes = 0;
  try {
    await prepare(it, stage);
    service.mischief = ({ operation, request }) => {
      const isChange = request.method !== 'GET' && (operation === it.decisive || !noChanges.has(operation));
      if (isChange) changes += 1;
      const isAnswered = isChange ? answers !== 'reads' : changes > 0 && answers !== 'changes';
      return isAnswered ? entry : undefined;
    };
    const { exit, stdout, stderr } = await perform(name, it, stage);
    const seen = `${name}, dialect ${it.dialect}: exit ${exit}, stdout ${stdout}, stderr ${stderr}`;
    if (changes === 0) return `no change was sent: ${seen}`;
    if (!it.ends.includes(exit)) return seen;
    return it.isOnce && (await states(stage)).includes('sent') ? `the journal says sent: ${seen}` : undefined;
  } finally {
    await stage.remove();
  }
}

/** The states in the outcome journal. */
async function states(stage: Stage): Promise<readonly string[]> {
  const { stdout } = await stage.run(['outcome', 'list', '-o', 'json']);
  return (JSON.parse(stdout) as readonly { readonly state: string }[]).map(({ state }) => state);
}
