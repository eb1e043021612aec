import type { InspectedEvent } from '../../src/features/live/inspect/types.ts';
import { newEventsText, whenText } from '../format.ts';
import { Badge, Newest } from '../parts/basics.tsx';
import { WindowedList } from '../parts/windowed-list.tsx';
import { hrefOf } from '../route.ts';

/** Pixels for two lines of text, and one line with kind and time. */
const rowHeight = 68;
/** Number of events that the first reply lists at most. */
const mostListed = 100;

interface EventListProps {
  readonly events: readonly InspectedEvent[];
  readonly open: string;
}

/** The events as rows, newest first. */
export function EventList({ events, open }: EventListProps) {
  return (
    <>
      {events.length >= mostListed && (
        <Newest shown={events.length} what="events">
          Search to find others.
        </Newest>
      )}
      <WindowedList
        label="Events"
        rows={events}
        rowHeight={rowHeight}
        newerText={newEventsText}
        keyOf={({ id }) => id}
        isCurrent={({ id }) => String(id) === open}
        draw={(event, isCurrent) => <EventRow event={event} isCurrent={isCurrent} />}
      />
    </>
  );
}

/** What distinguishes an event from the usual ones. */
export function Marks({ event }: { readonly event: Pick<InspectedEvent, 'isRecovered' | 'isEncrypted'> }) {
  return (
    <>
      {event.isRecovered && <Badge kind="warn">Recovered</Badge>}
      {event.isEncrypted && <Badge kind="warn">Encrypted</Badge>}
    </>
  );
}

function EventRow({ event, isCurrent }: { readonly event: InspectedEvent; readonly isCurrent: boolean }) {
  return (
    <a
      class="row event"
      href={hrefOf('live', String(event.id))}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span class="grow">
        <strong class="event-text">{event.description === '' ? event.event : event.description}</strong>
        <span class="line quiet">
          <span class="cut">{event.event}</span>
          <Marks event={event} />
          <time dateTime={event.receivedAt}>{whenText(event.receivedAt, Date.now())}</time>
        </span>
      </span>
    </a>
  );
}
