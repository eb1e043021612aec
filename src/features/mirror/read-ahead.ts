/** Number of bytes of a reply that are read before its mailbox enters the write queue. Most replies are smaller. */
const most = 2 * 1024 * 1024;

/** The chunks of a body: a list if all of them are in memory. */
export type Chunks = readonly Uint8Array[] | AsyncIterable<Uint8Array>;

/**
 * Reads the beginning of a body into memory, and returns the whole body. In this way, several mailboxes can wait for
 * the network at the same time, although only one mailbox writes at a time. @throws the errors of the body within its
 * beginning.
 */
export async function readAhead(body: AsyncIterable<Uint8Array>): Promise<Chunks> {
  const chunks = body[Symbol.asyncIterator]();
  const beginning: Uint8Array[] = [];
  for (let bytes = 0; bytes < most;) {
    const next = await chunks.next();
    if (next.done) return beginning;
    beginning.push(next.value);
    bytes += next.value.length;
  }
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const value = beginning.shift();
    return value ? { done: false, value } : chunks.next();
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
