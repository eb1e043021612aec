import type { Client } from 'pg';
import { ClosingClient, type ConnectionConfig } from './connection.ts';
import { problemOf, storeErrorOf } from './errors.ts';
import { type PreparedStatement, type SqlParameter, storableValues } from './statement.ts';

/**
 * One connection on which a statement is sent before the replies to earlier statements arrive. The server executes the
 * statements in the order of the calls, each in a transaction of its own. After a lost connection, the next statement
 * opens a new one.
 */
export class Pipeline {
  readonly #config: ConnectionConfig;
  readonly #place: string;
  #opening: Promise<Client> | undefined;

  /** @param place the address of the store in errors, without a password. */
  constructor(config: ConnectionConfig, place: string) {
    this.#config = config;
    this.#place = place;
  }

  /**
   * The rows of a statement that runs often. The connection parses the statement once. If the connection is lost, all
   * statements without a reply fail, and each of them may have been executed.
   * @throws {StoreError}
   */
  async prepared<R extends object>(
    { name, text }: PreparedStatement,
    values: readonly SqlParameter[],
  ): Promise<readonly R[]> {
    const opening = (this.#opening ??= this.#open());
    try {
      const client = await opening;
      return (await client.query<R>({ name, text, values: storableValues(values) })).rows;
    } catch (error) {
      // A new connection may lead to another server, which accepts changes.
      if (problemOf(error) === 'read-only') void this.#leave(opening);
      throw storeErrorOf(error, this.#place);
    }
  }

  /** Closes the connection after the replies to all statements. */
  async close(): Promise<void> {
    if (this.#opening) await this.#leave(this.#opening);
  }

  async #leave(opening: Promise<Client>): Promise<void> {
    if (this.#opening === opening) this.#opening = undefined;
    const client = await opening.catch(() => undefined);
    await client?.end();
  }

  #open(): Promise<Client> {
    const client = new ClosingClient({ ...this.#config, pipeline: true });
    const forget = (): void => {
      if (this.#opening === opening) this.#opening = undefined;
    };
    // An error without a listener would end the process. Statements without a reply fail with the same error.
    client.on('error', forget).on('end', forget);
    const opening = client.connect().catch((error: unknown) => {
      forget();
      throw error;
    });
    return opening;
  }
}
