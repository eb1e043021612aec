import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { isRunFolder } from './run-folder.ts';

/** Fixtures that cost more than a second of CPU time to generate. */
const large: ReadonlySet<string | undefined> = new Set(['call-center']);

/**
 * The same options, with a snapshot instead of a large fixture: equal in every row, and 40 times as fast. The first
 * test that needs the snapshot makes it for the whole run, in the run's folder of temporary files, which
 * global-setup.ts removes.
 */
export async function fromSnapshot(options: SandboxOptions): Promise<SandboxOptions> {
  const { fixture, ...rest } = options;
  const isUsual = rest.clock !== 'real' && rest.startTime === undefined && rest.seed === undefined;
  if (fixture === undefined || !large.has(fixture) || !isUsual || !isRunFolder()) return options;
  return { ...rest, snapshot: await snapshotOf(fixture) };
}

async function snapshotOf(fixture: string): Promise<string> {
  const folder = join(tmpdir(), 'fixtures');
  const file = join(folder, `${fixture}.db`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const sandbox = await startSandbox({ listen: false, fixture });
  const own = join(folder, `${fixture}-${process.pid}.db`);
  sandbox.save(own);
  await sandbox.close();
  // Two workers may make it at the same time; both files are complete.
  renameSync(own, file);
  return file;
}
