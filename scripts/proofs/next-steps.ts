import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpReply, HttpRequest, HttpSend } from '../../src/client/index.ts';
import { Exit } from '../../src/errors/command.ts';
import { Interrupted } from '../../src/errors/interrupted.ts';
import { ConnectionError } from '../../src/errors/service.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { Dice } from '../../test/support/dice.ts';
import { fakeReply } from '../../test/support/fake-service.ts';
import { pathsIn } from '../../test/support/paths.ts';
import { runUcctl, type RunOptions, type RunResult } from '../../test/support/run-ucctl.ts';
import { sandboxHttp, signInAs } from '../../test/support/sandbox.ts';
import { nextStepCases, type NextStepCase } from './next-step-cases.ts';
import type { Result, Size } from './result.ts';

/** Number of attempts of the reduced proof. */
const reducedAttempts = 24;
/** Maximum number of commands that a user runs after an error. */
const mostSteps = 4;

/** What happens to one request of a command. */
const faults = {
  'connection refused': ({ url }: HttpRequest) => {
    throw new ConnectionError('ECONNREFUSED', 'no', url.origin, undefined);
  },
  'reply lost': async (request: HttpRequest, send: HttpSend) => {
    await (await send(request)).text();
    throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
  },
  'HTTP 500, not processed': () => fakeReply({ status: 500 }),
  'HTTP 502, processed': async (request: HttpRequest, send: HttpSend) => {
    await (await send(request)).text();
    return fakeReply({ status: 502 });
  },
  'no permission': () => fakeReply({ status: 403, body: { errorCode: 'CMN-408', message: 'No permission' } }),
  'not found': () => fakeReply({ status: 404, body: { errorCode: 'CMN-102', message: 'Not found' } }),
  'Ctrl-C': (request: HttpRequest, send: HttpSend, interrupt: () => void) => {
    interrupt();
    return send(request);
  },
} satisfies Record<
  string,
  (request: HttpRequest, send: HttpSend, interrupt: () => void) => HttpReply | Promise<HttpReply>
>;

type Fault = keyof typeof faults;

/** A fault of one request of a command, or of all requests from this one on. */
interface Attempt {
  readonly of: NextStepCase;
  /** Position of the request in the command, from 0. */
  readonly at: number;
  readonly fault: Fault;
  /** Whether the later requests of the command fail in the same way. */
  readonly lasts: boolean;
}

/** The end of a command with a fault, and of the commands that its errors named. */
interface Ended {
  readonly first: RunResult;
  readonly last: RunResult;
  readonly commands: readonly string[];
  readonly state: string;
  readonly isChanged: boolean;
  readonly requests: number;
}

/**
 * Lets each request of commands that change several things fail in each way, and then runs what the error names as the
 * next step, until a command succeeds. The account must then have the state that the command without a fault reaches.
 */
export async function run(size: Size): Promise<readonly Result[]> {
  const wanted = new Map<NextStepCase, Ended>();
  for (const of of nextStepCases) wanted.set(of, await execute(of));
  const all = nextStepCases.flatMap((of): readonly Attempt[] =>
    Array.from({ length: wanted.get(of)?.requests ?? 0 }, (_, at) => at).flatMap((at) =>
      (Object.keys(faults) as Fault[]).flatMap((fault) =>
        (fault === 'Ctrl-C' ? [false] : [false, true]).map((lasts) => ({ of, at, fault, lasts })),
      ),
    ),
  );
  const chosen = size === 'full' ? all : new Dice(20_261_129).shuffled(all).slice(0, reducedAttempts);
  const found = { other: [] as string[], falseSuccess: [] as string[], falseText: [] as string[] };
  let steps = 0;
  for (const attempt of chosen) {
    const { first, last, commands, state, isChanged } = await execute(attempt.of, attempt);
    const place = `request ${attempt.at + 1}${attempt.lasts ? ' and the later ones' : ''}`;
    const text = `${attempt.of.name}, ${place}, ${attempt.fault}: ${commands.join(', then ')}`;
    const isWanted = last.exit === 0 && state === wanted.get(attempt.of)?.state;
    if (!isWanted && first.exit === 0) found.falseSuccess.push(text);
    else if (!isWanted) found.other.push(`${text} (exit ${last.exit})`);
    if (isChanged && /nothing was (changed|sent)/.test(first.stderr)) found.falseText.push(text);
    if (first.exit === Exit.bug) found.other.push(`${text} (exit ${first.exit})`);
    steps += commands.length - 1;
  }
  return [
    {
      promise: 'the named next steps lead to the wanted state',
      figure: shown(found.other, `${chosen.length} faults, ${steps} next steps`),
      holds: found.other.length === 0 && steps > 0,
    },
    {
      promise: 'no command succeeds without its changes',
      figure: shown(found.falseSuccess, `${chosen.length} faults`),
      holds: found.falseSuccess.length === 0,
    },
    {
      promise: 'no error denies a change that was made',
      figure: shown(found.falseText, `${chosen.length} faults`),
      holds: found.falseText.length === 0,
    },
  ];
}

