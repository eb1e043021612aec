import type { Client, HttpReply } from '../../client/index.ts';
import { syncFolder } from '../../platform/atomic-file.ts';
import { fetchFile, readyFolder } from './fetch-file.ts';
import type { Existing, Fetched, HowFar } from './fetch-options.ts';
import type { FileNames, NameParts } from './file-name.ts';
import type { OpenContent } from './transfer.ts';
import { endsRun, untrustedHost } from './trouble.ts';

/** One thing to download, by the address that the service gave. */
export interface DownloadItem extends NameParts {
  readonly uri: string;
  readonly size?: number | undefined;
}

export interface RunOptions {
  readonly api: Pick<Client, 'media'>;
  readonly folder: string;
  readonly names: FileNames;
  readonly existing: Existing;
  readonly wantsChecksum: boolean;
  /** Whether the checksum of a file that was there is known already; otherwise it is read for it. */
  hasChecksum?(name: string): boolean;
  /** Files that are read at the same time; as many more may be on their way to the disk. */
  readonly concurrency: number;
  /** Connections for one large file. */
  readonly connections: number;
  readonly signal: AbortSignal;
  sleep(milliseconds: number): Promise<void>;
  /** So many bytes came, and these files are on their way. */
  readonly onBytes?: (count: number, underWay: Iterable<FileUnderWay>) => void;
}

/** A file that is being read. */
export interface FileUnderWay extends HowFar {
  readonly name: string;
}

/** What became of one thing. */
export type DownloadOutcome =
  | { readonly item: DownloadItem; readonly fetched: Fetched; readonly error?: undefined }
  | { readonly item: DownloadItem; readonly fetched?: undefined; readonly error: unknown };

/**
 * Downloads several at once, in the order in which they end. One that fails does not end the others; the transport keeps all of them inside the
 * service's rate limits. When the signal aborts, what is under way is noted down for the next run; what would fail for all (`endsRun`) ends it too,
 * and a host that wants a token and may not have it is not asked again.
 */
export async function* runDownloads(
  items: AsyncIterable<DownloadItem> | Iterable<DownloadItem>,
  asked: RunOptions,
): AsyncGenerator<DownloadOutcome, void, undefined> {
  const options = { ...asked, folder: await readyFolder(asked.folder) };
  const pool = new DownloadPool(options);
  try {
    for await (const item of items) {
      yield* pool.makeRoom();
      if (options.signal.aborted || pool.isOver) break;
      const refusal = pool.refusalOf(item);
      if (refusal) yield { item, error: refusal.error };
      else pool.start(item);
    }
    yield* pool.rest();
  } finally {
    await pool.closed();
    await syncFolder(options.folder);
  }
}

/** Downloads that run beside each other. */
class DownloadPool {
  readonly #options: RunOptions;
  readonly #running = new Map<number, Promise<{ readonly key: number; readonly outcome: DownloadOutcome }>>();
  /** Their bytes are here: what the disk still does with them holds up nobody. */
  readonly #finishing = new Set<number>();
  readonly #underWay = new Map<number, FileUnderWay>();
  /** Hosts that want a token and may not have it, with the error that said so. */
  readonly #refusedHosts = new Map<string, unknown>();
  #oneIsRead = settleable();
  #lastKey = 0;
  #isOver = false;
  /** Where the type is not known before the answer, names still come in the order of the items, so that the same items get the same names. */
  #named: Promise<void> = Promise.resolve();

  constructor(options: RunOptions) {
    this.#options = options;
  }

  /** Whether a download failed by what would fail for all. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Waits until one more may start, and gives what ended meanwhile. */
  async *makeRoom(): AsyncGenerator<DownloadOutcome, void, undefined> {
    const { concurrency } = this.#options;
    while (this.#running.size - this.#finishing.size >= concurrency) {
      const isRead = this.#oneIsRead.promise.then(() => true);
      const isFree = await Promise.race([isRead, ...this.#running.values()]);
      if (isFree !== true) yield await this.#settle();
      this.#oneIsRead = settleable();
    }
    if (this.#finishing.size >= concurrency) yield await this.#settle();
  }

  /** Why the host of an item is not asked again; undefined when it may be asked. */
  refusalOf({ uri }: DownloadItem): { readonly error: unknown } | undefined {
    const host = URL.canParse(uri) ? new URL(uri).host : '';
    return this.#refusedHosts.has(host) ? { error: this.#refusedHosts.get(host) } : undefined;
  }

  start(item: DownloadItem): void {
    const key = (this.#lastKey += 1);
    const before = this.#named;
    const { promise, resolve } = settleable();
    this.#named = promise;
    const progress: Progress = {
      onFar: (count, file) => {
        this.#underWay.set(key, file);
        this.#options.onBytes?.(count, this.#underWay.values());
      },
      onRead: () => {
        this.#finishing.add(key);
        this.#oneIsRead.resolve();
      },
    };
    const running = download(item, this.#options, { before, done: resolve }, progress).then((outcome) => {
      this.#underWay.delete(key);
      resolve();
      return { key, outcome };
    });
    this.#running.set(key, running);
  }

  /** What is still running, as it ends. */
  async *rest(): AsyncGenerator<DownloadOutcome, void, undefined> {
    while (this.#running.size > 0) yield await this.#settle();
  }

  /** Resolves when nothing runs any more. */
  async closed(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async #settle(): Promise<DownloadOutcome> {
    const { key, outcome } = await Promise.race(this.#running.values());
    this.#running.delete(key);
    this.#finishing.delete(key);
    this.#isOver ||= endsRun(outcome.error);
    const host = untrustedHost(outcome.error);
    if (host !== undefined && !this.#refusedHosts.has(host)) this.#refusedHosts.set(host, outcome.error);
    return outcome;
  }
}

/** Takes how far a file is. */
interface Progress {
  onFar(count: number, file: FileUnderWay): void;
  /** All of its bytes are here. */
  onRead(): void;
}

/** When this item may take its name, and that it did. */
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
  options: RunOptions,
  turn: Turn,
  progress: Progress,
): Promise<DownloadOutcome> {
  const { api, folder, existing, wantsChecksum, connections, signal } = options;
  let first: HttpReply | undefined;
  try {
    // Without metadata the answer tells the type, and the type the extension.
    first =
      item.contentType === undefined
        ? await api.media.open(item.uri, { signal: AbortSignal.any([signal]) })
        : undefined;
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
      expectedSize: item.size,
      wantsChecksum,
      wantsOldChecksum: wantsChecksum && !options.hasChecksum?.(name),
      connections,
      signal,
      sleep: (milliseconds) => options.sleep(milliseconds),
      onBytes: (count, far) => progress.onFar(count, { name, ...far }),
      onRead: () => progress.onRead(),
    });
    return { item, fetched };
  } catch (error) {
    return { item, error };
  } finally {
    await first?.discard().catch(() => undefined);
  }
}
