import { wireFaults } from '../../test/foreign/wire/faults.ts';
import { runAllWire, wireCommands, type WireVerdict } from '../../test/foreign/wire/run.ts';
import type { Result, Size } from './result.ts';

/** Runs side by side: most of the time they wait for a limit. */
const atOnce = 8;

/** Commands under everything that can go wrong between them and the service. */
export async function run(size: Size): Promise<readonly Result[]> {
  const quick = wireFaults.filter(({ isSlow }) => isSlow !== true);
  const faults = size === 'full' ? wireFaults : quick.filter((_, at) => at % 40 === 0);
  const verdicts = await runAllWire(faults, wireCommands, atOnce);
  const found = verdicts.flatMap(({ fault }) => fault ?? []);
  if (found.length > 0) process.stderr.write(`${found.join('\n')}\n`);
  const result = (promise: string, ...kinds: readonly WireVerdict['kind'][]): Result => {
    const hits = verdicts.filter(({ kind }) => kind !== undefined && kinds.includes(kind)).length;
    const tries = `${faults.length} faults × ${Object.keys(wireCommands).length} commands`;
    return { promise, figure: `${hits} in ${tries}`, holds: hits === 0 };
  };
  return [
    result('nothing is sent twice', 'sent twice'),
    result('no receipt is false', 'false receipt'),
    result('nothing hangs beyond the limits', 'hang'),
    result('what was done is reported as done or as unknown', 'silent'),
    result('no fault ends in exit 70', 'exit 70'),
    result('every fault has its turn', 'no fault'),
  ];
}
