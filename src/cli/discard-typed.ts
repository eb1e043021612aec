import { Interrupted } from '../errors/interrupted.ts';

const controlC = 3;

/**
 * Discards the keys that were typed before a question is shown, because they cannot be an answer to it. Has no effect if
 * the input is not a terminal.
 * @throws {Interrupted} if Ctrl-C is among the keys.
 */
export async function discardTyped(input: NodeJS.ReadStream | undefined): Promise<void> {
  if (!input?.isTTY) return;
  let isInterrupted = false;
  const read = (keys: Uint8Array): void => {
    if (keys.includes(controlC)) isInterrupted = true;
  };
  // In raw mode, the terminal also delivers a line that was not ended with Enter.
  input.setRawMode(true);
  input.on('data', read);
  input.resume();
  // The first turn of the event loop may be in progress already, so only the second turn certainly reads the terminal.
  await nextTurn();
  await nextTurn();
  input.off('data', read);
  input.pause();
  input.setRawMode(false);
  if (isInterrupted) throw new Interrupted('SIGINT');
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
