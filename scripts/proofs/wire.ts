import { wireFaults } from '../../test/foreign/wire/faults.ts';
import { runAllWire, wireCommands, type WireReport } from '../../test/foreign/wire/run.ts';
import type { Result, Size } from './result.ts';

/** The commands run concurrently, because they spend most of their time waiting for a timeout. */
const atOnce = 8;

/** Runs commands under every fault that can occur between them and the service. */
export async function run(size: Size): Promise<readonly Result[]> {
  const quick = wireFaults.filter(({ isSlow }) => isSlow !== true);
  const faults = size === 'full' ? wireFaults : quick.filter((_, at) => at % 40 === 0);
  const reports = await runAllWire(faults, wireCommands, atOnce);
  const found = reports.flatMap(({ fault }) => fault ?? []);
  if (found.length > 0) process.stderr.write(`${found.join('\n')}\n`);
  const result = (promise: string, ...kinds: readonly WireReport['kind'][]): Result => {
    const hits = reports.filter(({ kind }) => kind !== undefined && kinds.includes(kind)).length;
    const tries = `${faults.length} faults × ${Object.keys(wireCommands).length} commands`;
    return { promise, figure: `${hits} in ${tries}`, holds: hits === 0 };
  };
  return [
    result('nothing is sent twice', 'sent twice'),
    result('no reported success is false', 'false receipt'),
    result('no command exceeds its time limits', 'hang'),
    result('a processed request is reported as a success or as unknown', 'silent'),
    result('no fault ends in exit 70', 'exit 70'),
    result('every fault occurs', 'no fault'),
  ];
}
