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
  type DownloadItem,
  type DownloadOutcome,
  type Existing,
  type FileUnderWay,
} from '../../features/download/index.ts';
import { counted } from '../../platform/counted.ts';
import { checkParents, lockedFolder } from '../../features/output-path/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { EachFailedError, type ItemFailure } from '../../errors/each-failed.ts';
import { nextStep } from '../../errors/hint.ts';
import type { DownloadOptions } from './download-options.ts';
import { downloadColumns, downloadRows, type DownloadRow } from './download.rows.ts';
import { isBulk, itemsOf, mayBeSeveral } from './items.ts';
import { progressLine, sizeText } from './progress-line.ts';
import { RequestedOrder } from './requested-order.ts';

/** Milliseconds between two updates of the progress, because more updates would slow the download. */
const showEvery = 100;
/** Maximum number of failures that the message about a failed run lists, because the rows contain all of them. */
const maxListedFailures = 10;

/** Numbers of files that this run has processed so far. */
interface Tally {
  files: number;
  bytes: number;
  failed: number;
  downloaded: number;
  /** Size of the downloaded files, including the parts from earlier runs. */
  downloadedBytes: number;
  existing: number;
  /** Number of failed files with a stored partial file. */
  stored: number;
  firstError?: unknown;
  /** The failures before the first success. */
  readonly failures: ItemFailure[];
  /** An error that would also fail all remaining files, such as a full disk. */
  lastError?: unknown;
  readonly sums: Map<string, string>;
}

function newTally(): Tally {
  const counts = { files: 0, bytes: 0, failed: 0, downloaded: 0, downloadedBytes: 0, existing: 0, stored: 0 };
  return { ...counts, failures: [], sums: new Map() };
}

/** `download`: finds the requested content and saves files while further pages are read. */
export async function download(ctx: Context, options: DownloadOptions): Promise<void> {
  if (options.nameTemplate !== undefined) checkTemplate(options.nameTemplate);
  const folder = resolve(ctx.cwd, options.dir);
  checkParents(folder, ctx.cwd, options.parents);
  const found = await itemsOf(ctx, options);
  const tally = newTally();
  if (options.dryRun) return showPlanned(ctx, found, folder, tally);
  const order = isBulk(options) || ctx.out.format === 'ndjson' ? undefined : new RequestedOrder();
  const items = order?.record(found) ?? found;
  const real = await readyFolder(folder);
  await lockedFolder(ctx, 'download', { real, shown: real }, async () => {
    const manifest = await manifestOf(options, real, ctx.cwd);
    // The checksum file is checked before the download starts, so that other files are never overwritten.
    const before = manifest && (await readManifest(manifest.file));
    await ctx.out.progress('Downloading', async (update) => {
      const outcomes = runDownloads(items, {
        api: await ctx.api(),
        folder: real,
        names: new FileNames(options.nameTemplate, !mayBeSeveral(options), ctx.out.zone),
        existing: existingOf(options),
        wantsChecksum: manifest !== undefined,
        hasChecksum: (name) =>
          manifest !== undefined &&
          before?.has(nameInManifest(manifest.file, join(manifest.folder, name))) === true,
        concurrency: options.concurrency,
        connections: options.connections,
        retries: ctx.settings.retry.value,
        signal: ctx.signal,
        sleep: (milliseconds) => ctx.sleep(milliseconds),
        elapsed: () => ctx.elapsed(),
        onBytes: byteCounter(ctx, tally, update),
        onStored: () => {
          tally.stored += 1;
        },
      });
      const addSums = async (): Promise<void> =>
        manifest && addToManifest(manifest.file, tally.sums, ctx.paths.state);
      const finished = tallied(ctx, outcomes, tally);
      const rows = rowsOf(order?.restore(finished) ?? finished);
      await ctx.out.list(rows, downloadRows.pick(downloadColumns)).catch(
        // The files are complete even if the rows cannot be written, for example to a closed pipe.
        async (error: unknown) => {
          await addSums().catch(() => undefined);
          throw error;
        },
      );
      await addSums();
    });
  });
  if (ctx.signal.aborted) ctx.out.note(interruptedNote(tally));
  ctx.signal.throwIfAborted();
  conclude(tally);
  if (tally.files > 1) ctx.out.note(`${counted(tally.files, 'file')}: ${doneTexts(tally).join(', ')}.`);
}

/** Returns a function that counts received bytes, and shows the progress of the run from time to time. */
function byteCounter(
  ctx: Context,
  tally: Tally,
  update: (text: string, parts: readonly string[]) => void,
): (count: number, underWay: Iterable<FileUnderWay>) => void {
  let shownAt = 0;
  return (count, underWay) => {
    tally.bytes += count;
    if (ctx.elapsed() - shownAt < showEvery) return;
    shownAt = ctx.elapsed();
    const text = `${counted(tally.files, 'file')} done, ${sizeText(tally.bytes)}`;
    update(text, Array.from(underWay, progressLine));
  };
}

