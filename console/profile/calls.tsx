import { useEffect, useState } from 'preact/hooks';
import type { CallStatistics, CountedCall } from '../../src/commands/console/types.ts';
import { bump } from '../changes.ts';
import { countText, durationText, momentText, words } from '../format.ts';
import { Badge, Empty, Segments, ViewHeader } from '../parts/basics.tsx';
import { Bars, type Bar } from '../parts/bars.tsx';
import { focusPressed } from '../parts/keep-focus.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { api } from './api.ts';
import { Failure } from './failure.tsx';
import { ServiceWaiting } from './service-waiting.tsx';

const periods = [
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['365d', '1 year'],
] as const;
type Period = (typeof periods)[number][0];
type Source = 'local' | 'service';

/** Number of agents in the chart: those with the most calls. */
const mostAgents = 20;

/** A bar whose calls are listed. */
interface Selection {
  readonly group: 'hour' | 'day' | 'queue' | 'agent' | 'result';
  readonly value: string;
  readonly label: string;
}

/** Statistics of calls with charts. A click on a bar lists its calls. */
export function CallsView() {
  const [period, setPeriod] = useState<Period>('7d');
  const [source, setSource] = useState<Source>('local');
  const [selection, setSelection] = useState<Selection>();
  const calls = useQuery(`${period} ${source}`, ['calls'], () => api.calls({ since: period, source }));
  const { data, error, reload } = calls;
  const close = (): void => {
    focusPressed();
    setSelection(undefined);
  };
  return (
    <>
      <ViewHeader title="Calls" about={data ? scopeText(data.stats) : 'Statistics of the call log.'}>
        <Segments<Source>
          label="Read from"
          value={source}
          options={[
            ['local', 'Local database'],
            ['service', 'Service'],
          ]}
          onChange={setSource}
        />
        <Segments<Period> label="Period" value={period} options={periods} onChange={setPeriod} />
        <button type="button" onClick={() => bump(['calls'])}>
          Read again
        </button>
      </ViewHeader>
      <Failure error={error} onRetry={reload} />
      <ServiceWaiting query={calls} text="Reading the calls…" />
      {data?.notes.map((note) => (
        <p key={note} class="quiet small wrap">
          {note}
        </p>
      ))}
      {data && (
        <>
          <Totals stats={data.stats} />
          {data.stats.totals.calls === 0 ? (
            <Empty title="No calls in this period" />
          ) : (
            <Charts stats={data.stats} selection={selection} onSelect={setSelection} />
          )}
        </>
      )}
      {data && selection && (
        <CallList
          selection={selection}
          query={{ since: period, source }}
          count={countOf(data.stats, selection)}
          onOtherCount={reload}
          onClose={close}
        />
      )}
    </>
  );
}

function scopeText({ from, to, zone }: CallStatistics): string {
  if (from === undefined) return `Hours in ${zone}.`;
  return `From ${momentText(from)}${to === undefined ? '' : ` to ${momentText(to)}`}. Hours in ${zone}.`;
}

