import { pairedCpuRatio, peakMegabytes, spread, type Command, type Spread } from './measure.ts';
import type { Outcome, Result } from './report.ts';

const own = ['node', 'bin/ucctl.cjs'] as const;

/** Name of the row of a run that compares nothing. */
const noPeers = 'start-up of other command lines';

/** Returns the name of the row that replaces a result in a run that skips its comparison. */
export function skippedNameOf(name: string): string {
  return / of that of peer \d/.test(name) ? noPeers : name;
}

/**
 * Start-up compared with other command lines, in processor time and in memory, pair by pair.
 * @param commands one per line, as they are called without arguments; undefined or empty: none.
 */
export function comparePeers(commands: string | undefined, rounds: number): readonly Outcome[] {
  const peers = (commands ?? '')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([command]) => command);
  if (peers.length === 0) {
    return [{ name: noPeers, skipped: 'UCCTL_BENCH_PEER is not set' }];
  }
  return peers.flatMap((peer, at) =>
    ['--version', '--help'].flatMap((word) => {
      // Numbered, because the results contain no names of other products.
      const name = `${word}, of that of peer ${at + 1}`;
      try {
        return compare(name, [...own, word], [...peer, word] as unknown as Command['argv'], rounds);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return [{ name, skipped: reason.replaceAll(peer.join(' '), `peer ${at + 1}`) }];
      }
    }),
  );
}

function compare(
  name: string,
  mine: Command['argv'],
  other: Command['argv'],
  rounds: number,
): readonly Outcome[] {
  const { ratio } = pairedCpuRatio({ argv: mine }, { argv: other }, rounds);
  const times = toResult(`${name}, processor time`, ratio);
  const memory = Array.from(
    { length: 3 },
    () => peakMegabytes({ argv: mine }) / peakMegabytes({ argv: other }),
  );
  if (memory.some(Number.isNaN)) {
    return [times, { name: `${name}, memory`, skipped: 'the program does not run on Node' }];
  }
  return [times, toResult(`${name}, memory`, spread(memory))];
}

function toResult(name: string, { median, min, max, noise }: Spread): Result {
  return { name, value: median, min, max, noise, goal: 1, sense: 'at most', unit: 'x' };
}
