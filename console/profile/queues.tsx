import { useState } from 'preact/hooks';
import type { ChangePreview, ListedPerson, ListedQueue } from '../../src/commands/console/types.ts';
import { Avatar, Badge, Empty, Search, ViewHeader } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { ControlList } from '../parts/control-list.tsx';
import { useOnce } from '../parts/once.ts';
import { DetailHeader, NoItem, Pane, Panes, useFocusedHeading, usePaneKeys } from '../parts/panes.tsx';
import { WindowedList } from '../parts/windowed-list.tsx';
import { useQuery } from '../query.ts';
import { hrefOf, route } from '../route.ts';
import { api, page } from './api.ts';
import { Failure } from './failure.tsx';
import { neededChanges, usePlan } from './queue-plan.ts';
import { ServiceWaiting } from './service-waiting.tsx';
import { Undo } from './undo.tsx';

/** Pixels for two lines of text. */
const rowHeight = 56;

/** Queues with their agents. Changes are a plan, which is applied when the user confirms it. */
export function QueuesView() {
  const [search, setSearch] = useState('');
  const [open = ''] = route.value.rest;
  const queues = useQuery('queues', ['queues'], api.queueSizes);
  const { data, error, reload } = queues;
  const shown = data?.filter((queue) =>
    `${queue.name} ${queue.extensionNumber ?? ''}`.toLowerCase().includes(search.toLowerCase()),
  );
  const queue = data?.find(({ id }) => String(id) === open);
  usePaneKeys();
  return (
    <>
      <ViewHeader
        title="Queues"
        about={
          page().isReadOnly
            ? 'The agents of each queue.'
            : 'Edit the agents of a queue, check the changes, and apply them.'
        }
      >
        <Search value={search} onChange={setSearch} label="Search name or number" />
      </ViewHeader>
      <Failure error={error} onRetry={reload} />
      <ServiceWaiting query={queues} text="Reading the queues…" />
      {shown && (
        <Panes>
          <Pane kind="list" name="Queues">
            {shown.length === 0 ? (
              <Empty title="No call queues found" />
            ) : (
              <WindowedList
                label="Queues"
                rows={shown}
                rowHeight={rowHeight}
                keyOf={({ id }) => id}
                isCurrent={({ id }) => String(id) === open}
                draw={(one, isCurrent) => <QueueRow queue={one} isCurrent={isCurrent} />}
              />
            )}
          </Pane>
          <Pane kind="detail" name={queue ? `Agents of ${queue.name}` : 'Agents'}>
            {queue ? <QueuePlan key={open} queue={queue} /> : <NoQueue id={open} />}
          </Pane>
        </Panes>
      )}
    </>
  );
}

function QueueRow({ queue, isCurrent }: { readonly queue: ListedQueue; readonly isCurrent: boolean }) {
  const { id, name, extensionNumber, members = 0 } = queue;
  return (
    <a class="row" href={hrefOf('queues', String(id))} aria-current={isCurrent ? 'true' : undefined}>
      <span class="grow">
        <span class="line">
          <strong>{name}</strong>
          <span class="ext">{extensionNumber}</span>
        </span>
        <span class="line quiet small">{members === 1 ? '1 agent' : `${members} agents`}</span>
      </span>
    </a>
  );
}

function NoQueue({ id }: { readonly id: string }) {
  if (id === '')
    return (
      <Empty title="No queue selected">
        <p>Select a queue to see its agents.</p>
      </Empty>
    );
  return (
    <NoItem view="queues">
      <Empty title={`Queue ${id} not found`} />
    </NoItem>
  );
}

