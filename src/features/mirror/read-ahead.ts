/** Bytes of a reply that are read before its mailbox takes its turn to write. Most replies are smaller. */
const most = 2 * 1024 * 1024;

/**
 * Reads the beginning of a body into memory, and returns the whole body. Several mailboxes wait for the network at
 * the same time in this way, although only one of them writes at a time.
 * @throws what the body throws within its beginning.
 */
export async function readAhead(body: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const chunks = body[Symbol.asyncIterator]();
  const beginning: Uint8Array[] = [];
  let bytes = 0;
  let hasEnded = false;
  while (!hasEnded && bytes < most) {
    const next = await chunks.next();
    if (next.done) hasEnded = true;
    else {
      beginning.push(next.value);
      bytes += next.value.length;
    }
  }
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const value = beginning.shift();
    if (value) return { done: false, value };
    return hasEnded ? { done: true, value: undefined } : chunks.next();
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
