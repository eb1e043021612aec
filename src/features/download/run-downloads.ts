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
  const running = new Map<number, Promise<{ readonly key: number; readonly outcome: DownloadOutcome }>>();
  // Their bytes are here: what the disk still does with them holds up nobody.
  const finishing = new Set<number>();
  let oneIsRead = settleable();
  const bars = new Map<number, FileUnderWay>();
  let key = 0;
  let isOver = false;
  const refused = new Map<string, unknown>();
  // Where the type is not known before the answer, names still come in the order of the items, so that the same items get the same names.
  let named: Promise<void> = Promise.resolve();
  const settle = async (): Promise<DownloadOutcome> => {
    const { key: done, outcome } = await Promise.race(running.values());
    running.delete(done);
    finishing.delete(done);
    isOver ||= endsRun(outcome.error);
    const host = untrustedHost(outcome.error);
    if (host !== undefined && !refused.has(host)) refused.set(host, outcome.error);
    return outcome;
  };
  try {
    for await (const item of items) {
      while (running.size - finishing.size >= options.concurrency) {
        const isFree = await Promise.race([oneIsRead.promise.then(() => true), ...running.values()]);
        if (isFree !== true) yield await settle();
        oneIsRead = settleable();
      }
      if (finishing.size >= options.concurrency) yield await settle();
      if (options.signal.aborted || isOver) break;
      const host = URL.canParse(item.uri) ? new URL(item.uri).host : '';
      if (refused.has(host)) {
        yield { item, error: refused.get(host) };
        continue;
      }
      const own = (key += 1);
      const before = named;
      const { promise, resolve } = settleable();
      named = promise;
      const onFar = (count: number, bar: FileUnderWay): void => {
        bars.set(own, bar);
        options.onBytes?.(count, bars.values());
      };
      const onRead = (): void => {
        finishing.add(own);
        oneIsRead.resolve();
      };
      running.set(
        own,
        download(item, options, { before, done: resolve }, onFar, onRead).then((outcome) => {
          bars.delete(own);
          resolve();
          return { key: own, outcome };
        }),
      );
    }
    while (running.size > 0) yield await settle();
  } finally {
    await Promise.allSettled(running.values());
    await syncFolder(options.folder);
  }
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
  onFar: (count: number, bar: FileUnderWay) => void,
  onRead: () => void,
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
      onBytes: (count, far) => onFar(count, { name, ...far }),
      onRead,
    });
    return { item, fetched };
  } catch (error) {
    return { item, error };
  } finally {
    await first?.discard().catch(() => undefined);
  }
}
