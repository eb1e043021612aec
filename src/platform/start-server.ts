import type { ListenOptions, Server } from 'node:net';

/**
 * Starts to listen. Later, Node emits `error` for each connection that it could not accept, for example because the
 * process has too many open files. Without a listener, such an event would end the process.
 * @param warn called with the first such problem.
 * @throws the system's error if the address cannot be used.
 */
export function startServer(
  server: Server,
  options: ListenOptions,
  warn: (problem: string) => void = () => undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let hasWarned = false;
    const onProblem = ({ message }: Error): void => {
      if (!hasWarned) warn(`cannot accept all connections (${message}); the server continues to run`);
      hasWarned = true;
    };
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      server.on('error', onProblem);
      resolve();
    });
  });
}
