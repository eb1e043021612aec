import { useEffect, useState } from 'preact/hooks';
import type { BoardLine, ListedQueue } from '../../src/commands/console/types.ts';
import { durationText, words } from '../format.ts';
import { Avatar, Badge, Empty, ViewHeader, type Tone } from '../parts/basics.tsx';
import { useQuery } from '../query.ts';
import { go, route } from '../route.ts';
import { api } from './api.ts';
import { Failure } from './failure.tsx';
import { useNow } from './now.ts';
import { Waiting } from './waiting.tsx';

/** Milliseconds until an interrupted board is requested again. */
const retryPause = 3000;

/** The agents of a queue: who is on a call, with whom and for how long. */
export function BoardView() {
  const queues = useQuery('queues', [], api.queues);
  const { data, error, reload } = queues;
  const [chosen = ''] = route.value.rest;
  const queue = data?.find(({ id }) => String(id) === chosen) ?? data?.[0];
  return (
    <>
      <ViewHeader title="Board" about="Agents of a queue with their calls, updated live.">
        {data && data.length > 0 && (
          <label class="field">
            <span>Queue</span>
            <select
              value={String(queue?.id ?? '')}
              onChange={(event) => go('board', event.currentTarget.value)}
            >
              {data.map((one) => (
                <option key={one.id} value={String(one.id)}>
                  {queueText(one)}
                </option>
              ))}
            </select>
          </label>
        )}
      </ViewHeader>
      <Failure error={error} onRetry={reload} />
      <Waiting query={queues} text="Reading the queues…" />
      {data?.length === 0 && <Empty title="No call queues found" />}
      {queue && <QueueBoard key={String(queue.id)} queue={String(queue.id)} />}
    </>
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
    let isFirst = true;
    const take = (line: BoardLine): void => {
      // Each reply begins with everyone, so people who have left the queue in the meantime disappear.
      const restarts = isFirst;
      isFirst = false;
      setError(undefined);
      setPeople((before) => withLine((restarts ? undefined : before) ?? new Map(), line));
    };
    const fail = (problem: unknown): void => {
      isFirst = true;
      setError(problem);
    };
    void follow(queue, end.signal, take, fail);
    return () => end.abort();
  }, [queue]);
  const now = useNow();
  const sorted = [...(people?.values() ?? [])].sort(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.name.localeCompare(b.name),
  );
  return (
    <>
      <Failure error={error} />
      <Waiting query={{ data: people, error }} text="Reading the presence of the agents…" />
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

function withLine(before: ReadonlyMap<string, BoardLine>, line: BoardLine): ReadonlyMap<string, BoardLine> {
  const people = new Map(before);
  if (line.state === 'removed') people.delete(line.extensionId);
  else people.set(line.extensionId, line);
  return people;
}

async function follow(
  queue: string,
  signal: AbortSignal,
  take: (line: BoardLine) => void,
  fail: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const line of api.board(queue, signal)) if (!signal.aborted) take(line);
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
    await new Promise((resolve) => setTimeout(resolve, retryPause));
  }
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
