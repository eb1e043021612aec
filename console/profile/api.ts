import type {
  EventFilter,
  InspectedDetail,
  InspectedPage,
  Receiving,
  ReplayResult,
} from '../../src/features/live/inspect/types.ts';
import type {
  BoardLine,
  ChangePreview,
  CommandResult,
  CopiedConversations,
  CopiedThread,
  CountedCalls,
  Finding,
  ListedPerson,
  ListedQueue,
  OutcomeEntry,
  RunEntry,
  SessionFacts,
  StatisticsReply,
} from '../../src/commands/console/types.ts';
import { connection } from '../changes.ts';
import { RequestFailure } from '../query.ts';
import { readAgain } from '../read-again.ts';
import type { PageFacts } from '../../src/platform/local-page/types.ts';

interface FailureDetails {
  readonly hint?: string;
  readonly status?: number;
  readonly code?: string;
}

/** The program rejected a request, or could not be reached. */
export class ApiFailure extends RequestFailure {
  override readonly name = 'ApiFailure';
  /** The next step, from the program. */
  readonly hint: string | undefined;
  /** The code of the program's error. */
  readonly code: string | undefined;

  constructor(message: string, { hint, status, code }: FailureDetails = {}) {
    super(message, status);
    this.hint = hint;
    this.code = code;
  }
}

const tokenKey = 'token';

/**
 * Stores the token of the address for this browser tab, and removes it from the address bar. Places in the page begin
 * with `#/`, which no token does. Returns whether the address had a token.
 */
function takeToken(): boolean {
  const { hash } = location;
  if (hash.length < 2 || hash.startsWith('#/')) return false;
  sessionStorage.setItem(tokenKey, hash.slice(1));
  history.replaceState(null, '', '/');
  return true;
}

/**
 * Takes the token of the address, now and when the user opens another address in this tab: browsers do not load a page
 * again if only the part after `#` changes.
 */
export function followToken(): void {
  takeToken();
  addEventListener('hashchange', () => {
    if (takeToken()) location.reload();
  });
}

let facts: PageFacts = { title: 'ucctl', views: ['live'], isReadOnly: true };

/** The parts of the page that the program decided. */
export function page(): PageFacts {
  return facts;
}

async function request(
  method: 'GET' | 'POST',
  path: string,
  { body, signal }: { readonly body?: object; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const send = (): Promise<Response> =>
    fetch(path, {
      method,
      headers: { 'ucctl-token': sessionStorage.getItem(tokenKey) ?? '' },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  const reply = await (method === 'GET' ? readAgain(send, signal) : send()).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    connection.value = 'lost';
    throw new ApiFailure('ucctl does not reply. Start it again, and open the address that it prints.');
  });
  connection.value = reply.status === 401 ? 'rejected' : 'live';
  if (reply.ok) return reply;
  if (reply.status === 401)
    throw new ApiFailure('This address has no valid token. Open the address that ucctl printed.');
  const value = (await reply.json().catch(() => undefined)) as
    | { error?: { message?: string; hint?: string; code?: string } }
    | undefined;
  const { message = `ucctl replied with HTTP ${reply.status}.`, ...details } = value?.error ?? {};
  throw new ApiFailure(message, { ...details, status: reply.status });
}

type Query = Readonly<Record<string, string | number | undefined>>;

async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  const address = text === '' ? path : `${path}?${text}`;
  const read = async (): Promise<T> =>
    (await (await request('GET', address, signal && { signal })).json()) as T;
  return readAgain(read, signal);
}

async function post<T>(path: string, body: object): Promise<T> {
  return (await (await request('POST', path, { body })).json()) as T;
}

const segment = encodeURIComponent;

/** Yields the lines of a board as they arrive. @throws {ApiFailure} the error of the command. */
async function* boardLines(queue: string, signal: AbortSignal): AsyncGenerator<BoardLine, void, undefined> {
  const reply = await request('GET', `/api/queues/${segment(queue)}/board`, { signal });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let unfinished = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (unfinished + value).split('\n');
    unfinished = lines.pop() ?? '';
    for (const line of lines) {
      const parsed = JSON.parse(line) as BoardLine & { error?: { message: string; hint?: string } };
      if (parsed.error) throw new ApiFailure(parsed.error.message, parsed.error);
      yield parsed;
    }
  }
}

/** The requests with which the page reads the profile and changes it. */
export const api = {
  async page(): Promise<PageFacts> {
    facts = await get<PageFacts>('/api/page');
    return facts;
  },
  events: ({ text, kind }: EventFilter, after: number | undefined, signal: AbortSignal) =>
    get<InspectedPage>('/api/events', { text, kind, after }, signal),
  event: (id: string) => get<InspectedDetail>(`/api/events/${segment(id)}`),
  receiving: () => get<Receiving>('/api/receiving'),
  replay: (id: number, url: string, text: string | undefined) =>
    post<ReplayResult>('/api/replay', { id, url, ...(text !== undefined && { text }) }),

  conversations: (search: string) => get<CopiedConversations>('/api/conversations', { search }),
  thread: (mailbox: string, id: string) =>
    get<CopiedThread>(`/api/conversations/${segment(mailbox)}/${segment(id)}`),
  content: (path: string) => readAgain(async () => (await request('GET', path)).blob()),
  previewReply: (mailbox: string, id: string, text: string) =>
    post<ChangePreview>(`/api/conversations/${segment(mailbox)}/${segment(id)}/reply`, { text }),

  queues: () => get<readonly ListedQueue[]>('/api/queues'),
  /** The queues with the number of their agents, which takes one request to the service for each queue. */
  queueSizes: () => get<readonly ListedQueue[]>('/api/queue-sizes'),
  members: (queue: string) => get<readonly ListedPerson[]>(`/api/queues/${segment(queue)}/members`),
  people: () => get<readonly ListedPerson[]>('/api/people'),
  board: (queue: string, signal: AbortSignal) => boardLines(queue, signal),
  planQueue: (queue: string, agents: readonly string[]) =>
    post<ChangePreview>(`/api/queues/${segment(queue)}/plan`, { agents }),

  calls: (query: Query) => get<StatisticsReply>('/api/calls', query),
  callList: (query: Query) => get<CountedCalls>('/api/calls/list', query),

  doctor: () => get<readonly Finding[]>('/api/doctor'),
  profile: () => get<Readonly<Record<string, unknown>>>('/api/profile'),
  session: () => get<SessionFacts & Readonly<Record<string, unknown>>>('/api/session'),
  runs: () => get<readonly RunEntry[]>('/api/runs'),
  outcomes: () => get<readonly OutcomeEntry[]>('/api/outcomes'),
  previewUndo: (run: string) => post<ChangePreview>(`/api/runs/${segment(run)}/undo`, {}),

  /** Makes a change that the user has confirmed. */
  change: (id: string) => post<CommandResult>(`/api/changes/${segment(id)}`, {}),
};
