import { useEffect, useState } from 'preact/hooks';
import type { InspectedDetail } from '../../src/features/live/inspect/types.ts';
import { minuteText, momentText } from '../format.ts';
import { Command, Empty, FactList, Field, Problem, Search, ViewHeader } from '../parts/basics.tsx';
import { useDraft } from '../parts/draft.ts';
import { JsonTree } from '../parts/json-tree.tsx';
import { useSubmit } from '../parts/once.ts';
import { DetailHeader, Pane, Panes, UnloadedItem, useFocusedHeading, usePaneKeys } from '../parts/panes.tsx';
import { Table, type TableColumn } from '../parts/table.tsx';
import { useUnderWay } from '../parts/under-way.ts';
import { Waiting } from '../parts/waiting.tsx';
import { useQuery } from '../query.ts';
import { route } from '../route.ts';
import { api, page } from './api.ts';
import { EventList, Marks } from './event-list.tsx';
import { useLiveEvents } from './live-list.ts';

/** Milliseconds after the last key until a search starts. */
const typingPause = 150;

const kinds: readonly (readonly [kind: string, name: string])[] = [
  ['', 'All events'],
  ['messages', 'Messages'],
  ['presence', 'Presence'],
  ['lines', 'Lines'],
  ['extensions', 'Extensions'],
  ['reminder', 'Reminders'],
  ['recovered', 'Only recovered'],
];

