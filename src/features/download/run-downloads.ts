import type { Client, HttpReply } from '../../client/index.ts';
import { syncFolder } from '../../platform/atomic-file.ts';
import { fetchFile, readyFolder } from './fetch-file.ts';
import type { Existing, Fetched, Progress } from './fetch-options.ts';
import type { FileNames, NameParts } from './file-name.ts';
import type { OpenContent } from './transfer.ts';
import { endsRun, requireAddress, untrustedHost } from './download-failure.ts';

/** One item to download, with the URL from the service. */
export interface DownloadItem extends NameParts {
  /** Empty if the service sent no URL. */
  readonly uri: string;
  /** The error of the request for the URL; such an item is not downloaded. */
  readonly failure?: { readonly error: unknown } | undefined;
  readonly size?: number | undefined;
  /** Whether the file may be JSON, because only its address is known. */
  readonly mayBeJson?: boolean;
}

export interface DownloadRunOptions {
  readonly api: Pick<Client, 'media'>;
  readonly folder: string;
  readonly names: FileNames;
  readonly existing: Existing;
  readonly wantsChecksum: boolean;
  /** Whether the checksum of an existing file is known. If not, the file is read to compute it. */
  hasChecksum?(name: string): boolean;
  /**
   * Number of files that are downloaded at the same time. The same number of further files may be in the state of being
   * written to the disk.
   */
  readonly concurrency: number;
  /** Maximum number of connections for one large file. */
  readonly connections: number;
  /** Maximum number of retries of a file after its connection broke. */
  readonly retries: number;
  readonly signal: AbortSignal;
  sleep(milliseconds: number): Promise<void>;
  /** Returns the milliseconds since any fixed time. */
  elapsed(): number;
  /** Receives the number of new bytes and the files in progress. */
  readonly onBytes?: (count: number, underWay: Iterable<FileUnderWay>) => void;
  /** Called for each failed download whose partial file is stored and can be resumed. */
  readonly onStored?: () => void;
}

/** A file that is being downloaded. */
export interface FileUnderWay extends Progress {
  readonly name: string;
}

/** The result of one item. */
export type DownloadOutcome =
  | { readonly item: DownloadItem; readonly fetched: Fetched; readonly error?: undefined }
  | { readonly item: DownloadItem; readonly fetched?: undefined; readonly error: unknown };

/**
 * Downloads several items at once and yields them in the order in which they finish. A failure does not stop the
 * others; the transport keeps all requests within the rate limits of the service. When the signal aborts, the state of
 * partial files is recorded for the next run. An error that would fail all files (`endsRun`) stops the run. An error of
 * `items` is thrown after the outcomes of the downloads that were running. An untrusted host that requires a token is
 * not requested again.
 */
export async function* runDownloads(
  items: AsyncIterable<DownloadItem> | Iterable<DownloadItem>,
  asked: DownloadRunOptions,
): AsyncGenerator<DownloadOutcome, void, undefined> {
  const options = { ...asked, folder: await readyFolder(asked.folder) };
  const pool = new DownloadPool(options);
  try {
    for await (const item of items) {
      yield* pool.makeRoom();
      if (options.signal.aborted || pool.isOver) break;
      const rejection = pool.rejectionOf(item);
      if (rejection) yield { item, error: rejection.error };
      else pool.start(item);
    }
    yield* pool.rest();
  } catch (error) {
    // The running downloads are completed anyway, and their files need a row and a checksum.
    yield* pool.rest();
    throw error;
  } finally {
    await pool.closed();
    await syncFolder(options.folder);
  }
}

/** Downloads that run at the same time. */
class DownloadPool {
  readonly #options: DownloadRunOptions;
  readonly #running = new Map<number, Promise<{ readonly key: number; readonly outcome: DownloadOutcome }>>();
  /** Downloads with all bytes received; their remaining disk writes do not block others. */
  readonly #finishing = new Set<number>();
  readonly #underWay = new Map<number, FileUnderWay>();
  /** Untrusted hosts that require a token, with the resulting errors. */
  readonly #untrustedHosts = new Map<string, unknown>();
  #someRead = settleable();
  #lastKey = 0;
  #isOver = false;
  /**
   * Resolves when all earlier items have names. Names are assigned in the order of the items, so that they are
   * reproducible, even if a type is known only after the reply.
   */
  #named: Promise<void> = Promise.resolve();

  constructor(options: DownloadRunOptions) {
    this.#options = options;
  }

