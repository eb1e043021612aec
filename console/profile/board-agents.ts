import { useEffect, useState } from 'preact/hooks';
import type { BoardLine, ListedPerson } from '../../src/commands/console/types.ts';
import { whileVisible } from '../while-visible.ts';
import { api } from './api.ts';

/** Milliseconds until an interrupted board is requested again. */
const retryPause = 3000;

/** The agents of a queue, as far as they are known. */
interface BoardAgents {
  /** Whether there was a reply. */
  readonly isKnown: boolean;
  readonly people: readonly BoardLine[];
  /** Number of agents whose presence is not read yet. */
  readonly unread: number;
  /** The failure since the last reply. */
  readonly error: unknown;
  /** Start of the failures since the last reply, in milliseconds since 1970. */
  readonly failedAt: number | undefined;
}

interface State {
  /** The agents in the list of the queue; undefined before it was read. */
  readonly agents: readonly BoardLine[] | undefined;
  /** The lines of the board, by the ID of the agent. */
  readonly lines: ReadonlyMap<string, BoardLine>;
  readonly failure: { readonly error: unknown; readonly at: number } | undefined;
}

/** Follows the board of a queue, whose agents do not change while the component exists. */
export function useBoardAgents(queue: string): BoardAgents {
  const [{ agents, lines, failure }, setState] = useState<State>({
    agents: undefined,
    lines: new Map(),
    failure: undefined,
  });
  useEffect(
    () =>
      whileVisible((signal) => {
        void follow(queue, signal, (change) => {
          if (!signal.aborted) setState(change);
        });
      }),
    [queue],
  );
  const unread = (agents ?? []).filter(({ extensionId }) => !lines.has(extensionId));
  return {
    isKnown: agents !== undefined || lines.size > 0,
    people: [...lines.values(), ...unread],
    unread: unread.length,
    error: failure?.error,
    failedAt: failure?.at,
  };
}

type Change = (before: State) => State;

/** Requests the board again after each interruption. Each reply begins with everyone. */
async function follow(queue: string, signal: AbortSignal, set: (change: Change) => void): Promise<void> {
  while (!signal.aborted) {
    const over = new AbortController();
    const end = (): void => over.abort();
    signal.addEventListener('abort', end);
    void readAgents(queue, over.signal, set);
    let isFirst = true;
    try {
      for await (const line of api.board(queue, signal)) {
        set(isFirst ? beginWith(line) : add(line));
        isFirst = false;
      }
    } catch (error) {
      if (!signal.aborted) set(fail(error));
    }
    over.abort();
    signal.removeEventListener('abort', end);
    await pause();
  }
}

/** Reads the list of the agents: the board has no line for an agent who is not read yet. */
async function readAgents(queue: string, signal: AbortSignal, set: (change: Change) => void): Promise<void> {
  while (!signal.aborted) {
    const members = await api.members(queue).catch(() => undefined);
    if (signal.aborted) return;
    if (members) return set(list(members));
    await pause();
  }
}

/** Sets the list of the agents. People who have left the queue during an interruption disappear. */
function list(members: readonly ListedPerson[]): Change {
  const agents = members.map(unreadLine);
  return ({ lines, failure }) => ({
    agents,
    lines: new Map([...lines].filter(([id]) => agents.some(({ extensionId }) => extensionId === id))),
    // The board of a queue without agents has no line that would end the failure.
    failure: agents.length === 0 ? undefined : failure,
  });
}

function unreadLine({ id, name, extensionNumber }: ListedPerson): BoardLine {
  return {
    extensionId: String(id),
    name,
    ...(extensionNumber !== undefined && { extensionNumber }),
    state: 'unknown',
    reason: 'not read yet',
    since: new Date().toISOString(),
    isStartKnown: false,
  };
}

function beginWith(line: BoardLine): Change {
  return (before) => add(line)({ ...before, lines: new Map() });
}

/** Adds a line. A line about a read without a reply does not end the failure. */
function add(line: BoardLine): Change {
  return ({ agents, lines: before, failure }) => {
    const lines = new Map(before);
    const isGone = line.state === 'removed';
    if (isGone) lines.delete(line.extensionId);
    else lines.set(line.extensionId, line);
    return {
      agents: isGone ? agents?.filter(({ extensionId }) => extensionId !== line.extensionId) : agents,
      lines,
      failure: line.reason === 'no response' ? failure : undefined,
    };
  };
}

function fail(error: unknown): Change {
  return (before) => ({ ...before, failure: { error, at: before.failure?.at ?? Date.now() } });
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, retryPause);
  });
}