function shown(problems: readonly string[], work: string): string {
  return [`${problems.length} exceptions in ${work}`, ...problems.slice(0, 10)].join('\n  ');
}

/** Runs a command, with a fault if an attempt is given, and then what its errors name as the next step. */
async function execute(of: NextStepCase, attempt?: Attempt): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-next-'));
  const sandbox = await startSandbox({ listen: false, dialect: of.dialect });
  try {
    const stop = new AbortController();
    const http = new FaultyNetwork(sandboxHttp(sandbox), attempt, () =>
      stop.abort(new Interrupted('SIGINT')),
    );
    const token = await signInAs(sandbox, 'administrator');
    const options: RunOptions = {
      sandbox: { http: http.send, env: { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token } },
      env: { UCCTL_DIALECT: of.dialect },
      paths: pathsIn(folder),
      cwd: folder,
      now: () => sandbox.clock.now(),
      async sleep(milliseconds, signal) {
        signal.throwIfAborted();
        await sandbox.clock.advance(milliseconds);
      },
    };
    if (of.file) writeFileSync(join(folder, of.file.name), of.file.text);
    for (const command of of.before ?? []) await succeed(command, options);
    http.begin();
    const before = sandbox.requestLog().length;
    const first = await runUcctl(of.command, { ...options, signal: stop.signal });
    const requests = http.end();
    const isChanged = sandbox
      .requestLog()
      .slice(before)
      .some(({ method, status }) => method !== 'GET' && status < 300);
    const commands = [of.command];
    const last = await follow(first, commands, options);
    const state = comparable(
      (await succeed(of.state.includes('--json') ? of.state : `${of.state} -o json`, options)).stdout,
    );
    return { first, last, commands, state, isChanged, requests };
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs what the errors name, as a user does, until the last command succeeds. */
async function follow(first: RunResult, commands: string[], options: RunOptions): Promise<RunResult> {
  let last = first;
  while (last.exit !== 0 && commands.length <= mostSteps) {
    const next = nextCommands(last.stderr);
    for (const command of next.length > 0 ? next : [commands[0] ?? '']) {
      commands.push(command);
      last = await runUcctl(command, options);
      if (last.exit !== 0) break;
    }
  }
  return last;
}

/** Returns the commands that the error and the notes name. Without such a command, the user repeats the first one. */
function nextCommands(stderr: string): readonly string[] {
  const found = [...stderr.matchAll(/ucctl (\w+ \w+ --resume [\w-]+|history undo [\w-]{5,}(?: --force)?)/g)];
  return [...new Set(found.map(([, command]) => `${command ?? ''} --yes`))].toReversed();
}

async function succeed(command: string, options: RunOptions): Promise<RunResult> {
  const result = await runUcctl(command, options);
  if (result.exit !== 0) throw new Error(`${command}: exit ${result.exit}: ${result.stderr}`);
  return result;
}

/** Returns a state without the IDs that the service assigned to new records. */
function comparable(json: string): string {
  const assigned = new Set(['id', 'uri', 'rule']);
  return JSON.stringify(JSON.parse(json), (name, value: unknown) => (assigned.has(name) ? undefined : value));
}

/** A network in which one request fails, or all requests from one on. */
class FaultyNetwork {
  readonly #real: HttpSend;
  readonly #attempt: Attempt | undefined;
  readonly #interrupt: () => void;
  /** Number of requests since `begin`; undefined before it and after `end`. */
  #count: number | undefined;

  constructor(real: HttpSend, attempt: Attempt | undefined, interrupt: () => void) {
    this.#real = real;
    this.#attempt = attempt;
    this.#interrupt = interrupt;
  }

  begin(): void {
    this.#count = 0;
  }

  /** Returns the number of requests since `begin`. */
  end(): number {
    const count = this.#count ?? 0;
    this.#count = undefined;
    return count;
  }

  readonly send: HttpSend = async (request) => {
    if (this.#count === undefined) return this.#real(request);
    const at = this.#count;
    this.#count += 1;
    const attempt = this.#attempt;
    const isFaulty = attempt !== undefined && (attempt.lasts ? at >= attempt.at : at === attempt.at);
    return isFaulty ? faults[attempt.fault](request, this.#real, this.#interrupt) : this.#real(request);
  };
}
