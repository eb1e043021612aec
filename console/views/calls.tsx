import { useState } from 'preact/hooks';
import type { CallView } from '../../src/sandbox/console/types.ts';
import { api } from '../api.ts';
import { durationText, momentText, words } from '../format.ts';
import { Badge, Empty, Newest, Problem, Search, ViewHeader, mostRows } from '../parts/basics.tsx';
import { Table, type TableColumn } from '../parts/table.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useQuery } from '../query.ts';

const pageSize = 100;

/** The call log of the account. */
export function CallsView() {
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(pageSize);
  // A change of the clock (`service`) can end the retention of recordings.
  const query = useQuery(
    search,
    ['calls', 'service'],
    async () => {
      const { records } = await api.calls({ search: search.trim(), limit });
      return { rows: records.slice(0, limit), hasMore: records.length > limit };
    },
    limit,
  );
  const { data, problem } = query;
  const rows = data?.rows ?? [];
  return (
    <>
      <ViewHeader title="Calls" about="The call log of the account, latest calls first, with recordings.">
        <Search value={search} onChange={setSearch} label="Number or extension" />
      </ViewHeader>
      <Problem text={problem} />
      <Waiting query={query} />
      {data && rows.length === 0 && (
        <Empty title={search === '' ? 'No calls yet' : 'No calls found'}>
          <p>
            {search === ''
              ? 'A call appears here when it has ended. Place a call on the Phones page.'
              : 'Enter a complete number such as +14155550142, or an extension number.'}
          </p>
        </Empty>
      )}
      {rows.length > 0 && (
        <div class="panel">
          <Table label="Call log" columns={columns} rows={rows} keyOf={({ id }) => id} />
        </div>
      )}
      {data?.hasMore && limit >= mostRows && (
        <Newest shown={rows.length} what="calls">
          Search to find others.
        </Newest>
      )}
      {data?.hasMore && limit < mostRows && (
        <p class="more">
          <button type="button" onClick={() => setLimit(limit + pageSize)}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}

const goodResults = new Set(['Accepted', 'Call connected', 'Received', 'Sent']);

const columns: readonly TableColumn<CallView>[] = [
  { head: 'Time', cell: ({ time }) => <time dateTime={time}>{momentText(time)}</time> },
  { head: 'From', cell: ({ from }) => from },
  { head: 'To', cell: ({ to }) => to },
  {
    head: 'Result',
    cell: ({ result, type, direction }) => (
      <>
        <Badge kind={goodResults.has(result) ? 'good' : 'warn'}>{words(result)}</Badge>{' '}
        <span class="quiet">{type === 'Voice' ? direction : `${type}, ${direction}`}</span>
      </>
    ),
  },
  { head: 'Duration', kind: 'number', cell: ({ seconds }) => durationText(seconds) },
  {
    head: 'Recording',
    cell: ({ recording, time }) => recording !== undefined && <Recording source={recording} time={time} />,
  },
];

/** A player. The service deletes recordings after some time, also while the page is open. */
function Recording({ source, time }: { readonly source: string; readonly time: string }) {
  const [failed, setFailed] = useState('');
  if (failed === source) return <span class="quiet">Recording no longer available</span>;
  return (
    <audio
      controls
      preload="none"
      src={source}
      aria-label={`Recording of ${momentText(time)}`}
      onError={() => setFailed(source)}
    />
  );
}
