import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { cleanEnvironment, spread } from './measure.ts';
import { partOf, type CallFrame } from './profile-parts.ts';
import type { Outcome } from './report.ts';
import type { Note, Profile } from './results.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import { scaled } from './scaled.ts';

const runs = scaled(9, 3);
/** Parts below this share of the whole are combined. */
const least = 0.01;

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  /** Node of each sample, and microseconds since the previous sample. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Profiles the three most common commands. The figures have no goals. */
export async function profile(note: (note: Note) => void): Promise<readonly Outcome[]> {
  const sandbox = await startSandboxProcess(['--rate-limits', 'off']);
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-profile-'));
  const text = ['sms', 'send', '--to', '+14155550123', '--yes', 'A text of the benchmark'];
  try {
    for (const args of [['--help'], ['queue', 'list'], text]) {
      const one = profileOf(args, sandbox, folder);
      note(one);
      print(one);
    }
  } finally {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return [];
}

function profileOf(args: readonly string[], sandbox: SandboxProcess, folder: string): Profile {
  const env = cleanEnvironment({
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_TOKEN: sandbox.token,
    UCCTL_STATE_DIR: folder,
    UCCTL_CACHE_DIR: join(folder, 'cache'),
  });
  const program = join(process.cwd(), 'bin/ucctl.cjs');
  // The first run stores the compiled code; the second is like all later ones.
  for (let warmUp = 0; warmUp < 2; warmUp += 1) spawnSync(execPath, [program, ...args], { env });
  const all = Array.from({ length: runs }, (_, run) => {
    const into = join(folder, `${args.join('-').replaceAll(/\W/g, '')}-${run}`);
    const options = ['--cpu-prof', '--cpu-prof-interval', '100', '--cpu-prof-dir', into];
    const { status, stderr } = spawnSync(execPath, [...options, program, ...args], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`bench: ucctl ${args.join(' ')} ended with ${status}: ${stderr}`);
    const [file = ''] = readdirSync(into);
    return timesOf(JSON.parse(readFileSync(join(into, file), 'utf8')) as CpuProfile);
  });
  const parts = [...new Set(all.flatMap((one) => [...one.keys()]))].map((part) => ({
    part,
    milliseconds: spread(all.map((one) => one.get(part) ?? 0)).median,
  }));
  const total = parts.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const large = parts.filter(({ milliseconds }) => milliseconds >= total * least);
  const rest = total - large.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return {
    kind: 'profile',
    command: `ucctl ${args.slice(0, 2).join(' ')}`,
    total,
    parts: [
      ...large.toSorted((a, b) => b.milliseconds - a.milliseconds),
      ...(rest > 0 ? [{ part: 'parts below 1 %', milliseconds: rest }] : []),
    ],
  };
}

/** Milliseconds of self time by part. Waiting does not count. */
function timesOf({ nodes, samples, timeDeltas }: CpuProfile): ReadonlyMap<string, number> {
  const callFrames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const callFrame = callFrames.get(id);
    if (!callFrame || callFrame.functionName === '(idle)') continue;
    const part = partOf(callFrame);
    // A sample represents the time until the next one.
    times.set(part, (times.get(part) ?? 0) + (timeDeltas[at + 1] ?? 0) / 1000);
  }
  return times;
}

function print({ command, total, parts }: Profile): void {
  process.stdout.write(`${command}: ${total.toFixed(1)} ms\n`);
  for (const { part, milliseconds } of parts) {
    const share = `${Math.round((100 * milliseconds) / total)} %`.padStart(5);
    process.stdout.write(`  ${share}  ${milliseconds.toFixed(1).padStart(6)} ms  ${part}\n`);
  }
}
