import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openMirror } from '../../../src/features/mirror/index.ts';
import { ownProcess } from '../../../src/platform/own-process.ts';
import { parseJson } from '../../../src/platform/json.ts';
import { eventually } from '../../support/eventually.ts';
import { open, startUcctl, type Started } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A statement that returns one row and then never ends. */
const endless =
  'with recursive c(n) as (select 1 union all select n + 1 from c) select 0 as n union all select count(*) from c';

/** A home folder with an empty copy. */
function homeWithCopy(): { readonly home: string; readonly data: string } {
  const [home, data] = [temporaryFolder(), temporaryFolder()];
  openMirror(join(data, 'mailbox', 'default.sqlite')).close();
  return { home, data };
}

const started: Started[] = [];

function start(words: readonly string[]): Started {
  const { home, data } = homeWithCopy();
  const one = startUcctl(words, { env: { HOME: home, UCCTL_DATA_DIR: data }, input: open });
  started.push(one);
  return one;
}

afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  it('ends sync sql while its statement runs', async () => {
    const { child, ended } = start(['sync', 'sql', endless, '-o', 'ndjson']);
    let output = '';
    child.stdout.on('data', (piece: string) => (output += piece));
    await eventually(() => expect(output).toBe('{"n":0}\n'));
    child.kill(signal);
    expect(await ended).toMatchObject({ exit: null, signal, stderr: '' });
  });
});

interface Reply {
  readonly isError?: boolean;
  readonly structuredContent: {
    readonly exit: number;
    readonly result?: unknown;
    readonly error?: { readonly code: string; readonly message: string };
  };
}

/** A running `ucctl mcp`. */
class Server {
  readonly #started = start(['mcp']);
  #output = '';
  #last = 0;

  constructor() {
    this.#started.child.stdout.on('data', (piece: string) => (this.#output += piece));
    this.#request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a test', version: '1' },
    });
    this.notify('notifications/initialized');
  }

  get process(): Started {
    return this.#started;
  }

  notify(method: string, params = {}): void {
    this.#started.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  #request(method: string, params: object): number {
    this.#last += 1;
    this.#started.child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: this.#last, method, params })}\n`,
    );
    return this.#last;
  }

  /** Sends a statement. @returns the ID of the request. */
  send(statement: string, more: object = {}): number {
    return this.#request('tools/call', {
      name: 'mailbox_copy_read',
      arguments: { command: 'sync sql', statement, ...more },
    });
  }

  replyTo(id: number): Promise<Reply['structuredContent']> {
    return eventually(() => {
      const lines = this.#output.split('\n').flatMap((line) => (line === '' ? [] : [parseJson(line)]));
      const found = (lines as readonly { readonly id: number; readonly result: Reply }[]).find(
        (one) => one.id === id,
      );
      if (!found) throw new Error(`no reply to request ${id}`);
      return found.result.structuredContent;
    });
  }

  query(statement: string): Promise<Reply['structuredContent']> {
    return this.replyTo(this.send(statement));
  }

  /** IDs of the processes that run statements. */
  get statements(): readonly number[] {
    const { pid } = this.#started.child;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  }

  /** Sends an endless statement and waits until its process runs. @returns the IDs of the request and of the process. */
  async sendEndless(): Promise<{ readonly request: number; readonly pid: number }> {
    const request = this.send(endless);
    const pid = await eventually(() => {
      const [found] = this.statements;
      if (found === undefined) throw new Error('no process runs the statement');
      return found;
    });
    return { request, pid };
  }
}

// Only Linux lists the children of a process in a file.
describe.skipIf(!existsSync('/proc/self/task'))('ucctl mcp', () => {
  it('returns the rows of a statement with a large result', async () => {
    const server = new Server();
    const large =
      "with recursive c(n) as (select 1 union all select n + 1 from c limit 2000) select n, printf('%.1000d', n) as text from c";
    const reply = await server.replyTo(server.send(large, { output_fields: ['n'] }));
    expect(reply.exit).toBe(0);
    expect(reply.result).toHaveLength(2000);
  });

  it('returns the same rows and errors of a statement as the command line', async () => {
    const server = new Server();
    const values = `select 1 as n, 9007199254740993 as big, x'00ff' as bytes, 'Zoë 📠' as text, null as missing, 1.5 as real`;
    const many = 'with recursive c(n) as (select 1 union all select n + 1 from c limit 450) select n from c';
    for (const statement of [values, many, 'select 1 as n where false']) {
      const { child, ended } = start(['sync', 'sql', statement, '-o', 'json']);
      child.stdin.end();
      const { exit, stdout } = await ended;
      const reply = await server.query(statement);
      expect([statement, reply.exit, exit]).toEqual([statement, 0, 0]);
      expect(reply.result).toEqual(parseJson(stdout));
    }
    for (const statement of ['select missing', 'select 1 as n, 2 as n', 'select abs(-9223372036854775808)']) {
      const { child, ended } = start(['sync', 'sql', statement, '-o', 'json']);
      child.stdin.end();
      const { stderr, exit } = await ended;
      const reply = await server.query(statement);
      expect([statement, reply.exit, { error: reply.error }]).toEqual([statement, exit, parseJson(stderr)]);
    }
  });

  it('replies while a statement runs, and stops the statement when the client cancels it', async () => {
    const server = new Server();
    const { request } = await server.sendEndless();
    expect(await server.query('select 1 as n')).toMatchObject({ exit: 0, result: [{ n: 1 }] });
    server.notify('notifications/cancelled', { requestId: request });
    await eventually(() => expect(server.statements).toEqual([]));
    expect(await server.query('select 2 as n')).toMatchObject({ exit: 0, result: [{ n: 2 }] });
  });

  it('stops the statement when the client closes the connection', async () => {
    const server = new Server();
    const { pid } = await server.sendEndless();
    server.process.child.stdin.end();
    expect(await server.process.ended).toMatchObject({ exit: 0 });
    await eventually(() => expect(ownProcess.isAlive(pid)).toBe(false));
  });

  it('leaves no statement running when it is killed', async () => {
    const server = new Server();
    const { pid } = await server.sendEndless();
    server.process.child.kill('SIGKILL');
    await eventually(() => expect(ownProcess.isAlive(pid)).toBe(false));
  });

  it('reports that the process of a statement was killed', async () => {
    const server = new Server();
    const { request, pid } = await server.sendEndless();
    process.kill(pid, 'SIGKILL');
    expect(await server.replyTo(request)).toMatchObject({
      exit: 12,
      error: {
        code: 'statement_ended',
        message: 'the process that ran the statement ended early (SIGKILL)',
      },
    });
  });
});
