import { useState } from 'preact/hooks';
import { api, type RequestEntry } from '../../api.ts';
import { timeText } from '../../format.ts';
import { Badge, Segments, type Tone } from '../../parts/basics.tsx';
import { perform } from '../../parts/notice.tsx';
import { WindowedList } from '../../parts/windowed-list.tsx';
import { useQuery } from '../../query.ts';

/** Maximum number of requests in the list. */
const mostRequests = 500;

/** The requests of programs, newest first. */
export function RequestPanel() {
  const [search, setSearch] = useState('');
  const { data } = useQuery('requests', ['requests'], () => api.requests(mostRequests));
  const status = useQuery('limits', ['service'], api.status);
  const wanted = search.toLowerCase();
  const rows = (data?.records ?? [])
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry: { method, path, operation = '', status } }) =>
      `${method} ${path} ${operation} ${status}`.toLowerCase().includes(wanted),
    )
    .toReversed();
  return (
    <section class="panel requests" aria-labelledby="requests-title">
      <div class="panel-head">
        <h2 id="requests-title">Requests</h2>
        <input
          type="search"
          class="search"
          data-search
          aria-label="Search requests"
          placeholder="Search requests"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      {rows.length === 0 ? (
        <p class="quiet">
          {search === '' ? 'No requests yet. Requests of your program appear here.' : 'No requests match.'}
        </p>
      ) : (
        <WindowedList
          label="Requests"
          rows={rows}
          rowHeight={56}
          isText
          keyOf={({ entry, index }) => `${entry.time} ${index}`}
          draw={({ entry }) => <RequestRow entry={entry} />}
        />
      )}
      <Segments
        label="Rate limits"
        value={status.data?.rateLimits}
        options={[
          ['realistic', 'Realistic'],
          ['off', 'Off'],
        ]}
        onChange={(mode) => perform(() => api.setRateLimits(mode))}
      />
    </section>
  );
}

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'warn' : 'bad';
}

function RequestRow({ entry }: { readonly entry: RequestEntry }) {
  return (
    <div class="row request">
      <Badge kind={toneOf(entry.status)}>{entry.status}</Badge>
      <span class="grow">
        <span class="line">
          <code class="cut" title={entry.path}>
            {entry.method} {entry.path}
          </code>
          <time dateTime={entry.time}>{timeText(entry.time)}</time>
        </span>
        <span class="line quiet small">
          <span class="cut">
            {entry.operation ?? 'unknown operation'}
            {entry.unread.length > 0 && ` · not read: ${entry.unread.join(', ')}`}
          </span>
        </span>
      </span>
    </div>
  );
}
