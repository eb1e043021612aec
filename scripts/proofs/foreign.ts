import { clientCases } from '../../test/foreign/client-cases.ts';
import { runAllowed, runDisallowed, type ClientReport } from '../../test/foreign/client-run.ts';
import {
  runCommandAllowed,
  runCommandDisallowed,
  type CommandReport,
} from '../../test/foreign/command-run.ts';
import { commandCases } from '../../test/foreign/commands/all-cases.ts';
import type { Result, Size } from './result.ts';

type RunReport = ClientReport | CommandReport;
type Run = (seed: number) => Promise<RunReport>;

/** The most faults of a kind that are printed. The fault of a case usually occurs again with the next seed. */
const shownOfKind = 20;

/** The reduced proof runs one case in this many; the tests in test/foreign run all of them. */
const reducedShare = 12;

/** Replies between two lines of progress. The full proof takes more than half an hour. */
const progressStep = 1000;

/** Runs with one seed after another, until this many replies were read. Reports the progress on stderr. */
async function until(what: string, replies: number, runs: readonly Run[]): Promise<readonly RunReport[]> {
  const reports: RunReport[] = [];
  let read = 0;
  let reported = 0;
  for (let seed = 1; read < replies; seed += 1) {
    for (const run of runs) {
      const report = await run(seed);
      read += report.replies;
      reports.push(report);
      if (read - reported < progressStep) continue;
      reported = read;
      process.stderr.write(`${what}: ${read} of ${replies} replies\n`);
    }
  }
  return reports;
}

function count(reports: readonly RunReport[], ...kinds: readonly RunReport['kind'][]): number {
  return reports.filter(({ kind }) => kind !== undefined && kinds.includes(kind)).length;
}

/** Checks how the client and the commands handle the replies of a service that shares no code with them. */
export async function run(size: Size): Promise<readonly Result[]> {
  const isFull = size === 'full';
  const casesOf = <T>(cases: Readonly<Record<string, T>>): readonly (readonly [string, T])[] =>
    Object.entries(cases).filter((_, at) => isFull || at % reducedShare === 0);
  const client = await until(
    'client',
    isFull ? 100_000 : 60,
    casesOf(clientCases).flatMap(([name, it]): readonly Run[] => [
      (seed) => runAllowed(name, it, seed),
      (seed) => runDisallowed(name, it, seed),
    ]),
  );
  const commands = await until(
    'commands',
    isFull ? 5000 : 10,
    casesOf(commandCases).flatMap(([name, it]): readonly Run[] => [
      (seed) => runCommandAllowed(name, it, seed),
      (seed) => runCommandDisallowed(name, it, seed),
    ]),
  );
  const all = [...client, ...commands];
  for (const kind of new Set(all.map((report) => report.kind))) {
    const faults = all.flatMap((report) => (report.kind === kind ? (report.fault ?? []) : []));
    for (const fault of faults.slice(0, shownOfKind)) process.stderr.write(`${kind}: ${fault}\n`);
  }
  const sum = (reports: readonly RunReport[]): number =>
    reports.reduce((total, { replies }) => total + replies, 0);
  const counted = `${sum(client)} replies through the client, ${sum(commands)} through commands`;
  const result = (promise: string, ...kinds: readonly RunReport['kind'][]): Result => ({
    promise,
    figure: `${count(all, ...kinds)} in ${counted}`,
    holds: count(all, ...kinds) === 0,
  });
  return [
    result('no disallowed reply is reported as a success', 'false success', 'journal'),
    result('no reply leads to exit 70 or an error of another kind', 'exit 70', 'crash'),
    result('no allowed reply is rejected', 'allowed rejected'),
    result('the output shows the values that the service sent', 'wrong value'),
    result('a disallowed reply ends with the documented code', 'wrong end'),
  ];
}
