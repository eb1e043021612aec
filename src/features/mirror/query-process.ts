import { spawn } from 'node:child_process';
import { CommandError, Exit } from '../../errors/command.ts';
import { DatabaseError } from '../../platform/database-error.ts';
import { ownProcess } from '../../platform/own-process.ts';
import { scriptArguments } from '../../platform/package-file.ts';
import { withoutSecrets } from '../../platform/secret-environment.ts';
import type { QueryResult } from '../../store/message-store.ts';
import { distinctColumns } from './distinct-columns.ts';
import {
  packetOf,
  packetsIn,
  type QueryFailure,
  type QueryPacket,
  type QueryRequest,
} from './query-packets.ts';

export interface QueryLimits {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stops the statement. */
  readonly signal: AbortSignal;
}

/**
 * Runs a statement on a local copy in a process of its own, so that this process continues with other work and can stop
 * the statement. The process ends with `work`.
 */
export async function inQueryProcess<T>(
  request: QueryRequest,
  { env, signal }: QueryLimits,
  work: (query: () => Promise<QueryResult>) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const child = spawn(ownProcess.executable, scriptArguments('query-child'), {
    env: withoutSecrets(env),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (exit, name) => resolve(name ?? `exit code ${exit}`));
  });
  // A process that ends early closes its stdin. The missing rows are reported below.
  child.stdin.on('error', () => undefined);
  // The process ends with its stdin, which therefore stays open.
  child.stdin.write(packetOf(request));
  const packets = async function* (): AsyncGenerator<QueryPacket, void, undefined> {
    for await (const packet of packetsIn(child.stdout)) {
      if (packet.kind === 'error') throw errorOf(packet, request.file);
      if (packet.kind === 'end') return;
      yield packet;
    }
    const reason = await ended;
    signal.throwIfAborted();
    throw new CommandError(
      'statement_ended',
      Exit.local,
      `the process that ran the statement ended early (${reason})`,
      {
        hint: 'run the command again; if the error persists, the machine may have too little memory for the statement',
      },
    );
  };
  try {
    return await work(() => resultOf(packets()));
  } finally {
    stop();
    signal.removeEventListener('abort', stop);
  }
}

async function resultOf(packets: AsyncGenerator<QueryPacket, void, undefined>): Promise<QueryResult> {
  const first = await packets.next();
  const columns = first.done !== true && first.value.kind === 'columns' ? first.value.columns : [];
  return { columns: distinctColumns(columns), rows: rowsIn(packets) };
}

async function* rowsIn(
  packets: AsyncIterable<QueryPacket>,
): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> {
  for await (const packet of packets) if (packet.kind === 'rows') yield* packet.rows;
}

function errorOf({ message, code, problem }: QueryFailure, file: string): Error {
  const error = new Error(message);
  if (problem !== undefined) return new DatabaseError(file, problem, error);
  return code === undefined ? error : Object.assign(error, { code });
}
