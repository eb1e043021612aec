import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { CountedCall } from '../../src/commands/console/types.ts';
import { countText, durationText, momentText, words } from '../format.ts';
import { Badge } from '../parts/basics.tsx';
import { useNarrow } from '../parts/narrow.ts';
import { WindowedList } from '../parts/windowed-list.tsx';
import { useQuery } from '../query.ts';
import { api } from './api.ts';
import { Failure } from './failure.tsx';
import { ServiceWaiting } from './service-waiting.tsx';

/** A bar whose calls are listed. */
export interface Selection {
  readonly group: 'hour' | 'day' | 'queue' | 'agent' | 'result';
  readonly value: string;
  readonly label: string;
}

interface CallListProps {
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly selection: Selection;
  readonly query: { readonly since: string; readonly source: string };
  /** Number of calls of the bar. */
  readonly count: number;
  /** Called when the list has another number of calls, because calls were added since the bar was drawn. */
  readonly onOtherCount: () => void;
  readonly onClose: () => void;
}

/** Moves the focus to the heading of the calls, and scrolls to them. */
export function showList(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true });
  heading?.closest('section')?.scrollIntoView({ block: 'nearest' });
}

/** Heights of a row in pixels: with two lines of text, and with three lines in a narrow window. */
const rowHeights = { wide: 60, narrow: 84 } as const;

/** The calls of one bar. */
export function CallList({ heading, selection, query, count, onOtherCount, onClose }: CallListProps) {
  const { group, value, label } = selection;
  const { data, error, reload } = useQuery(
    `${group} ${value} ${query.since} ${query.source}`,
    ['calls'],
    () => api.callList({ ...query, [group]: value }),
  );
  const rowHeight = useNarrow() ? rowHeights.narrow : rowHeights.wide;
  useEffect(() => {
    if (data && data.total !== count) onOtherCount();
  }, [data]);
  const isLoaded = data !== undefined;
  useLayoutEffect(() => {
    // The loaded list is higher than the text before.
    if (document.activeElement === heading.current) showList(heading.current);
  }, [isLoaded]);
  return (
    <section
      class="panel call-list"
      aria-label={`Calls: ${label}`}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <div class="panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {label}
        </h2>
        <button type="button" onClick={onClose}>
          Back to the chart
        </button>
      </div>
      <Failure error={error} onRetry={reload} />
      <ServiceWaiting query={{ data, error }} text="Reading the calls…" />
      {data && (
        <p class="quiet small">
          {data.total > data.calls.length
            ? `First ${countText(data.calls.length)} of ${countText(data.total)} calls`
            : `${countText(data.total)} ${data.total === 1 ? 'call' : 'calls'}`}
        </p>
      )}
      {data && data.calls.length > 0 && (
        <WindowedList
          label="Calls"
          rows={data.calls}
          rowHeight={rowHeight}
          keyOf={({ sessionId }) => sessionId}
          draw={(call) => <CallRow call={call} />}
          isText
        />
      )}
    </section>
  );
}

function CallRow({ call }: { readonly call: CountedCall }) {
  const { start, direction, outcome, waitSeconds, talkSeconds } = call;
  const [from, to] = [call.from, call.to].map((party) => (party === '' ? 'Unknown' : party));
  return (
    <div class="row call">
      <strong class="cut" title={`${from} → ${to}`}>
        <bdi>{from}</bdi> → <bdi>{to}</bdi>
      </strong>
      {start !== undefined && <time dateTime={start}>{momentText(start)}</time>}
      <span class="call-outcome">
        <Badge kind={outcome === 'answered' ? 'good' : 'warn'}>{words(outcome)}</Badge>{' '}
        <span class="quiet">{direction}</span>
      </span>
      <span class="call-wait">
        <span class="quiet">Wait</span> {durationText(waitSeconds)}
      </span>
      <span class="call-talk">
        <span class="quiet">Talk</span> {durationText(talkSeconds)}
      </span>
    </div>
  );
}
