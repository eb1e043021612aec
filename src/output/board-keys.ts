import { stopProcess } from '../platform/own-process.ts';
import { isCharacter, splitKeys } from '../platform/terminal-keys.ts';
import { lookupTable } from '../platform/lookup-table.ts';

/** The terminal input, as far as a board uses it. */
export interface Keyboard {
  readonly isTerminal: boolean;
  readonly stream?: {
    setRawMode?: (isRaw: boolean) => unknown;
    on(event: 'data' | 'end', listener: (piece: Uint8Array) => void): unknown;
    off(event: 'data' | 'end', listener: (piece: Uint8Array) => void): unknown;
    pause(): unknown;
    resume(): unknown;
  };
}

/** A key that a board knows. `text` for a typed character, and `pasted` for a character of pasted text. */
export interface Key {
  readonly name: 'text' | 'pasted' | 'quit' | 'suspend' | 'enter' | 'escape' | 'backspace' | Motion;
  readonly text: string;
}

/** A key that moves the rows. */
export type Motion = 'up' | 'down' | 'pageUp' | 'pageDown' | 'home' | 'end';

const names: Readonly<Record<string, Key['name']>> = lookupTable({
  '\u0003': 'quit',
  '\u0004': 'quit',
  '\u001A': 'suspend',
  '\r': 'enter',
  '\n': 'enter',
  '\u001B': 'escape',
  '\b': 'backspace',
  '\u007F': 'backspace',
  '\u001B[A': 'up',
  '\u001BOA': 'up',
  '\u001B[B': 'down',
  '\u001BOB': 'down',
  '\u001B[5~': 'pageUp',
  '\u001B[6~': 'pageDown',
  '\u001B[H': 'home',
  '\u001BOH': 'home',
  '\u001B[1~': 'home',
  '\u001B[F': 'end',
  '\u001BOF': 'end',
  '\u001B[4~': 'end',
});

const [pasteBegin, pasteEnd] = ['\u001B[200~', '\u001B[201~'];

/** Splits terminal input into keys. Unknown control sequences, and those in pasted text, are dropped. */
class KeyReader {
  #isPasted = false;

  read(input: string): readonly Key[] {
    return splitKeys(input).flatMap((text): readonly Key[] => {
      if (text === pasteBegin || text === pasteEnd) {
        this.#isPasted = text === pasteBegin;
        return [];
      }
      const name = names[text];
      // Ctrl-C also ends a board whose terminal did not mark the end of the text.
      if (name !== undefined) return this.#isPasted && name !== 'quit' ? [] : [{ name, text }];
      return isCharacter(text) ? [{ name: this.#isPasted ? 'pasted' : 'text', text }] : [];
    });
  }
}

/** A terminal whose keys are read. */
export interface OpenKeyboard {
  readonly close: () => void;
  /** Stops the program as Ctrl-Z does in other programs, and reads keys again when the shell continues it. */
  readonly suspend: () => Promise<void>;
}

/**
 * Reads keys from the terminal until the returned function is called. In this mode the terminal sends no signals for
 * Ctrl-C and Ctrl-Z: Ctrl-C arrives as the key `quit`, and Ctrl-Z as `suspend`. Returns undefined if the input is not a
 * terminal.
 */
export function openKeyboard(
  stdin: Keyboard | undefined,
  onKey: (key: Key) => void,
): OpenKeyboard | undefined {
  const input = stdin?.isTerminal === true ? stdin.stream : undefined;
  if (!input?.setRawMode) return undefined;
  const decoder = new TextDecoder();
  const reader = new KeyReader();
  const read = (piece: Uint8Array): void => {
    for (const key of reader.read(decoder.decode(piece, { stream: true }))) onKey(key);
  };
  const close = (): void => {
    input.off('data', read);
    input.off('end', closed);
    try {
      input.setRawMode?.(false);
    } catch {
      // The terminal was closed, so that it has no mode. A write to it reports this.
    }
    input.pause();
  };
  // The terminal was closed.
  const closed = (): void => onKey({ name: 'quit', text: '' });
  try {
    input.setRawMode(true);
  } catch {
    // Without this mode the board works as before, and Ctrl-C ends it.
    return undefined;
  }
  input.on('data', read);
  input.on('end', closed);
  input.resume();
  const suspend = async (): Promise<void> => {
    input.setRawMode?.(false);
    await stopProcess();
    input.setRawMode?.(true);
  };
  return { close, suspend };
}
