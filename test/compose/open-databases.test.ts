import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { HttpSend } from '../../src/client/index.ts';
import { loadSqlite } from '../../src/platform/sqlite/connection.ts';
import { openOffice } from '../commands/office.ts';
import { sendText } from '../commands/webhook/listening.ts';
import { temporaryPaths } from '../support/temporary.ts';

/** A service whose replies report that few requests are left, so that processes share the number. */
const almostSpent =
  (send: HttpSend): HttpSend =>
  async (request) => {
    const reply = await send(request);
    const limits: Readonly<Record<string, string>> = {
      'x-rate-limit-limit': '40',
      'x-rate-limit-remaining': '9',
      'x-rate-limit-window': '60',
    };
    return { ...reply, header: (name) => limits[name] ?? reply.header(name) };
  };

/** Counts the databases that this process opens and closes, until the test ends. SQLite itself is not replaced. */
function countDatabases() {
  const { DatabaseSync } = loadSqlite('');
  const open = new Set<string>();
  let opened = 0;
  class Counted extends DatabaseSync {
    readonly #name: string;
    constructor(file: string, options = {}) {
      super(file, options);
      opened += 1;
      this.#name = `${opened}: ${basename(file)}`;
      open.add(this.#name);
    }
    override close(): void {
      super.close();
      open.delete(this.#name);
    }
  }
  const original = process.getBuiltinModule.bind(process);
  const counting = (name: string): unknown =>
    name === 'node:sqlite' ? { DatabaseSync: Counted } : original(name);
  process.getBuiltinModule = counting as typeof process.getBuiltinModule;
  onTestFinished(() => {
    process.getBuiltinModule = original;
  });
  return open;
}

// A console and a server of MCP run many commands in one process.
it('a run closes the databases that its sends have opened', async () => {
  const office = await openOffice('102', almostSpent);
  const paths = temporaryPaths();
  const open = countDatabases();
  for (let run = 0; run < 5; run += 1) expect((await office.run(sendText, { paths })).exit).toBe(0);
  expect(readdirSync(paths.state)).toEqual(expect.arrayContaining(['outcomes.db', 'rate-limits.db']));
  expect([...open]).toEqual([]);
});
