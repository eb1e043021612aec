import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallStatistics } from '../../src/commands/console/types.ts';
import { bump } from '../changes.ts';
import { countText, durationText, momentText, words } from '../format.ts';
import { Command, Empty, Segments, ViewHeader } from '../parts/basics.tsx';
import { Bars, type Bar } from '../parts/bars.tsx';
import { focusPressed } from '../parts/keep-focus.ts';
import { useQuery } from '../query.ts';
import { api, ApiFailure } from './api.ts';
import { CallList, showList, type Selection } from './call-list.tsx';
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

/** Statistics of calls with charts. A click on a bar lists its calls. */
export function CallsView() {
  const [period, setPeriod] = useState<Period>('7d');
  const [source, setSource] = useState<Source>('local');
  const [selection, setSelection] = useState<Selection>();
  const calls = useQuery(`${period} ${source}`, ['calls'], () => api.calls({ since: period, source }));
  const { data, error, reload } = calls;
  const hasNoCopy = source === 'local' && error instanceof ApiFailure && error.code === 'not_found';
  const heading = useRef<HTMLHeadingElement>(null);
  // Not when the list is drawn again, for example for another period, because the user may be elsewhere then.
  useEffect(() => showList(heading.current), [selection]);
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
      {hasNoCopy ? (
        <NoCopy error={error} onService={() => setSource('service')} />
      ) : (
        <Failure error={error} onRetry={reload} />
      )}
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
          heading={heading}
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

interface NoCopyProps {
  readonly error: ApiFailure;
  readonly onService: () => void;
}

/** Shown before the first copy of the call log, which is not a failure. */
function NoCopy({ error, onService }: NoCopyProps) {
  return (
    <Empty title="The calls have not been copied to this machine">
      <p>Read them from the service, or copy them with this command:</p>
      {error.hint !== undefined && <Command>{error.hint}</Command>}
      <button type="button" onClick={onService}>
        Read from the service
      </button>
    </Empty>
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
