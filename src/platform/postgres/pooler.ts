import { StoreError } from '../store-error.ts';
import { ClosingClient, selectProcess, type ConnectionConfig } from './connection.ts';

/** Milliseconds that the second connection of the check may take. A pooler in session mode may have none left. */
const checkMilliseconds = 1000;

/**
 * Returns a function that checks that a pooler gives a connection a process of the server of its own, as in session mode,
 * and then sends the settings of the session. In transaction mode, settings such as the schema of the store would apply
 * to other connections. The whole check runs once, because it needs a second connection.
 */
export function poolerCheck(
  config: ConnectionConfig,
  place: string,
): (client: ClosingClient) => Promise<void> {
  let isDone = false;
  return async (client) => {
    const { settingsProcess } = client;
    if (!isDone && (await sharesServer(client, config))) throw new StoreError('pooler', place);
    isDone = true;
    await client.set(settingsProcess);
    if (client.settingsProcess !== settingsProcess) throw new StoreError('pooler', place);
  };
}

/** Whether statements of two connections run in the same process of the server, or those of one in several processes. */
async function sharesServer(client: ClosingClient, config: ConnectionConfig): Promise<boolean> {
  const others = await processesOfOther(config);
  if (others === undefined) return false;
  const own = await processOf(client);
  const [other] = others;
  return own !== client.settingsProcess || others.some((one) => one !== other) || other === own;
}

/** Returns the processes of two statements of a second connection; undefined if the pooler opens none in time. */
async function processesOfOther(config: ConnectionConfig): Promise<readonly unknown[] | undefined> {
  const other = new ClosingClient({
    ...config,
    throughPooler: undefined,
    connectionTimeoutMillis: checkMilliseconds,
    query_timeout: checkMilliseconds,
  });
  try {
    await other.connect();
    return [other.settingsProcess, await processOf(other)];
  } catch {
    return undefined;
  } finally {
    void other.end();
  }
}

async function processOf(client: ClosingClient): Promise<number | undefined> {
  const { rows } = await client.query<{ process: number }>(selectProcess);
  return rows[0]?.process;
}
