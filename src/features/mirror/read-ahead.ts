/** Number of bytes of a reply that are read before its mailbox enters the write queue. Most replies are smaller. */
const most = 2 * 1024 * 1024;

/**
 * Reads the beginning of a body into memory, and returns the whole body. In this way, several mailboxes can wait for
 * the network at the same time, although only one mailbox writes at a time. @throws the errors of the body within its
 * beginning.
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
