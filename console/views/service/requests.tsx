import { useEffect, useState } from 'preact/hooks';
import { api, type RequestEntry } from '../../api.ts';
import { momentText, timeText } from '../../format.ts';
import { Badge, FactList, Newest, Problem, Segments, type Tone } from '../../parts/basics.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { focusPressed } from '../../parts/keep-focus.ts';
import { perform } from '../../parts/notice.tsx';
import { WindowedList } from '../../parts/windowed-list.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useQuery } from '../../query.ts';

/** Maximum number of requests in the list. */
const mostRequests = 500;

/** Identifies a request. After a reset of the sandbox, other requests get the same IDs. */
function identityOf({ id, time, method, path }: RequestEntry): string {
  return `${id} ${time} ${method} ${path}`;
}

/** Whether the sandbox has deleted a request by a reset. A request that is only older than the list still exists. */
function isDeleted(entry: RequestEntry, listed: readonly RequestEntry[]): boolean {
  const [oldest] = listed;
  if (oldest && oldest.id > entry.id) return false;
  return listed.every((one) => identityOf(one) !== identityOf(entry));
}

/** The requests of programs, newest first. */
export function RequestPanel() {
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<RequestEntry>();
  const query = useQuery('requests', ['requests'], () => api.requests(mostRequests));
  const { data, problem } = query;
  const status = useQuery('limits', ['service'], api.status);
  const close = (): void => {
    focusPressed();
    setOpen(undefined);
  };
  useEffect(() => {
    if (open && data && isDeleted(open, data.records)) setOpen(undefined);
  }, [data]);
  const openIdentity = open && identityOf(open);
  const wanted = search.toLowerCase();
  const rows = (data?.records ?? [])
    .filter((entry) => {
      const { method, path, operation = '', status, app = '', user = '' } = entry;
      const text = `${method} ${path} ${operation} ${status} ${app} ${user} ${errorText(entry) ?? ''}`;
      return text.toLowerCase().includes(wanted);
    })
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
      {data?.records.length === mostRequests && (
        <Newest shown={mostRequests} what="requests">
          Searches examine only these.
        </Newest>
      )}
      <Problem text={problem} />
      <Waiting query={query} />
      {data && rows.length === 0 && (
        <p class="quiet">
          {search === '' ? 'No requests yet. Requests of your program appear here.' : 'No requests match.'}
        </p>
      )}
      {rows.length > 0 && (
        <WindowedList
          label="Requests"
          rows={rows}
          rowHeight={56}
          keyOf={identityOf}
          isCurrent={(entry) => identityOf(entry) === openIdentity}
          draw={(entry, isOpen) => <RequestRow entry={entry} isOpen={isOpen} onOpen={() => setOpen(entry)} />}
        />
      )}
      {open && <RequestDetail key={openIdentity} entry={open} onClose={close} />}
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

/** Returns code and message of the error of a rejected request. */
function errorText({ errorCode, errorMessage }: RequestEntry): string | undefined {
  const parts = [errorCode, errorMessage].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(': ');
}

interface RequestRowProps {
  readonly entry: RequestEntry;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function RequestRow({ entry, isOpen, onOpen }: RequestRowProps) {
  const error = errorText(entry);
  return (
    <button type="button" class="row request" aria-pressed={isOpen} onClick={onOpen}>
      <Badge kind={toneOf(entry.status)}>{entry.status}</Badge>
      <span class="grow">
        <span class="line">
          <code class="cut" title={entry.path}>
            {entry.method} {entry.path}
          </code>
          <time dateTime={entry.time}>{timeText(entry.time)}</time>
        </span>
        <span class="line quiet small">
          <span class="cut" title={error}>
            {error !== undefined && `${error} · `}
            {entry.operation ?? 'unknown operation'}
            {entry.app !== undefined && ` · ${entry.app}`}
            {entry.unread.length > 0 && ` · not read: ${entry.unread.join(', ')}`}
          </span>
        </span>
      </span>
    </button>
  );
}

/** One request with its body. */
function RequestDetail({ entry, onClose }: { readonly entry: RequestEntry; readonly onClose: () => void }) {
  const { data, problem } = useQuery(`body ${identityOf(entry)}`, [], async () =>
    entry.hasBody ? api.requestBody(entry.id) : undefined,
  );
  return (
    <section class="request-detail" aria-label="Request">
      <div class="panel-head">
        <h3>
          {entry.method} {entry.status}
        </h3>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <FactList
        facts={[
          ['Path', entry.path],
          ['Time', momentText(entry.time)],
          ['Operation', entry.operation],
          ['App', entry.app],
          ['User', entry.user],
          ['Error', errorText(entry)],
          ['Not read', entry.unread.join(', ')],
        ]}
      />
      <Problem text={problem} />
      {entry.hasBody ? data && <JsonTree value={data.body} /> : <p class="quiet small">No JSON body.</p>}
    </section>
  );
}
