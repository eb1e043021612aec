import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { pathsIn } from '../../support/paths.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import type { OperationName } from '../service/operations.ts';
import { memberNumber, myTelephone, otherTelephone, outsiderNumber, queueNumber } from '../service/world.ts';
import type { WireFault } from './fault.ts';
import { openFront } from './front.ts';

/** A command whose request must be done once, or may be repeated. */
export interface WireCommand {
  readonly words: readonly string[];
  readonly operation: OperationName;
  /** Doing it twice is worse than an unknown outcome. */
  readonly isOnce: boolean;
}

const once = (operation: OperationName, ...words: readonly string[]): WireCommand => ({
  words,
  operation,
  isOnce: true,
});
const again = (operation: OperationName, ...words: readonly string[]): WireCommand => ({
  words,
  operation,
  isOnce: false,
});

export const wireCommands: Readonly<Record<string, WireCommand>> = {
  sms: once('sendSms', 'sms', 'send', '--from', myTelephone, '--to', otherTelephone, 'hi', '--yes'),
  pager: once('sendPager', 'pager', 'send', '--to', memberNumber, 'hi', '--yes'),
  fax: once('sendFax', 'fax', 'send', '--to', '+14155550100', 'a.txt', '--yes'),
  ringout: once('startRingOut', 'ringout', 'start', '--to', otherTelephone, '--yes'),
  'queue assign': again(
    'assignInQueues',
    'queue',
    'assign',
    '--queue',
    queueNumber,
    '--add',
    outsiderNumber,
    '--yes',
  ),
  'presence set': again('updatePresence', 'presence', 'set', memberNumber, '--message', 'lunch', '--yes'),
  'subscribe create': once(
    'createSubscription',
    'subscribe',
    'create',
    '--events',
    'messages',
    '--transport',
    'webhook',
    '--address',
    'https://receiver.example/in',
  ),
};

/** The result of one command under one fault. */
export interface WireReport {
  readonly kind?: 'sent twice' | 'false receipt' | 'hang' | 'exit 70' | 'silent' | 'no fault' | undefined;
  readonly fault?: string | undefined;
}

/** Seconds without a byte after which a request ends; a whole reply may take ten times as long. */
const timeoutSeconds = 1;
/** After this time the command hangs: it includes the limits above, a retry or two, and a loaded machine. */
const hangMilliseconds = 60_000;

async function runWire(name: string, command: WireCommand, fault: WireFault): Promise<WireReport> {
  const cwd = await mkdtemp(join(tmpdir(), 'ucctl-wire-'));
  await writeFile(join(cwd, 'a.txt'), 'hello\n');
  const now = Date.now();
  const stop = new AbortController();
  const front = await openFront({ seed: 1, now, operation: command.operation, fault });
  try {
    const run = runUcctl([...command.words, '-o', 'json'], {
      cwd,
      paths: pathsIn(join(cwd, '.home')),
      signal: stop.signal,
      stdin: '',
      sleep: async (_milliseconds, signal) => {
        signal.throwIfAborted();
        await setImmediate();
      },
      env: {
        HOME: cwd,
        UCCTL_BASE_URL: front.url,
        UCCTL_TOKEN: 'token-of-the-harness',
        UCCTL_CLIENT_ID: 'client',
        UCCTL_STORE: 'file',
        UCCTL_TIMEOUT: String(timeoutSeconds),
      },
    });
    const waiting = new AbortController();
    const hang = delay(hangMilliseconds, undefined, { signal: waiting.signal }).catch(() => undefined);
    const result = await Promise.race([run, hang]);
    waiting.abort();
    if (!result) {
      stop.abort(new Error('hung'));
      // Its shutdown may hang too; closing the front then closes the connections.
      await Promise.race([run.catch(() => undefined), delay(5000)]);
      return { kind: 'hang', fault: `${name}, ${fault.name}: it did not end` };
    }
    return classify(name, command, fault, { ...result, arrived: front.arrived(), struck: front.struck() });
  } finally {
    await front[Symbol.asyncDispose]();
    await rm(cwd, { recursive: true, force: true });
  }
}

interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly arrived: number;
  readonly struck: boolean;
}

function classify(name: string, { isOnce }: WireCommand, fault: WireFault, ended: Ended): WireReport {
  const { exit, stdout, stderr, arrived, struck } = ended;
  const found = (kind: WireReport['kind']): WireReport => ({
    kind,
    fault: `${name}, ${fault.name}: exit ${exit}, arrived ${arrived}: ${(stderr || stdout).slice(0, 300)}`,
  });
  if (!struck) return found('no fault');
  if (isOnce && arrived > 1) return found('sent twice');
  if (exit === 70) return found('exit 70');
  if (exit === 0 && arrived === 0) return found('false receipt');
  // A change that was made must be reported as made or as unknown, whatever happened to the reply.
  const known = isOnce ? [0, 14] : [0, 1, 7, 8, 14];
  return arrived > 0 && !known.includes(exit) ? found('silent') : {};
}

/** Runs every command under every fault, several at a time, and returns the faults found. */
export async function runAllWire(
  faults: readonly WireFault[],
  commands: Readonly<Record<string, WireCommand>>,
  atOnce: number,
): Promise<readonly WireReport[]> {
  const jobs = faults.flatMap((fault) =>
    Object.entries(commands).map(([name, command]) => ({ name, command, fault })),
  );
  const reports: WireReport[] = [];
  const work = async (): Promise<void> => {
    for (let job = jobs.shift(); job; job = jobs.shift())
      reports.push(await runWire(job.name, job.command, job.fault));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return reports;
}