function QueuePlan({ queue }: { readonly queue: ListedQueue }) {
  const { members, agents, isChanged, setAgents, discard, preview, question, ...plan } = usePlan(queue);
  const heading = useFocusedHeading(true);
  return (
    <>
      <DetailHeader view="queues">
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{queue.name}</bdi> <span class="ext">{queue.extensionNumber}</span>
        </h2>
      </DetailHeader>
      <div class="body">
        <Failure error={members.error} onRetry={members.reload} />
        <ServiceWaiting query={members} text="Reading the agents…" />
        {members.data && agents.length === 0 && <p class="quiet">This queue has no agents.</p>}
        <Agents agents={agents} onEdit={setAgents} />
        {!page().isReadOnly && members.data && (
          <>
            <AddAgent agents={agents} onEdit={setAgents} />
            <div class="actions">
              <button
                type="button"
                class="primary"
                disabled={!isChanged || plan.isUnderWay}
                onClick={() => void preview()}
              >
                {plan.isUnderWay ? 'Applying…' : 'Show the changes…'}
              </button>
              {isChanged && (
                <button type="button" onClick={discard}>
                  Discard
                </button>
              )}
              {plan.run !== undefined && !isChanged && <Undo run={plan.run} onDone={plan.forgetRun} />}
            </div>
          </>
        )}
        {question && (
          <Confirm
            title={`Change the agents of ${queue.name}?`}
            action="Apply"
            onConfirm={() => plan.apply(question)}
            onClose={() => plan.close(question)}
          >
            <PlanChanges change={question.change} />
          </Confirm>
        )}
      </div>
    </>
  );
}

interface AgentsProps {
  readonly agents: readonly ListedPerson[];
  readonly onEdit: (agents: readonly ListedPerson[]) => void;
}

function Agents({ agents, onEdit }: AgentsProps) {
  // The second click of a double click would be on the next agent.
  const once = useOnce();
  const remove = (agent: ListedPerson): Promise<void> =>
    Promise.resolve(onEdit(agents.filter((one) => one.id !== agent.id)));
  return (
    <ControlList class="members" aria-label="Agents">
      {agents.map((agent) => (
        <li key={agent.id}>
          <Avatar name={agent.name} />
          <p class="grow">
            <bdi>{agent.name}</bdi> <span class="ext">{agent.extensionNumber}</span>
          </p>
          {!page().isReadOnly && (
            <button
              type="button"
              class="plain"
              aria-label={`Remove ${agent.name}, ${agent.extensionNumber ?? agent.id}`}
              onClick={(event) => void once(() => remove(agent), event)}
            >
              ×
            </button>
          )}
        </li>
      ))}
    </ControlList>
  );
}

/** A choice of a person and a button: with the keyboard, every key chooses another person. */
function AddAgent({ agents, onEdit }: AgentsProps) {
  const people = useQuery('people', [], api.people);
  const [id, setId] = useState('');
  const others = people.data?.filter((one) => agents.every((agent) => agent.id !== one.id)) ?? [];
  const chosen = others.find((one) => String(one.id) === id);
  const add = (event: Event): void => {
    event.preventDefault();
    if (chosen) onEdit([...agents, chosen]);
    setId('');
  };
  return (
    <>
      <Failure error={people.error} onRetry={people.reload} />
      <form class="add-agent" onSubmit={add}>
        <select
          aria-label="Add an agent"
          value={chosen ? id : ''}
          onChange={(event) => setId(event.currentTarget.value)}
        >
          <option value="">Add an agent…</option>
          {others.map((one) => (
            <option key={one.id} value={String(one.id)}>
              {one.extensionNumber} {one.name}
            </option>
          ))}
        </select>
        <button type="submit" aria-label="Add this agent" disabled={!chosen}>
          Add
        </button>
      </form>
    </>
  );
}

function PlanChanges({ change }: { readonly change: ChangePreview }) {
  return (
    <>
      <ul class="lines" aria-label="Changes">
        {neededChanges(change).map(({ action, agentId, agentName, extension }) => (
          <li key={agentId}>
            <Badge kind={action === 'add' ? 'good' : 'bad'}>{action === 'add' ? 'Add' : 'Remove'}</Badge>
            <span class="grow">
              <bdi>{agentName}</bdi> ({extension})
            </span>
          </li>
        ))}
      </ul>
      {change.notes.map((note) => (
        <p key={note} class="quiet small wrap">
          {note}
        </p>
      ))}
    </>
  );
}
