/**
 * Runs work that keeps a connection open, while the page is visible. Browsers open only a few connections to a server, so
 * that those of hidden tabs would block all requests. Returns a function that ends the work.
 * @param work called each time when the page becomes visible; the signal aborts when the page is hidden
 */
export function whileVisible(work: (signal: AbortSignal) => void): () => void {
  let current: AbortController | undefined;
  const hide = (): void => {
    current?.abort();
    current = undefined;
  };
  const follow = (): void => {
    if (document.visibilityState !== 'visible') return hide();
    if (current) return;
    current = new AbortController();
    work(current.signal);
  };
  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    hide();
  };
}
