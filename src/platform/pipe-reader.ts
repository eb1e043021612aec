import { setTimeout as delay } from 'node:timers/promises';
import type { WASI } from 'node:wasi';

/** Memory layout of a call of `poll_oneoff` in WASI preview 1, with two subscriptions and two events. */
const layout = { subscriptions: 0, events: 128, count: 192 } as const;
const subscriptionBytes = 48;
const eventKind = { clock: 0, write: 2 } as const;
/** Timeout of one poll. The poll of a pipe with free space returns sooner; the poll of a full pipe takes this long. */
const pollTimeoutNanoseconds = 1_000_000n;

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** The type of WebAssembly is declared only in the type library for browsers. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: new (pages: { readonly initial: number }) => Memory };
};

/**
 * Checks whether a pipe or socket that this process writes to still has a reader, without writing to it. Node has no
 * function for this check, but its WASI implements `poll` for the descriptors of the process.
 */
class PipeReader {
  readonly #wasi: WASI;
  readonly #memory: Memory;

  private constructor(wasi: WASI, memory: Memory) {
    this.#wasi = wasi;
    this.#memory = memory;
  }

  /** Creates the check for standard output. @throws if Node has no WASI. */
  static async ofStdout(): Promise<PipeReader> {
    const { WASI } = await import('node:wasi');
    const wasi = new WASI({ version: 'preview1', stdin: 0, stdout: 1, stderr: 2, returnOnExit: true });
    const memory = new wasm.Memory({ initial: 1 });
    wasi.initialize({ exports: { memory } });
    return new PipeReader(wasi, memory);
  }

  /** State of the reader. `unknown` for a file, a device, or a system that cannot poll pipes. */
  state(): 'reading' | 'gone' | 'unknown' {
    const view = new DataView(this.#memory.buffer);
    new Uint8Array(this.#memory.buffer, 0, 256).fill(0);
    view.setUint8(layout.subscriptions + 8, eventKind.write);
    view.setUint32(layout.subscriptions + 16, 1, true);
    const clock = layout.subscriptions + subscriptionBytes;
    view.setUint8(clock + 8, eventKind.clock);
    view.setUint32(clock + 16, 1, true);
    view.setBigUint64(clock + 24, pollTimeoutNanoseconds, true);
    const poll = this.#wasi.wasiImport['poll_oneoff'] as Poll;
    if (poll(layout.subscriptions, layout.events, 2, layout.count) !== 0) return 'unknown';
    for (let index = 0; index < view.getUint32(layout.count, true); index += 1) {
      const event = layout.events + index * 32;
      const isError = view.getUint16(event + 8, true) !== 0;
      const hasHungUp = (view.getUint16(event + 24, true) & 1) !== 0;
      if (view.getUint8(event + 10) === eventKind.write && (isError || hasHungUp)) return 'gone';
    }
    return 'reading';
  }
}

type Poll = (subscriptions: number, events: number, wanted: number, count: number) => number;

const pollMilliseconds = 500;

/**
 * Calls `onGone` once, within half a second after the reader of standard output has closed it, unless `signal` aborts
 * first. Never calls it if the system cannot detect this.
 */
export async function watchStdoutReader(signal: AbortSignal, onGone: () => void): Promise<void> {
  try {
    const reader = await PipeReader.ofStdout();
    let state = reader.state();
    while (state === 'reading') {
      await delay(pollMilliseconds, undefined, { ref: false, signal });
      state = reader.state();
    }
    if (state === 'gone' && !signal.aborted) onGone();
  } catch {
    // The signal was aborted, or Node has no WASI. In the second case, the next write to standard output
    // fails instead.
  }
}
