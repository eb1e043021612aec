import { setTimeout as delay } from 'node:timers/promises';
import type { WASI } from 'node:wasi';

/** Where the parts of one question to `poll_oneoff` lie in memory, as preview 1 of WASI lays them out; two subscriptions, two events. */
const layout = { subscriptions: 0, events: 128, count: 192 } as const;
const subscriptionBytes = 48;
const eventKind = { clock: 0, write: 2 } as const;
/** Long enough for the answer of a pipe that has room; a full one costs this wait. */
const patienceNanoseconds = 1_000_000n;

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** Neither Node's types nor the language's name it without those of browsers. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: new (pages: { readonly initial: number }) => Memory };
};

/**
 * Looks whether anyone still reads a pipe or a socket that this process writes to, without writing to it. Node has no call for that, but its
 * WASI has `poll`, and that works on the process's own descriptors.
 */
class PipeReader {
  readonly #wasi: WASI;
  readonly #memory: Memory;

  private constructor(wasi: WASI, memory: Memory) {
    this.#wasi = wasi;
    this.#memory = memory;
  }

  /** For standard output. @throws what Node throws where it has no WASI. */
  static async ofStdout(): Promise<PipeReader> {
    const { WASI } = await import('node:wasi');
    const wasi = new WASI({ version: 'preview1', stdin: 0, stdout: 1, stderr: 2, returnOnExit: true });
    const memory = new wasm.Memory({ initial: 1 });
    wasi.initialize({ exports: { memory } });
    return new PipeReader(wasi, memory);
  }

  /** `unknown` where it cannot be seen: a file, a device, a system that does not poll these. */
  state(): 'reading' | 'gone' | 'unknown' {
    const view = new DataView(this.#memory.buffer);
    new Uint8Array(this.#memory.buffer, 0, 256).fill(0);
    view.setUint8(layout.subscriptions + 8, eventKind.write);
    view.setUint32(layout.subscriptions + 16, 1, true);
    const clock = layout.subscriptions + subscriptionBytes;
    view.setUint8(clock + 8, eventKind.clock);
    view.setUint32(clock + 16, 1, true);
    view.setBigUint64(clock + 24, patienceNanoseconds, true);
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

const lookMilliseconds = 500;

/**
 * Calls back once, within half a second of the reader of standard output going away, until `signal` aborts. It says nothing where that cannot
 * be seen.
 */
export async function watchStdoutReader(signal: AbortSignal, onGone: () => void): Promise<void> {
  try {
    const reader = await PipeReader.ofStdout();
    let state = reader.state();
    while (state === 'reading') {
      await delay(lookMilliseconds, undefined, { ref: false, signal });
      state = reader.state();
    }
    if (state === 'gone' && !signal.aborted) onGone();
  } catch {
    // The watching ended, or this Node has no WASI: then the next write will tell.
  }
}
