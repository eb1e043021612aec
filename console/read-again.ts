/** Milliseconds before a request without a reply is sent again. */
const pause = 250;

/**
 * Reads, and reads once more if there was no complete reply: when the network of the computer changes, as with a VPN,
 * browsers end all requests, also those to the same computer. Only for requests that change nothing.
 * @throws {TypeError} if there is no reply again, and everything else that `read` throws
 */
export async function readAgain<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TypeError) || signal?.aborted) throw error;
    await new Promise((resolve) => setTimeout(resolve, pause));
    return read();
  }
}