/** Returns the numbers of complete files, such as `12 downloaded (3.4 MB)` and `2 already existed`. */
function doneTexts({ downloaded, downloadedBytes, existing }: Tally): readonly string[] {
  return [
    ...(downloaded > 0
      ? [`${downloaded.toLocaleString('en-US')} downloaded (${sizeText(downloadedBytes)})`]
      : []),
    ...(existing > 0 ? [`${existing.toLocaleString('en-US')} already existed`] : []),
  ];
}

/**
 * `--dry-run`: a row for each item. The row has no file name, because the name may depend on the content type of the
 * reply. Fails as the download would if a lookup failed.
 */
async function showPlanned(
  ctx: Context,
  items: AsyncIterable<DownloadItem>,
  folder: string,
  tally: Tally,
): Promise<void> {
  const planned = async function* (): AsyncGenerator<DownloadRow, void, undefined> {
    for await (const item of items) {
      const { kind, id, uri, size, failure } = item;
      if (failure) {
        count(tally, { item, error: failure.error });
        yield downloadRows.row({}, { item, error: failure.error });
      } else {
        tally.files += 1;
        yield { kind, id, status: 'planned', bytes: size, uri };
      }
    }
  };
  await ctx.out.list(planned(), downloadRows.pick(downloadColumns));
  ctx.out.note(`Dry run: ucctl would download these files to ${folder}.`);
  conclude(tally);
}

const resumePartial = 'to resume partial downloads, run the same command with --continue';

/** Returns the message after an interrupted run: whether partial files exist, and how to resume. */
function interruptedNote({ stored }: Tally): string {
  return stored > 0
    ? resumePartial
    : 'there are no partial downloads; to download the missing files, run the same command with --continue';
}

function existingOf({ skipExisting, clobber, continue: resume }: DownloadOptions): Existing {
  if (clobber) return 'clobber';
  if (resume) return 'continue';
  return skipExisting ? 'skip' : 'fail';
}

/**
 * Returns the checksum file with the real path of its folder, because it lists paths relative to this folder.
 * @param folder the real path of the download folder
 */
async function manifestOf(
  options: DownloadOptions,
  folder: string,
  cwd: string,
): Promise<{ readonly file: string; readonly folder: string } | undefined> {
  if (options.manifest === undefined && !isBulk(options)) return undefined;
  if (options.manifest === undefined) return { file: join(folder, 'SHA256SUMS'), folder };
  const asked = resolve(cwd, options.manifest);
  return { file: join(await readyFolder(dirname(asked)), basename(asked)), folder };
}

async function* tallied(
  ctx: Context,
  outcomes: AsyncIterable<DownloadOutcome>,
  tally: Tally,
): AsyncGenerator<DownloadOutcome, void, undefined> {
  for await (const outcome of outcomes) {
    const { fetched } = outcome;
    for (const warning of fetched?.warnings ?? []) ctx.out.warn(`${fetched?.file}: ${warning}`);
    count(tally, outcome);
    yield outcome;
  }
}

function count(tally: Tally, { item, fetched, error }: DownloadOutcome): void {
  tally.files += 1;
  if (fetched?.sha256 !== undefined) tally.sums.set(fetched.file, fetched.sha256);
  if (fetched?.status === 'exists') tally.existing += 1;
  else if (fetched) {
    tally.downloaded += 1;
    tally.downloadedBytes += fetched.bytes;
  } else {
    tally.failed += 1;
    tally.firstError ??= error;
    if (tally.failed === tally.files) tally.failures.push({ id: item.id, error });
    if (endsRun(error)) tally.lastError ??= error;
  }
}

async function* rowsOf(
  outcomes: AsyncIterable<DownloadOutcome>,
): AsyncGenerator<DownloadRow, void, undefined> {
  for await (const outcome of outcomes) yield downloadRows.row({}, outcome);
}

/**
 * Throws the error of a failed run: the error that stopped the run, the error of a single file, or a summary. If all
 * files failed, the exit code is that of their errors.
 */
function conclude(tally: Tally): void {
  const { files, failed, stored, failures, firstError, lastError } = tally;
  if (failed === 0) return;
  if (lastError !== undefined) throw lastError;
  if (files === 1) throw firstError;
  const text = [`${failed} of ${counted(files, 'file')} failed`, ...doneTexts(tally)].join(', ');
  if (failed === files) {
    const hint = stored > 0 ? resumePartial : undefined;
    throw new EachFailedError(text, failures, { listed: maxListedFailures, hint });
  }
  const first = firstError instanceof Error ? firstError : undefined;
  const untrusted = untrustedHost(firstError);
  const remedy = untrusted ? nextStep`; if the host belongs to the service, run ${untrusted.remedy}` : '';
  throw new CommandError('partial', Exit.partial, text, {
    hint: nextStep`first error: ${first?.message ?? 'unknown'}${remedy}; see the rows with status failed, and resume with --continue`,
    retryable: true,
  });
}
