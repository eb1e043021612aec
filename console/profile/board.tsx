import { useEffect, useState } from 'preact/hooks';
import type { BoardLine, ListedQueue } from '../../src/commands/console/types.ts';
import { durationText, words } from '../format.ts';
import { Avatar, Badge, Empty, ViewHeader, type Tone } from '../parts/basics.tsx';
import { useQuery } from '../query.ts';
import { go, route } from '../route.ts';
import { api } from './api.ts';
import { Failure } from './failure.tsx';
import { useNow } from './now.ts';
import { ServiceWaiting } from './service-waiting.tsx';

/** Milliseconds until an interrupted board is requested again. */
const retryPause = 3000;

/** The agents of a queue: who is on a call, with whom and for how long. */
export function BoardView() {
  const queues = useQuery('queues', [], api.queues);
  const { data, error, reload } = queues;
  const [chosen = ''] = route.value.rest;
  const queue = chosen === '' ? data?.[0] : data?.find(({ id }) => String(id) === chosen);
  return (
    <>
      <ViewHeader title="Board" about="Agents of a queue with their calls, updated live.">
        {data && data.length > 0 && <QueueChoice queues={data} queue={queue} />}
      </ViewHeader>
      <Failure error={error} onRetry={reload} />
      <ServiceWaiting query={queues} text="Reading the queues…" />
      {data?.length === 0 && <Empty title="No call queues found" />}
      {data && data.length > 0 && !queue && <Empty title={`Queue ${chosen} not found`} />}
      {queue && <QueueBoard key={String(queue.id)} queue={String(queue.id)} />}
    </>
  );
}

interface QueueChoiceProps {
  readonly queues: readonly ListedQueue[];
  readonly queue: ListedQueue | undefined;
}

function QueueChoice({ queues, queue }: QueueChoiceProps) {
  return (
    <label class="field">
      <span>Queue</span>
      <select value={String(queue?.id ?? '')} onChange={(event) => go('board', event.currentTarget.value)}>
        {!queue && <option value="">Select a queue</option>}
        {queues.map((one) => (
          <option key={one.id} value={String(one.id)}>
            {queueText(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

function queueText({ name, extensionNumber }: ListedQueue): string {
  return extensionNumber === undefined ? name : `${name} (${extensionNumber})`;
}

/** States of a person in the order of the board. */
const order = ['ringing', 'on a call', 'available', 'busy', 'not taking queue calls', 'offline', 'unknown'];
const tones: Readonly<Record<string, Tone>> = {
  ringing: 'accent',
  'on a call': 'good',
  available: 'good',
  busy: 'warn',
  'not taking queue calls': 'warn',
};
const cards: Readonly<Record<string, string>> = { ringing: 'ringing', 'on a call': 'talking' };

function QueueBoard({ queue }: { readonly queue: string }) {
  const [people, setPeople] = useState<ReadonlyMap<string, BoardLine>>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const end = new AbortController();
    void follow(queue, end.signal, {
      // Each reply begins with everyone, so people who have left the queue in the meantime disappear.
      restart: (line) => {
        setError(undefined);
        setPeople(line ? withLine(new Map(), line) : new Map());
      },
      take: (line) => {
        setError(undefined);
        setPeople((before = new Map()) => withLine(before, line));
      },
      fail: setError,
    });
    return () => end.abort();
  }, [queue]);
  const now = useNow();
  const sorted = [...(people?.values() ?? [])].sort(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.name.localeCompare(b.name),
  );
  return (
    <>
      <Failure error={error} />
      <ServiceWaiting query={{ data: people, error }} text="Reading the presence of the agents…" />
      {people?.size === 0 && <NoAgents />}
      <ul class="cards" aria-label="Agents">
        {sorted.map((person) => (
          <li key={person.extensionId}>
            <PersonCard person={person} now={now} />
          </li>
        ))}
      </ul>
    </>
  );
}

function NoAgents() {
  return (
    <Empty title="This queue has no agents">
      <p>Agents appear here when they are added.</p>
    </Empty>
  );
}

function withLine(before: ReadonlyMap<string, BoardLine>, line: BoardLine): ReadonlyMap<string, BoardLine> {
  const people = new Map(before);
  if (line.state === 'removed') people.delete(line.extensionId);
  else people.set(line.extensionId, line);
  return people;
}

interface BoardReader {
  /** Receives the first line of each reply; undefined if the queue has no agents. */
  readonly restart: (line: BoardLine | undefined) => void;
  /** Receives each further line. */
  readonly take: (line: BoardLine) => void;
  readonly fail: (error: unknown) => void;
}

async function follow(queue: string, signal: AbortSignal, reader: BoardReader): Promise<void> {
  while (!signal.aborted) {
    // Aborted when the reply has a line or ends, or when the board is closed.
    const silence = new AbortController();
    const end = (): void => silence.abort();
    signal.addEventListener('abort', end);
    void awaitAgents(queue, silence.signal, () => reader.restart(undefined));
    try {
      for await (const line of api.board(queue, signal)) {
        if (signal.aborted) break;
        if (silence.signal.aborted) reader.take(line);
        else reader.restart(line);
        silence.abort();
      }
    } catch (error) {
      if (!signal.aborted) reader.fail(error);
    }
    silence.abort();
    signal.removeEventListener('abort', end);
    await pause();
  }
}

/** Reads the agents until there are some, because the board of a queue without agents has no lines. */
async function awaitAgents(queue: string, signal: AbortSignal, onNone: () => void): Promise<void> {
  while (!signal.aborted) {
    const members = await api.members(queue).catch(() => undefined);
    if (signal.aborted) return;
    if (members?.length === 0) onNone();
    if (members) return;
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, retryPause);
  });
}

function PersonCard({ person, now }: { readonly person: BoardLine; readonly now: number }) {
  const { state, since, call } = person;
  const seconds = Math.max(0, (now - Date.parse(since)) / 1000);
  const duration = `${person.isStartKnown ? '' : 'at least '}${durationText(seconds)}`;
  return (
    <article class={`card phone ${cards[state] ?? ''}`} aria-labelledby={`person-${person.extensionId}`}>
      <div class="who">
        <Avatar name={person.name} />
        <div>
          <h2 id={`person-${person.extensionId}`}>{person.name}</h2>
          <p>
            <span class="ext">{person.extensionNumber}</span>
          </p>
        </div>
        <Badge kind={tones[state] ?? 'plain'}>{words(person.reason ?? state)}</Badge>
      </div>
      {call && (state === 'ringing' || state === 'on a call') ? (
        <p class="call-line">
          <strong>{state === 'ringing' ? 'Ringing' : 'On a call'}</strong>
          <span class="elapsed">{duration}</span>
          <span class="peer">
            <Parties call={call} />
          </span>
        </p>
      ) : (
        <p class="quiet small elapsed">For {duration}</p>
      )}
    </article>
  );
}

function Parties({ call }: { readonly call: NonNullable<BoardLine['call']> }) {
  const isOutbound = call.direction === 'Outbound';
  const peer = isOutbound ? (call.toName ?? call.to) : (call.fromName ?? call.from);
  return (
    <>
      {isOutbound ? 'to' : 'from'} <bdi>{peer ?? 'unknown'}</bdi>
      {!isOutbound && call.queueCall === true && (
        <>
          , for <bdi>{call.toName ?? 'the queue'}</bdi>
        </>
      )}
    </>
  );
}
