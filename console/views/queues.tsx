import { useState } from 'preact/hooks';
import type { QueueMember, QueueView } from '../../src/sandbox/console/types.ts';
import { api } from '../api.ts';
import {
  Avatar,
  Badge,
  Empty,
  Problem,
  Search,
  ShowMore,
  ViewHeader,
  mostRows,
  presenceTones,
} from '../parts/basics.tsx';
import { ControlList } from '../parts/control-list.tsx';
import { useDraft } from '../parts/draft.ts';
import { useLatest } from '../parts/latest.ts';
import { perform } from '../parts/notice.tsx';
import { useOnce, useSubmit } from '../parts/once.ts';
import { Waiting } from '../parts/waiting.tsx';
import { useQuery } from '../query.ts';
import { PhoneInput } from './phone-input.tsx';

const pageSize = 24;

/** Call queues with their agents. */
export function QueuesView() {
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(pageSize);
  const query = useQuery(search, ['queues', 'phones'], () => api.queues({ search, limit }), limit);
  const { data, problem } = query;
  return (
    <>
      <ViewHeader
        title="Queues"
        about="Agents of each queue. Changes send the same events as the real service."
      >
        <Search value={search} onChange={setSearch} label="Search name or number" />
      </ViewHeader>
      <Problem text={problem} />
      <Waiting query={query} />
      {data?.records.length === 0 && <Empty title="No call queues found" />}
      <ul class="cards wide" aria-label="Queues">
        {data?.records.map((queue) => (
          <li key={queue.id}>
            <QueueCard queue={queue} />
          </li>
        ))}
      </ul>
      {data && (
        <ShowMore
          shown={data.records.length}
          total={data.total}
          onMore={() => setLimit(Math.min(limit + pageSize, mostRows))}
        />
      )}
    </>
  );
}

function QueueCard({ queue }: { readonly queue: QueueView }) {
  const once = useOnce();
  const call = (): Promise<unknown> =>
    perform(() => api.trigger('call', { to: queue.number }), 'Calling the queue…');
  return (
    <article class="card queue" aria-labelledby={`queue-${queue.number}`}>
      <div class="who">
        <div>
          <h2 id={`queue-${queue.number}`}>{queue.name}</h2>
          <p>
            <span class="ext">{queue.number}</span> ·{' '}
            {queue.members.length === 1 ? '1 agent' : `${queue.members.length} agents`}
          </p>
        </div>
        <button
          type="button"
          aria-label={`Call ${queue.name}, ${queue.number}`}
          onClick={(event) => void once(call, event)}
        >
          Call
        </button>
      </div>
      {queue.members.length === 0 && (
        <p class="quiet">This queue has no agents, so nobody answers its calls.</p>
      )}
      <ControlList class="members" aria-label={`Agents of ${queue.name}`}>
        {queue.members.map((member) => (
          <li key={member.extensionId}>
            <MemberRow queue={queue} member={member} />
          </li>
        ))}
      </ControlList>
      <AddAgent queue={queue} />
    </article>
  );
}

function AddAgent({ queue }: { readonly queue: QueueView }) {
  const number = useDraft(`agent to add to ${queue.id}`, '');
  const members = new Set(queue.members.map(({ extensionId }) => extensionId));
  const submit = useSubmit(async () => {
    const wanted = number.value;
    if (await perform(() => api.addMember(queue.id, wanted.trim()))) number.clear(wanted);
  });
  return (
    <form class="add-agent" onSubmit={submit}>
      <PhoneInput
        label={`Add an agent to ${queue.name}`}
        value={number.value}
        onInput={number.set}
        isOffered={({ type, status, extensionId }) =>
          type === 'User' && status === 'Enabled' && !members.has(extensionId)
        }
      />
      <button type="submit" aria-label={`Add this agent to ${queue.name}`}>
        Add
      </button>
    </form>
  );
}

function MemberRow({ queue, member }: { readonly queue: QueueView; readonly member: QueueMember }) {
  const once = useOnce();
  const remove = (): Promise<unknown> => perform(() => api.removeMember(queue.id, member.extensionId));
  const accepts = useLatest(member.accepts);
  const setAccepts = async (input: HTMLInputElement): Promise<void> => {
    const changed = await perform(() => api.setAccepts(queue.id, member.extensionId, input.checked));
    // After a failure, no new data corrects the switch.
    if (!changed) input.checked = accepts.current;
  };
  return (
    <>
      <Avatar name={member.name} />
      <div class="grow">
        <p>
          <bdi>{member.name}</bdi> <span class="ext">{member.number}</span>
        </p>
        <label class="check">
          <input
            type="checkbox"
            role="switch"
            checked={member.accepts}
            onChange={(event) => void setAccepts(event.currentTarget)}
          />
          Takes calls of this queue
          <span class="hidden-text">{` (${member.name}, ${member.number})`}</span>
        </label>
      </div>
      <PresenceBadge member={member} />
      <button
        type="button"
        class="plain"
        aria-label={`Remove ${member.name}, ${member.number} from ${queue.name}`}
        onClick={(event) => void once(remove, event)}
      >
        ×
      </button>
    </>
  );
}

/** The presence of an agent, or `Signed out` for an agent who takes no calls of this queue. */
function PresenceBadge({ member }: { readonly member: QueueMember }) {
  const { accepts, presenceStatus } = member;
  if (!accepts && presenceStatus !== 'Offline') return <Badge kind="warn">Signed out</Badge>;
  return <Badge kind={presenceTones[presenceStatus] ?? 'plain'}>{presenceStatus}</Badge>;
}
