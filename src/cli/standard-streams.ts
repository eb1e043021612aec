import { fstatSync } from 'node:fs';
import type { Input, Sink } from '../runtime/streams.ts';

let isStdoutGone = false;

/** Returns whether a write to stdout failed because its terminal was closed. */
export function isStdoutTerminalClosed(): boolean {
  return isStdoutGone;
}

type OutputStream = NodeJS.WriteStream & { readonly fd: number };

/** Returns a sink that opens its stream at the first use, because opening takes time and most runs never use stderr. */
export function sinkOf(
  open: () => OutputStream,
  watch?: Sink['onReaderGone'],
  lastBytes?: Sink['lastBytes'],
): Sink {
  let failure: Error | undefined;
  let opened: OutputStream | undefined;
  const stream = (): OutputStream => {
    if (opened) return opened;
    opened = open();
    const { fd } = opened;
    opened.on('error', (error) => {
      failure = writeError(error, fd);
    });
    return opened;
  };
  return {
    get isTerminal() {
      return stream().isTTY ?? false;
    },
    get columns() {
      // A serial line has no known width and reports 0.
      return this.isTerminal ? stream().columns || undefined : undefined;
    },
    get rows() {
      return this.isTerminal ? stream().rows || undefined : undefined;
    },
    get stream() {
      return this.isTerminal ? stream() : undefined;
    },
    get onReaderGone() {
      return this.isTerminal ? undefined : watch;
    },
    lastBytes,
    write: (text, onWritten) =>
      new Promise((resolve, reject) => {
        if (failure) {
          reject(failure);
          return;
        }
        stream().write(text, (error) => {
          if (error) reject(writeError(error, stream().fd));
          else resolve();
        });
        if (stream().writableLength === 0 && !stream().errored) onWritten?.();
      }),
  };
}

/**
 * Returns the error for a failed write. A terminal that was closed is a closed pipe: a write to it fails with EIO, which
 * means a failing disk for a file.
 */
function writeError(error: NodeJS.ErrnoException, fd: number): Error {
  if (error.code !== 'EIO' || !fstatSync(fd).isCharacterDevice()) return error;
  if (fd === 1) isStdoutGone = true;
  return Object.assign(new Error('the terminal was closed', { cause: error }), { code: 'EPIPE' });
}

/**
 * Calls `onGone` when the program that reads stdout ends. Its module is loaded only for live commands, because other runs
 * end before that program.
 */
export function watchStdout(onGone: () => void): () => void {
  const stop = new AbortController();
  void import('../platform/pipe-reader.ts').then(({ watchStdoutReader }) =>
    watchStdoutReader(stop.signal, onGone),
  );
  return () => stop.abort();
}

/** Returns the last bytes of the file of stdout. Its module is loaded on demand, because only live commands use it. */
export async function lastBytesOfStdout(count: number): Promise<Uint8Array> {
  const { endOfStdout } = await import('../platform/file-end.ts');
  return endOfStdout(count);
}

/** Returns the input of stdin, which is opened at its first use, because opening takes time. */
export function inputOf(open: () => NodeJS.ReadStream): Input & { end(): void } {
  let opened: NodeJS.ReadStream | undefined;
  const stdin = (): NodeJS.ReadStream => (opened ??= open());
  return {
    get isTerminal() {
      return stdin().isTTY ?? false;
    },
    get stream() {
      return stdin();
    },
    /** Closes stdin: a pipe whose writer stays open would keep this process running. */
    end: () => void opened?.destroy(),
    async *lines() {
      const decoder = new TextDecoder();
      let rest = '';
      for await (const piece of stdin()) {
        const lines = (rest + decoder.decode(piece as Uint8Array, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield line.replace(/\r$/, '');
      }
      if (rest !== '') yield rest;
    },
    text: async () => (await readWhole(stdin())).toString('utf8'),
    bytes: () => readWhole(stdin()),
  };
}

async function readWhole(source: AsyncIterable<unknown>): Promise<Buffer> {
  // Loaded late, because most commands read no input.
  const { readBounded } = await import('../platform/read-bounded.ts');
  return readBounded(source);
}
