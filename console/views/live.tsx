import { useState } from 'preact/hooks';
import type { EventDetail, EventView, Page } from '../../src/sandbox/console/types.ts';
import { api } from '../api.ts';
import { sandboxNow } from '../clock.ts';
import { countText, momentText, newEventsText, whenText, words } from '../format.ts';
import {
  Badge,
  Command,
  Empty,
  FactList,
  Field,
  Problem,
  Search,
  ViewHeader,
  type Tone,
} from '../parts/basics.tsx';
import { JsonTree } from '../parts/json-tree.tsx';
import { perform } from '../parts/notice.tsx';
import { useOnce } from '../parts/once.ts';
import { DetailHeader, Pane, Panes, UnloadedItem } from '../parts/panes.tsx';
import { WindowedList } from '../parts/windowed-list.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useQuery } from '../query.ts';
import { hrefOf, route } from '../route.ts';

const rowHeight = 64;
/** Number of events in the list; a search also finds older events. */
const mostEvents = 200;

type DeliveryFilter = 'all' | EventView['state'];
const filters: readonly DeliveryFilter[] = ['all', 'delivered', 'recovered', 'failed', 'lost', 'pending'];

/** Every notification over all transports, with its delivery, failures and replays. */
export function LiveView() {
  const [search, setSearch] = useState('');
  const [state, setState] = useState<DeliveryFilter>('all');
  const [open = ''] = route.value.rest;
  const query = useQuery(`${state} ${search}`, ['events'], () =>
    api.events({ search, limit: mostEvents, state: state === 'all' ? undefined : state }),
  );
  const { data, problem } = query;
  const subscribers = useQuery('subscribers', ['events'], api.subscribers);
  const receivers = subscribers.data?.records;
  return (
    <>
      <ViewHeader title="Live" about={subscriptionText(receivers?.map(({ address }) => address))}>
        <Search value={search} onChange={setSearch} label="Search events" />
        <Field label="Delivery">
          {(id) => (
            <select
              id={id}
              value={state}
              onChange={(event) => setState(event.currentTarget.value as DeliveryFilter)}
            >
              {filters.map((one) => (
                <option key={one} value={one}>
                  {words(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </ViewHeader>
      <Problem text={problem} />
      <Panes>
        <Pane kind="list" name="Events">
          <Waiting query={query} />
          {data?.records.length === 0 &&
            (isFiltering(state, search) ? (
              <Empty title="No events match the filter" />
            ) : (
              receivers && <NoEvents hasReceiver={receivers.length > 0} />
            ))}
          {data && data.records.length > 0 && <EventList page={data} open={open} />}
        </Pane>
        <Pane kind="detail" name="Event">
          {open === '' ? (
            <Empty title="No event selected">
              <p>Select an event to see its body and its delivery.</p>
            </Empty>
          ) : (
            <Detail key={open} id={open} />
          )}
        </Pane>
      </Panes>
    </>
  );
}

function isFiltering(state: DeliveryFilter, search: string): boolean {
  return state !== 'all' || search !== '';
}

/** Number and first addresses of the subscriptions; undefined before they were read. */
function subscriptionText(addresses: readonly string[] | undefined): string {
  if (!addresses) return 'Events of all subscriptions, with their delivery.';
  if (addresses.length === 0) return 'No program has subscribed to events.';
  const count = addresses.length === 1 ? '1 subscription' : `${addresses.length} subscriptions`;
  return `${count}: ${addresses.slice(0, 2).join(', ')}${addresses.length > 2 ? ' …' : ''}`;
}

function EventList({ page, open }: { readonly page: Page<EventView>; readonly open: string }) {
  const { records, total } = page;
  return (
    <>
      <p class="count quiet small">
        {total > records.length
          ? `Newest ${countText(records.length)} of ${countText(total)} events`
          : `${countText(total)} ${total === 1 ? 'event' : 'events'}`}
      </p>
      <WindowedList
        label="Events"
        rows={records}
        rowHeight={rowHeight}
        newerText={newEventsText}
        keyOf={({ id }) => id}
        isCurrent={({ id }) => String(id) === open}
        draw={(event, isCurrent) => <EventRow event={event} isCurrent={isCurrent} />}
      />
    </>
  );
}

function NoEvents({ hasReceiver }: { readonly hasReceiver: boolean }) {
  return (
    <Empty title="No events yet">
      {hasReceiver ? (
        <p>A program has subscribed. Events appear here when you call a phone or write a message.</p>
      ) : (
        <>
          <p>Subscribe a webhook with your own program, or let ucctl forward the events to it:</p>
          <Command>
            {'eval "$(ucctl sandbox env)"\nucctl webhook listen --forward-to http://localhost:3000/hook'}
          </Command>
        </>
      )}
    </Empty>
  );
}

const tones: Readonly<Record<EventView['state'], Tone>> = {
  delivered: 'good',
  recovered: 'accent',
  failed: 'bad',
  lost: 'bad',
  pending: 'warn',
};

function resultOf({ state, status, error }: EventView): string {
  if (state !== 'delivered' && state !== 'failed') return words(state);
  if (status !== undefined) return `${state === 'delivered' ? 'Delivered' : 'Failed'}, HTTP ${status}`;
  return error === undefined ? 'Delivered' : 'Failed';
}

function EventRow({ event, isCurrent }: { readonly event: EventView; readonly isCurrent: boolean }) {
  return (
    <a
      class="row event"
      href={hrefOf('live', String(event.id))}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span class="grow">
        <span class="line">
          <strong class="cut">
            {event.extensionName === undefined ? (
              event.name
            ) : (
              <>
                <bdi>{event.extensionName}</bdi> ({event.extensionNumber ?? ''})
              </>
            )}
          </strong>
          <time dateTime={event.time}>{whenText(event.time, sandboxNow.value ?? Date.now())}</time>
        </span>
        <span class="line quiet">
          <span class="cut">
            {event.transport !== 'WebHook' && `${transportText(event.transport)}: `}
            {event.text}
          </span>
          <Badge kind={tones[event.state]}>{resultOf(event)}</Badge>
        </span>
      </span>
    </a>
  );
}

/** Names a transport; every other transport is a hosted channel. */
function transportText(transport: string): string {
  if (transport === 'WebHook') return 'Webhook';
  return transport === 'WebSocket' ? 'WebSocket' : 'Hosted channel';
}

function Detail({ id }: { readonly id: string }) {
  const query = useQuery(id, ['events'], () => api.event(id));
  const { data } = query;
  const once = useOnce();
  const replay = (): Promise<unknown> =>
    perform(() => api.replay(Number(id)), 'The sandbox sends the event again as a new delivery.');
  if (!data) return <UnloadedItem view="live" query={query} />;
  return (
    <>
      <DetailHeader view="live">
        <div class="grow">
          <h2>{data.name}</h2>
          <p class="quiet">{momentText(data.time)}</p>
        </div>
        <button
          type="button"
          disabled={data.address === 'deleted subscription'}
          onClick={(event) => void once(replay, event)}
        >
          Replay
        </button>
      </DetailHeader>
      <div class="body">
        <Facts event={data} />
        <h3>Body{data.isEncrypted && <Badge>Sent encrypted</Badge>}</h3>
        <JsonTree value={data.body} />
      </div>
    </>
  );
}

function Facts({ event }: { readonly event: EventDetail }) {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Summary', event.text],
    ['Delivery', resultOf(event)],
    ['Problem', event.error],
    ['Transport', transportText(event.transport)],
    ['Receiver', event.address],
    ['Event ID', event.uuid],
    ['Subscription', event.subscriptionId],
  ];
  return <FactList facts={facts} />;
}
