import type { BoardLine, ListedQueue } from '../../src/commands/console/types.ts';
import { durationText, timeText, words } from '../format.ts';
import { Avatar, Badge, Empty, ViewHeader, type Tone } from '../parts/basics.tsx';
import { useQuery } from '../query.ts';
import { go, route } from '../route.ts';
import { api } from './api.ts';
import { useBoardAgents } from './board-agents.ts';
import { Failure } from './failure.tsx';
import { useNow } from './now.ts';
import { ServiceWaiting } from './service-waiting.tsx';

/** The agents of a queue: who is on a call, with whom and for how long. */
export function BoardView() {
  const queues = useQuery('queues', [], api.queues);
  const { data, error, reload } = queues;
  const [chosen = ''] = route.value.rest;
  const queue = chosen === '' ? data?.[0] : data?.find(({ id }) => String(id) === chosen);
  return (
    <>
      <ViewHeader title="Board" about="Agents of a queue with their calls.">
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
const order = [
  'ringing',
  'on a call',
  'available',
  'busy',
  'not taking queue calls',
  'signed out of the queue',
  'offline',
  'unknown',
];
const tones: Readonly<Record<string, Tone>> = {
  ringing: 'accent',
  'on a call': 'good',
  available: 'good',
  busy: 'warn',
  'not taking queue calls': 'warn',
  'signed out of the queue': 'warn',
};
const cards: Readonly<Record<string, string>> = { ringing: 'ringing', 'on a call': 'talking' };

function QueueBoard({ queue }: { readonly queue: string }) {
  const { people, unread, error, failedAt, isKnown } = useBoardAgents(queue);
  const now = useNow();
  const sorted = people.toSorted(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.name.localeCompare(b.name),
  );
  return (
    <>
      <Failure error={error} />
      {failedAt !== undefined && (
        <p class="bad-text">
          {isKnown && <span>Not up to date since {timeText(new Date(failedAt).toISOString())}.</span>}{' '}
          Retrying…
        </p>
      )}
      <ServiceWaiting
        query={{ data: isKnown && unread === 0 ? people : undefined, error }}
        isUnanswered={unread === people.length}
        text={isKnown ? `${people.length - unread} of ${people.length} agents read.` : 'Reading the agents…'}
      />
      {isKnown && people.length === 0 && <NoAgents />}
      <ul class={`cards ${failedAt === undefined ? '' : 'outdated'}`} aria-label="Agents">
        {sorted.map((person) => (
          <li key={person.extensionId}>
            <PersonCard person={person} now={failedAt ?? now} isOutdated={failedAt !== undefined} />
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

interface PersonCardProps {
  readonly person: BoardLine;
  /** End of the durations, in milliseconds since 1970. */
  readonly now: number;
  /** Whether the state may have changed since. */
  readonly isOutdated: boolean;
}

function PersonCard({ person, now, isOutdated }: PersonCardProps) {
  const { state, since, callText } = person;
  const seconds = Math.max(0, (now - Date.parse(since)) / 1000);
  const duration = `${person.isStartKnown ? '' : 'at least '}${durationText(seconds)}`;
  const tone = isOutdated ? undefined : tones[state];
  return (
    <article
      class={`card phone ${isOutdated ? '' : (cards[state] ?? '')}`}
      aria-labelledby={`person-${person.extensionId}`}
    >
      <div class="who">
        <Avatar name={person.name} />
        <div>
          <h2 id={`person-${person.extensionId}`}>{person.name}</h2>
          <p>
            <span class="ext">{person.extensionNumber}</span>
          </p>
        </div>
        <Badge kind={tone ?? 'plain'}>{words(person.reason ?? state)}</Badge>
      </div>
      {callText === undefined ? (
        state !== 'unknown' && <p class="quiet small elapsed">For {duration}</p>
      ) : (
        <p class="call-line">
          <strong>{state === 'ringing' ? 'Ringing' : 'On a call'}</strong>
          <span class="elapsed">{duration}</span>
          <span class="peer">{callText}</span>
        </p>
      )}
    </article>
  );
}
