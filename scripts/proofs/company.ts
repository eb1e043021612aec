import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseDocument, type Document, type YAMLMap, type YAMLSeq } from 'yaml';
import { openReadOnly } from '../../src/platform/sqlite/read-only.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { fillLargeOffice } from '../../test/support/large-office.ts';
import { startUcctl, type Ended } from '../../test/support/process.ts';
import { signInAs } from '../../test/support/sandbox.ts';
import { startCountingProxy, type CountingProxy } from './counting-proxy.ts';
import type { Result, Size } from './result.ts';

/** Number of edits of each kind. */
interface Edits {
  readonly timers: number;
  readonly joins: number;
  readonly people: number;
  readonly hours: number;
  readonly rules: number;
}
const edits: Readonly<Record<Size, Edits>> = {
  full: { timers: 100, joins: 100, people: 150, hours: 40, rules: 10 },
  reduced: { timers: 3, joins: 3, people: 4, hours: 2, rules: 2 },
};

/**
 * Exports a company, changes its files, plans and applies them with a kill in the middle of each run, resumes each run, verifies and undoes.
 * The state of the sandbox is read from its database, not through ucctl.
 */
export async function run(size: Size): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-company-'));
  try {
    const database = join(folder, 'sandbox.db');
    const usual = { listen: false, clock: 'real', dialect: 'current', database } as const;
    if (size === 'reduced')
      fillLargeOffice(database, { agents: 30, queues: 6, members: (at) => [at, at + 6] });
    const sandbox = await startSandbox(size === 'full' ? { ...usual, fixture: 'enterprise' } : usual);
    try {
      return await prove(sandbox, folder, edits[size]);
    } finally {
      await sandbox.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function prove(sandbox: Sandbox, folder: string, wanted: Edits): Promise<readonly Result[]> {
  const accepted = new Map<string, number>();
  let requests = 0;
  const proxy = await startCountingProxy(
    sandbox,
    (method) => method === 'PUT' || method === 'POST',
    ({ method, path, body, status }) => {
      if (method === 'GET' || status >= 300 || path.includes('audit-trail')) return;
      const key = `${method} ${path} ${body}`;
      accepted.set(key, (accepted.get(key) ?? 0) + 1);
      requests += 1;
    },
  );
  const ucctl = new Program(folder, proxy, await signInAs(sandbox, 'administrator'));
  const state = (): State => readState(sandbox, join(folder, 'copy.db'));
  try {
    const before = state();
    const company = join(folder, 'company');
    await ucctl.run(['account', 'export', company]);
    const target = edit(company, before, wanted);
    const differences = await ucctl.json(['account', 'diff', company]);
    const applied: Applied[] = [];
    for (const { noun, file, fatal } of parts)
      applied.push(await applyWithKills(ucctl, noun, join(company, file), fatal(wanted)));
    const kills = applied.reduce((sum, one) => sum + one.kills, 0);
    const incomplete = applied.filter(({ isComplete }) => !isComplete).length;
    const changed = state();
    const twiceApplied = repeatedIn(accepted);
    const verified = await ucctl.run(['account', 'diff', company, '--detailed-exitcode'], [0, 10]);
    const runs = (await ucctl.json(['history', 'list'])) as readonly { readonly id: string }[];
    for (const { id } of runs) await ucctl.run(['history', 'undo', id, '--yes', '-q']);
    const undone = state();
    const twice = twiceApplied + repeatedIn(accepted);
    const count = Object.values(wanted).reduce((sum: number, one: number) => sum + one, 0);
    const size = `${Object.keys(before.people).length} extensions, ${Object.keys(before.members).length} queues`;
    return [
      {
        promise: 'every edit of an exported company is one difference',
        figure: `${differences.length} of ${count} edits in ${size}`,
        holds: differences.length === count,
      },
      {
        promise:
          'applied with a kill in each run, and only resumed, the company has exactly the edited state',
        figure: `${runs.length} runs, ${kills} killed in the middle; ${incomplete} files with remaining changes; wrong values ${wrongValues(changed, target)}`,
        holds:
          wrongValues(changed, target) === 0 &&
          verified.exit === 0 &&
          incomplete === 0 &&
          kills === runs.length,
      },
      {
        promise: 'undo restores the company',
        figure: `${runs.length} runs undone; wrong values ${wrongValues(undone, before)}`,
        holds: wrongValues(undone, before) === 0,
      },
      {
        promise:
          'no request of the changes, and none of their undo, is accepted more often than once (the update of people: once more after a kill)',
        figure: `${requests} requests, ${twice} more often`,
        holds: twice === 0,
      },
    ];
  } finally {
    await proxy.close();
  }
}

/**
 * Returns how many requests were accepted more often than once, and forgets all of them. The update of people is a task
 * of the service: a run that is resumed before the task ends reads the old values, and sets the same values again.
 */
function repeatedIn(accepted: Map<string, number>): number {
  const repeated = [...accepted].filter(
    ([key, count]) => count > (key.includes('/extension-bulk-update ') ? 2 : 1),
  );
  accepted.clear();
  return repeated.length;
}

/**
 * The files, and for each of its runs the number of the change at which ucctl is killed. The run of queues changes settings, and
 * then members: the process that resumes the settings is killed among the members.
 */
const parts = [
  { noun: 'agent', file: 'people.yaml', fatal: () => [1] },
  {
    noun: 'queue',
    file: 'queues.yaml',
    fatal: ({ timers, joins }: Edits) => {
      const first = Math.ceil(timers / 2);
      return [first, timers - first + Math.ceil(joins / 2)];
    },
  },
  { noun: 'hours', file: 'hours.yaml', fatal: ({ hours }: Edits) => [Math.ceil(hours / 2)] },
  { noun: 'rule', file: 'rules.yaml', fatal: ({ rules }: Edits) => [Math.ceil(rules / 2)] },
] as const;

/** The runs of one file. */
interface Applied {
  /** Number of processes that were killed. */
  readonly kills: number;
  /** Whether resuming alone made all changes: a plan of the file has no changes. */
  readonly isComplete: boolean;
}

/** Applies the saved plan of a file, and resumes it. Each process except the last is killed. The file is never applied again. */
async function applyWithKills(
  ucctl: Program,
  noun: string,
  file: string,
  fatal: readonly number[],
): Promise<Applied> {
  const limit = ['--max-changes', '100%'];
  const all = noun === 'queue' ? [...limit, '--max-removals', '100%'] : limit;
  const saved = `${file}.plan.json`;
  const usual = ['--yes', '-q', ...limit];
  const resume = [noun, 'apply', '--resume', 'last', ...usual];
  await ucctl.run([noun, 'plan', '-f', file, '-q', '--plan-out', saved, ...all]);
  let kills = 0;
  for (const at of fatal) {
    const exit = await ucctl.killed(kills === 0 ? [noun, 'apply', '-f', saved, ...usual] : resume, at);
    if (exit === null) kills += 1;
  }
  await ucctl.run(resume);
  const { exit } = await ucctl.run([noun, 'plan', '-f', file, '-q', '--detailed-exitcode', ...all], [0, 10]);
  return { kills, isComplete: exit === 0 };
}

/** ucctl as processes with one state folder. */
class Program {
  readonly #proxy: CountingProxy;
  readonly #env: Readonly<Record<string, string>>;

  constructor(folder: string, proxy: CountingProxy, token: string) {
    this.#proxy = proxy;
    this.#env = {
      HOME: folder,
      UCCTL_STATE_DIR: join(folder, 'state'),
      UCCTL_BASE_URL: proxy.url,
      UCCTL_TOKEN: token,
      UCCTL_DIALECT: 'current',
    };
  }

  async run(args: readonly string[], exits: readonly number[] = [0]): Promise<Ended> {
    const ended = await startUcctl(args, { env: this.#env }).ended;
    if (!exits.includes(ended.exit ?? -1))
      throw new Error(`ucctl ${args.join(' ')} ended with ${ended.exit}: ${ended.stderr}`);
    return ended;
  }

  async json(args: readonly string[]): Promise<readonly unknown[]> {
    return JSON.parse((await this.run([...args, '-o', 'json'])).stdout) as readonly unknown[];
  }

  /**
   * Runs a command and kills it with SIGKILL when its request number `fatal` arrives that changes something. Returns the exit code; null if
   * the command was killed.
   */
  async killed(args: readonly string[], fatal: number): Promise<number | null> {
    const { child, ended } = startUcctl(args, { env: this.#env });
    await Promise.race([ended, this.#proxy.reached(fatal)]);
    child.kill('SIGKILL');
    const { exit, stderr } = await ended;
    if (exit === null || exit === 0 || exit === 10) return exit;
    throw new Error(`ucctl ${args.join(' ')} ended with ${exit}: ${stderr}`);
  }
}

/** The values of the company that the proof changes, by the id of the extension. */
interface State {
  readonly timers: Record<string, number>;
  readonly members: Record<string, readonly string[]>;
  readonly people: Record<string, string | null>;
  readonly hours: Record<string, string>;
  readonly rules: Record<string, string>;
  /** Everything else of the directory, as one text for each extension. */
  readonly others: Record<string, string>;
}

/** The defaults of values that the sandbox has not stored; people without a site are at the main site. */
const defaultTimer = 30;
const defaultHours = JSON.stringify({
  weeklyRanges: Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => [
      day,
      [{ from: '09:00', to: '18:00' }],
    ]),
  ),
});

/** Reads the state from a copy of the database of the sandbox. */
function readState(sandbox: Sandbox, file: string): State {
  sandbox.save(file);
  const db = openReadOnly(file);
  const rows = (sql: string): readonly Readonly<Record<string, string | number | null>>[] =>
    db.prepare(sql).all() as never;
  try {
    const extensions = rows(
      `SELECT e.*, d.company, d.jobTitle, d.department, d.businessPhone, d.mobilePhone, coalesce(d.siteId, 'main-site') AS siteId
       FROM extension AS e LEFT JOIN extensionDetail AS d ON d.extensionId = e.id ORDER BY e.id`,
    );
    const queues = extensions.filter(({ type }) => type === 'Department').map(({ id }) => String(id));
    const members: Record<string, string[]> = Object.fromEntries(queues.map((id) => [id, []]));
    for (const { departmentId, extensionId } of rows('SELECT * FROM departmentMember ORDER BY 1, 2'))
      members[String(departmentId)]?.push(String(extensionId));
    const stored = new Map(rows('SELECT * FROM queueSetting').map((row) => [String(row['queueId']), row]));
    const schedules = new Map(
      rows('SELECT * FROM businessHours').map(({ ownerId, schedule }) => [String(ownerId), String(schedule)]),
    );
    const rules = rows(`SELECT * FROM answeringRule WHERE json_extract(body, '$.enabled') = 0`);
    return {
      timers: Object.fromEntries(
        queues.map((id) => [id, Number(stored.get(id)?.['alertTimer'] ?? defaultTimer)]),
      ),
      members,
      people: Object.fromEntries(
        extensions.map(({ id, department }) => [String(id), department as string | null]),
      ),
      hours: Object.fromEntries(queues.map((id) => [id, schedules.get(id) ?? defaultHours])),
      rules: Object.fromEntries(rules.map(({ extensionId, id }) => [String(extensionId), String(id)])),
      others: Object.fromEntries(
        extensions.map((row) => [String(row['id']), JSON.stringify({ ...row, department: null })]),
      ),
    };
  } finally {
    db.close();
    for (const end of ['', '-wal', '-shm']) rmQuietly(`${file}${end}`);
  }
}

function rmQuietly(file: string): void {
  void rm(file, { force: true });
}

/** Number of values that differ between two states. */
function wrongValues(one: State, other: State): number {
  const names = ['timers', 'members', 'people', 'hours', 'rules', 'others'] as const;
  return names.reduce((sum, name) => {
    const [a, b]: readonly Readonly<Record<string, unknown>>[] = [one[name], other[name]];
    const keys = new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
    return sum + [...keys].filter((key) => JSON.stringify(a?.[key]) !== JSON.stringify(b?.[key])).length;
  }, 0);
}

/** Edits the files of the folder, and returns the state that the company must have then. */
function edit(folder: string, before: State, wanted: Edits): State {
  const after = {
    timers: { ...before.timers },
    members: { ...before.members },
    people: { ...before.people },
    hours: { ...before.hours },
    rules: { ...before.rules },
    others: before.others,
  };
  editFile(folder, 'queues.yaml', 'queues', (queues) => {
    for (const queue of queues.slice(0, wanted.timers)) {
      queue.setIn(['settings', 'alertTimer'], 45);
      after.timers[idOf(queue, 'queue')] = 45;
    }
    const people = Object.keys(before.people).filter((id) => isEnabledUser(before, id));
    for (const [at, queue] of queues.slice(-wanted.joins).entries()) {
      const id = idOf(queue, 'queue');
      const present = before.members[id] ?? [];
      const joining = people.filter((one) => !present.includes(one)).at(-1 - at) ?? '';
      queue.addIn(['agents'], { agent: joining });
      after.members[id] = [...present, joining].sort((a, b) => Number(a) - Number(b));
    }
  });
  editFile(folder, 'people.yaml', 'agents', (people) => {
    for (const person of people.slice(-wanted.people)) {
      person.set('department', 'Night shift');
      after.people[idOf(person, 'agent')] = 'Night shift';
    }
  });
  editFile(folder, 'hours.yaml', 'hours', (hours) => {
    for (const schedule of hours.slice(-wanted.hours)) {
      schedule.set('saturday', '10:00-14:00');
      const id = idOf(schedule, 'owner');
      const { weeklyRanges } = JSON.parse(before.hours[id] ?? defaultHours) as { weeklyRanges: object };
      const saturday = [{ from: '10:00', to: '14:00' }];
      after.hours[id] = JSON.stringify({ weeklyRanges: { ...weeklyRanges, saturday } });
    }
  });
  editFile(folder, 'rules.yaml', 'rules', (rules) => {
    const own = rules.filter((rule) => rule.get('rule') === 'after-hours-rule');
    for (const rule of own.slice(-wanted.rules)) {
      rule.set('enabled', false);
      after.rules[idOf(rule, 'extension')] = 'after-hours-rule';
    }
  });
  return after;
}

function isEnabledUser({ others }: State, id: string): boolean {
  const { type, status } = JSON.parse(others[id] ?? '{}') as { type?: string; status?: string };
  return type === 'User' && status === 'Enabled';
}

function editFile(
  folder: string,
  file: string,
  list: string,
  change: (items: readonly YAMLMap[]) => void,
): void {
  const path = join(folder, file);
  const document: Document = parseDocument(readFileSync(path, 'utf8'));
  change((document.get(list) as YAMLSeq<YAMLMap>).items);
  writeFileSync(path, document.toString({ lineWidth: 0 }));
}

function idOf(item: YAMLMap, name: string): string {
  return String(item.get(name));
}
