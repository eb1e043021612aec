import { basename, dirname, join, resolve } from 'node:path';
import {
  addToManifest,
  checkTemplate,
  endsRun,
  FileNames,
  nameInManifest,
  readManifest,
  readyFolder,
  runDownloads,
  untrustedHost,
  type DownloadOutcome,
  type Existing,
} from '../../features/download/index.ts';
import { counted } from '../../platform/counted.ts';
import { withProcessLock } from '../../platform/process-lock.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { DownloadOptions } from './download-options.ts';
import { downloadView, toRow, type DownloadRow } from './download-view.ts';
import { isBulk, itemsOf } from './items.ts';
import { progressLine, sizeText } from './progress-line.ts';

/** Milliseconds between two pictures of the progress: more would slow the reading. */
const showEvery = 100;

/** What has come so far. */
interface Tally {
  files: number;
  bytes: number;
  failed: number;
  firstError?: unknown;
  /** What would have failed for all that was left too. */
  lastError?: unknown;
  readonly sums: Map<string, string>;
}

/** `download`: finds what is asked for, and saves it while further pages are still read. */
export async function download(ctx: Context, options: DownloadOptions): Promise<void> {
  if (options.nameTemplate !== undefined) checkTemplate(options.nameTemplate);
  const items = await itemsOf(ctx, options);
  const folder = resolve(ctx.cwd, options.dir);
  const tally: Tally = { files: 0, bytes: 0, failed: 0, sums: new Map() };
  await lockedFolder(ctx, folder, async () => {
    const manifest = await manifestOf(options, folder, ctx.cwd);
    // Before anything is read: a file that is no manifest is not written over.
    const before = manifest && (await readManifest(manifest.file));
    await ctx.out.progress('downloading', async (update) => {
      let shownAt = 0;
      const outcomes = runDownloads(items, {
        api: await ctx.api(),
        folder,
        names: new FileNames(options.nameTemplate),
        existing: existingOf(options),
        wantsChecksum: manifest !== undefined,
        hasChecksum: (name) =>
          manifest !== undefined &&
          before?.has(nameInManifest(manifest.file, join(manifest.folder, name))) === true,
        concurrency: options.concurrency,
        connections: options.connections,
        signal: ctx.signal,
        sleep: (milliseconds) => ctx.sleep(milliseconds),
        onBytes: (count, underWay) => {
          tally.bytes += count;
          if (ctx.now() - shownAt < showEvery) return;
          shownAt = ctx.now();
          const text = `${counted(tally.files, 'file')} done, ${sizeText(tally.bytes)}`;
          update(text, Array.from(underWay, progressLine));
        },
      });
      await ctx.out.list(tallied(ctx, outcomes, tally), downloadView);
      if (manifest) await addToManifest(manifest.file, tally.sums);
    });
  });
  if (ctx.signal.aborted) ctx.out.note('what came is kept; the same command with --continue carries on');
  ctx.signal.throwIfAborted();
  conclude(tally);
}

/** One run after the other into one folder: two that write the same file would spoil it. */
async function lockedFolder(ctx: Context, folder: string, work: () => Promise<void>): Promise<void> {
  const { createHash } = await import('node:crypto');
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const lock = join(ctx.paths.state, 'downloads', `${name}.lock`);
  await withProcessLock(lock, { waitMilliseconds: 24 * 3_600_000, signal: ctx.signal }, work);
}

function existingOf({ skipExisting, clobber, continue: carryOn }: DownloadOptions): Existing {
  if (clobber) return 'clobber';
  if (carryOn) return 'continue';
  return skipExisting ? 'skip' : 'refuse';
}

/** Where the checksums go, and the folder of the files, both without links: one names the other by the way between them. */
async function manifestOf(
  options: DownloadOptions,
  folder: string,
  cwd: string,
): Promise<{ readonly file: string; readonly folder: string } | undefined> {
  if (options.manifest === undefined && !isBulk(options)) return undefined;
  const real = await readyFolder(folder);
  if (options.manifest === undefined) return { file: join(real, 'SHA256SUMS'), folder: real };
  const asked = resolve(cwd, options.manifest);
  return { file: join(await readyFolder(dirname(asked)), basename(asked)), folder: real };
}

async function* tallied(
  ctx: Context,
  outcomes: AsyncIterable<DownloadOutcome>,
  tally: Tally,
): AsyncGenerator<DownloadRow, void, undefined> {
  for await (const outcome of outcomes) {
    const { fetched, error } = outcome;
    tally.files += 1;
    if (fetched?.sha256 !== undefined) tally.sums.set(fetched.file, fetched.sha256);
    for (const warning of fetched?.warnings ?? []) ctx.out.warn(warning);
    if (!fetched) {
      tally.failed += 1;
      tally.firstError ??= error;
      if (endsRun(error)) tally.lastError ??= error;
    }
    yield toRow(outcome);
  }
}

/** One failure alone is told as it is, and so is what ended the run. */
function conclude({ files, failed, firstError, lastError }: Tally): void {
  if (failed === 0) return;
  if (lastError !== undefined) throw lastError;
  if (files === 1) throw firstError;
  const first = firstError instanceof Error ? firstError : undefined;
  const host = untrustedHost(firstError);
  const remedy =
    host === undefined
      ? ''
      : nextStep`; if it belongs to the service: ${ucctl(`config set media-hosts ${host}`)}`;
  throw new CommandError('partial', Exit.partial, `${failed} of ${counted(files, 'file')} failed`, {
    hint: nextStep`the first: ${first?.message ?? 'unknown'}${remedy}; the rows with status failed say the others, --continue carries on`,
    retryable: true,
  });
}