/** The events of the inbox as they arrive, with their bodies, deliveries and replay. */
export function LiveView() {
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  const [kind, setKind] = useState('');
  const [open = ''] = route.value.rest;
  const { events, problem } = useLiveEvents({ text, kind });
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), typingPause);
    return () => clearTimeout(timer);
  }, [typed]);
  usePaneKeys();
  return (
    <>
      <ViewHeader title="Live" about={<ReceivingText />}>
        <Search value={typed} onChange={setTyped} label="Search number, ID or text" />
        <Field label="Show">
          {(id) => (
            <select id={id} value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
              {kinds.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </ViewHeader>
      <Problem text={problem} />
      <Panes>
        <Pane kind="list" name="Events">
          <Waiting query={{ data: events, error: problem }} />
          {events?.length === 0 && (
            <Empty title={text === '' && kind === '' ? 'No events yet' : 'No events match the filter'}>
              {text === '' && kind === '' && <p>Events appear here as they arrive.</p>}
              {text === '' && kind === '' && page().profile !== undefined && (
                <Command>ucctl subscribe tail</Command>
              )}
            </Empty>
          )}
          {events && events.length > 0 && <EventList key={`${kind} ${text}`} events={events} open={open} />}
        </Pane>
        <Pane kind="detail" name="Event">
          {open === '' ? (
            <Empty title="No event selected">
              <p>Select an event to see its body and its deliveries.</p>
            </Empty>
          ) : (
            <Detail key={open} id={open} />
          )}
        </Pane>
      </Panes>
    </>
  );
}

/** States whether events arrive: the page only shows what another command receives. */
function ReceivingText() {
  const { data } = useQuery('receiving', ['events'], api.receiving);
  if (!data) return <>Events with their deliveries.</>;
  const { since, lastAt } = data;
  const now = Date.now();
  const last = lastAt === undefined ? '' : `, last event ${minuteText(lastAt, now)}`;
  if (since !== undefined) return <>{`Receiving since ${minuteText(since, now)}${last}.`}</>;
  return (
    <>
      {`No listener is running${last}.`} Start one: <code>ucctl subscribe tail</code>
    </>
  );
}

function Detail({ id }: { readonly id: string }) {
  const query = useQuery(id, ['events'], () => api.event(id));
  const { data } = query;
  const heading = useFocusedHeading(data !== undefined);
  if (!data) return <UnloadedItem view="live" query={query} />;
  const { event } = data;
  return (
    <>
      <DetailHeader view="live">
        <div class="grow">
          <h2 ref={heading} tabIndex={-1}>
            {titleOf(data)} <Marks event={data} />
          </h2>
          <p class="quiet">{momentText(data.receivedAt)}</p>
        </div>
      </DetailHeader>
      <div class="body">
        <FactList
          facts={[
            ['Received', `${momentText(data.receivedAt)} (${data.origin})`],
            ['Sent', event.timestamp === undefined ? undefined : momentText(event.timestamp)],
            ['Filter', event.event],
            ['Subscription', event.subscriptionId],
            ['Event ID', event.uuid],
          ]}
        />
        <h3>Body</h3>
        <JsonTree value={event.body ?? event.encryptedBody ?? null} />
        <h3>Deliveries</h3>
        <Deliveries detail={data} />
        {!page().isReadOnly && <Replay detail={data} />}
      </div>
    </>
  );
}

function titleOf({ description, event }: InspectedDetail): string {
  if (event.event === 'encrypted') return 'encrypted';
  const [, tail = ''] = /extension\/[^/]+\/(.+)$/.exec(event.event.split('?')[0] ?? '') ?? [];
  return description || tail || event.event;
}

function Deliveries({ detail: { deliveries } }: { readonly detail: InspectedDetail }) {
  if (deliveries.length === 0)
    return (
      <p class="quiet">No deliveries. To deliver events, start a listener with --forward-to or --exec.</p>
    );
  return (
    <Table label="Deliveries" columns={deliveryColumns} rows={deliveries} keyOf={({ target }) => target} />
  );
}

const deliveryColumns: readonly TableColumn<InspectedDetail['deliveries'][number]>[] = [
  { head: 'Target', kind: 'wrap', cell: ({ target }) => target },
  { head: 'State', cell: ({ state, problem }) => (problem ? `${state}: ${problem}` : state) },
  { head: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
  {
    head: 'Time',
    kind: 'number',
    cell: ({ milliseconds }) => milliseconds !== null && `${milliseconds} ms`,
  },
];

/** Returns the notification with line breaks. A text with long numbers is not changed, because JavaScript would round them. */
function pretty(text: string): string {
  if (/\d{16}/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Sends the event, or its edited text, to an address. */
function Replay({ detail }: { readonly detail: InspectedDetail }) {
  const original = pretty(detail.text);
  const url = useDraft('resend url', '');
  const text = useDraft(`resend event ${detail.id}`, original);
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly isBad: boolean }>();
  const { isUnderWay, make } = useUnderWay(`resend ${detail.id}`);
  const send = async (): Promise<void> => {
    setOutcome(undefined);
    try {
      const edited = text.value === original ? undefined : text.value;
      const { isDelivered, problem, milliseconds } = await make(() =>
        api.replay(detail.id, url.value, edited),
      );
      setOutcome(
        isDelivered
          ? { text: `Delivered in ${milliseconds} ms`, isBad: false }
          : { text: `Not delivered: ${problem ?? ''}`, isBad: true },
      );
    } catch (error) {
      setOutcome({ text: error instanceof Error ? error.message : String(error), isBad: true });
    }
  };
  const submit = useSubmit(send);
  return (
    <>
      <h3>Resend</h3>
      <form class="resend" onSubmit={submit}>
        <Field label="URL">
          {(id) => (
            <input
              id={id}
              type="url"
              required
              placeholder="http://localhost:3000/hook"
              autoComplete="off"
              value={url.value}
              onInput={(event) => url.set(event.currentTarget.value)}
            />
          )}
        </Field>
        <details>
          <summary>Edit before sending</summary>
          <Field label="Notification (JSON)">
            {(id) => (
              <textarea
                id={id}
                rows={12}
                spellcheck={false}
                value={text.value}
                onInput={(event) => text.set(event.currentTarget.value)}
              />
            )}
          </Field>
        </details>
        <div class="actions">
          <button type="submit" class="primary" disabled={isUnderWay}>
            {isUnderWay ? 'Sending…' : 'Send'}
          </button>
          <output class={outcome?.isBad ? 'bad-text' : ''}>{outcome?.text ?? ''}</output>
        </div>
      </form>
    </>
  );
}