  /** Whether a download failed with an error that would fail all files. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Waits until another download may start, and yields the downloads that finished meanwhile. */
  async *makeRoom(): AsyncGenerator<DownloadOutcome, void, undefined> {
    const { concurrency } = this.#options;
    while (this.#running.size - this.#finishing.size >= concurrency) {
      const isRead = this.#someRead.promise.then(() => true);
      const isFree = await Promise.race([isRead, ...this.#running.values()]);
      if (isFree !== true) yield await this.#settle();
      this.#someRead = settleable();
    }
    if (this.#finishing.size >= concurrency) yield await this.#settle();
  }

  /** Returns the error of an item that is not requested: of its lookup or its untrusted host; undefined for other items. */
  rejectionOf({ uri, failure }: DownloadItem): { readonly error: unknown } | undefined {
    if (failure) return failure;
    const host = URL.canParse(uri) ? new URL(uri).host : '';
    return this.#untrustedHosts.has(host) ? { error: this.#untrustedHosts.get(host) } : undefined;
  }

  start(item: DownloadItem): void {
    const key = (this.#lastKey += 1);
    const before = this.#named;
    const { promise, resolve } = settleable();
    this.#named = promise;
    const listener: ProgressListener = {
      onProgress: (count, file) => {
        this.#underWay.set(key, file);
        this.#options.onBytes?.(count, this.#underWay.values());
      },
      onRead: () => {
        this.#finishing.add(key);
        this.#someRead.resolve();
      },
    };
    const running = download(item, this.#options, { before, done: resolve }, listener).then((outcome) => {
      this.#underWay.delete(key);
      resolve();
      return { key, outcome };
    });
    this.#running.set(key, running);
  }

  /** Yields the remaining downloads as they finish. */
  async *rest(): AsyncGenerator<DownloadOutcome, void, undefined> {
    while (this.#running.size > 0) yield await this.#settle();
  }

  /** Resolves when no download is running. */
  async closed(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async #settle(): Promise<DownloadOutcome> {
    const { key, outcome } = await Promise.race(this.#running.values());
    this.#running.delete(key);
    this.#finishing.delete(key);
    this.#isOver ||= endsRun(outcome.error);
    const host = untrustedHost(outcome.error)?.host;
    if (host !== undefined && !this.#untrustedHosts.has(host)) this.#untrustedHosts.set(host, outcome.error);
    return outcome;
  }
}

/** Receives the progress of a file. */
interface ProgressListener {
  onProgress(count: number, file: FileUnderWay): void;
  /** Called when all bytes of the file are received. */
  onRead(): void;
}

/**
 * The turn of an item, because items are named in order. `before` resolves when the turn begins; the item then calls
 * `done`.
 */
interface Turn {
  readonly before: Promise<void>;
  done(): void;
}

function settleable(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function download(
  item: DownloadItem,
  options: DownloadRunOptions,
  turn: Turn,
  listener: ProgressListener,
): Promise<DownloadOutcome> {
  const { api, folder, existing, wantsChecksum, connections, signal } = options;
  let first: HttpReply | undefined;
  try {
    requireAddress(item.uri, item.kind === 'content');
    // Without metadata the type of the content is known only from the reply, and the type determines the
    // extension.
    first = item.contentType === undefined ? await api.media.open(item.uri, { signal }) : undefined;
    const type = item.contentType ?? first?.header('content-type');
    const open: OpenContent = async (range, ifRange, own) => {
      const ready = first;
      first = undefined;
      if (ready && !range) return ready;
      await ready?.discard();
      const bound = range && ifRange !== undefined ? { ifRange } : {};
      return api.media.open(item.uri, { signal: own, ...(range && { range }), ...bound });
    };
    await turn.before;
    const name = options.names.take({ ...item, contentType: type });
    turn.done();
    const fetched = await fetchFile({
      open,
      uri: item.uri,
      folder,
      isFolderReady: true,
      name,
      existing,
      expectedType: item.contentType,
      mayBeJson: item.mayBeJson,
      expectedSize: item.size,
      wantsChecksum,
      wantsOldChecksum: wantsChecksum && !options.hasChecksum?.(name),
      connections,
      retries: options.retries,
      signal,
      sleep: (milliseconds) => options.sleep(milliseconds),
      elapsed: () => options.elapsed(),
      onBytes: (count, progress) => listener.onProgress(count, { name, ...progress }),
      onRead: () => listener.onRead(),
      onStored: options.onStored,
    });
    return { item, fetched };
  } catch (error) {
    return { item, error };
  } finally {
    await first?.discard().catch(() => undefined);
  }
}