function Totals({ stats: { totals, serviceLevelSeconds } }: { readonly stats: CallStatistics }) {
  const level = totals.serviceLevel;
  const facts = [
    ['Calls', countText(totals.calls)],
    ['Inbound', countText(totals.inbound)],
    ['Outbound', countText(totals.outbound)],
    ...(totals.unknownDirection > 0
      ? [['Unknown direction', countText(totals.unknownDirection)] as const]
      : []),
    ['Answered', countText(totals.answered)],
    ['Missed', countText(totals.missed)],
    ['Abandoned', countText(totals.abandoned)],
    ['Voicemail', countText(totals.voicemail)],
    ['Unanswered', countText(totals.unanswered)],
    ['Other', countText(totals.other)],
    ['Average talk time', durationText(totals.averageTalkSeconds)],
    [`Answered within ${serviceLevelSeconds} s`, level === undefined ? '–' : `${Math.round(level * 100)} %`],
  ] as const;
  return (
    <dl class="totals panel">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ChartsProps {
  readonly stats: CallStatistics;
  readonly selection: Selection | undefined;
  readonly onSelect: (selection: Selection) => void;
}

function Charts({ stats, selection, onSelect }: ChartsProps) {
  const chart = (group: Selection['group'], title: string, isFlat = false) => (
    <Bars
      title={title}
      bars={barsOf[group](stats).slice(0, group === 'agent' ? mostAgents : undefined)}
      unit="calls"
      strongUnit={group === 'result' ? undefined : 'answered'}
      isFlat={isFlat}
      selected={selection?.group === group ? selection.value : undefined}
      onSelect={({ key, label }) => onSelect({ group, value: key, label: `${title}, ${label}` })}
    />
  );
  return (
    <div class="charts">
      {chart('day', 'By day')}
      {chart('hour', 'By hour')}
      {stats.byQueue.length > 0 && chart('queue', 'By queue', true)}
      {chart(
        'agent',
        stats.byAgent.length > mostAgents
          ? `By agent, ${mostAgents} of ${countText(stats.byAgent.length)}`
          : 'By agent',
        true,
      )}
      {chart('result', 'By result', true)}
    </div>
  );
}

/** The bars of each chart. */
const barsOf: Readonly<Record<Selection['group'], (stats: CallStatistics) => readonly Bar[]>> = {
  day: ({ byDay }) =>
    byDay.map(({ day, calls, answered }) => ({ key: day, label: day, value: calls, strong: answered })),
  hour: ({ byHour }) =>
    byHour.map(({ hour, calls, answered }) => ({
      key: String(hour),
      label: `${String(hour).padStart(2, '0')}:00`,
      value: calls,
      strong: answered,
    })),
  queue: ({ byQueue }) =>
    byQueue.map(({ id, calls, answered, ...queue }) => ({
      key: id,
      label: labelOf(queue),
      value: calls,
      strong: answered,
    })),
  agent: ({ byAgent }) =>
    byAgent.map(({ id, inbound, outbound, unknownDirection, answered, ...agent }) => ({
      key: id,
      label: labelOf(agent),
      value: inbound + outbound + unknownDirection,
      strong: answered,
    })),
  result: ({ byResult }) =>
    byResult.map(({ result, calls }) => ({
      key: result,
      label: result === '' ? 'no result' : words(result),
      value: calls,
      strong: calls,
    })),
};

/** Number of calls of a bar. */
function countOf(stats: CallStatistics, { group, value }: Selection): number {
  return barsOf[group](stats).find(({ key }) => key === value)?.value ?? 0;
}

function labelOf({
  name,
  extensionNumber,
}: {
  readonly name: string;
  readonly extensionNumber?: string;
}): string {
  return extensionNumber === undefined || extensionNumber === name ? name : `${name} (${extensionNumber})`;
}

interface CallListProps {
  readonly selection: Selection;
  readonly query: { readonly since: string; readonly source: string };
  /** Number of calls of the bar. */
  readonly count: number;
  /** Called when the list has another number of calls, because calls were added since the bar was drawn. */
  readonly onOtherCount: () => void;
  readonly onClose: () => void;
}

/** The calls of one bar. */
function CallList({ selection, query, count, onOtherCount, onClose }: CallListProps) {
  const { group, value, label } = selection;
  const { data, error, reload } = useQuery(
    `${group} ${value} ${query.since} ${query.source}`,
    ['calls'],
    () => api.callList({ ...query, [group]: value }),
  );
  useEffect(() => {
    if (data && data.total !== count) onOtherCount();
  }, [data]);
  return (
    <section class="panel" aria-label={`Calls: ${label}`}>
      <div class="panel-head">
        <h2>{label}</h2>
        <button type="button" onClick={onClose}>
          Close
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
        <Table
          label="List of calls"
          columns={callColumns}
          rows={data.calls}
          keyOf={({ sessionId }) => sessionId}
        />
      )}
    </section>
  );
}

const callColumns: readonly TableColumn<CountedCall>[] = [
  {
    head: 'Time',
    cell: ({ start }) => start !== undefined && <time dateTime={start}>{momentText(start)}</time>,
  },
  { head: 'From', cell: ({ from }) => from },
  { head: 'To', cell: ({ to }) => to },
  {
    head: 'Outcome',
    cell: ({ outcome, direction }) => (
      <>
        <Badge kind={outcome === 'answered' ? 'good' : 'warn'}>{words(outcome)}</Badge>{' '}
        <span class="quiet">{direction}</span>
      </>
    ),
  },
  { head: 'Wait', kind: 'number', cell: ({ waitSeconds }) => durationText(waitSeconds) },
  { head: 'Talk', kind: 'number', cell: ({ talkSeconds }) => durationText(talkSeconds) },
];
