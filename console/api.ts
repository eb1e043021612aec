import type {
  CallView,
  Choices,
  ConversationView,
  EventDetail,
  EventView,
  Page,
  PhoneView,
  QueueView,
  SubscriptionView,
  ThreadPage,
} from '../src/sandbox/console/types.ts';
import { RequestFailure } from './query.ts';
import { readAgain } from './read-again.ts';

/** The control API of the sandbox, which the `ucctl sandbox` commands also use. */
const base = '/sandbox/v1';

/** The part of the state from `ucctl sandbox status` that the page shows. */
export interface Status {
  readonly url: string;
  readonly dialect: string;
  readonly clock: string;
  readonly time: string;
  readonly rateLimits: 'realistic' | 'off';
  readonly mainNumber: string;
  readonly messages: number;
  readonly apps: readonly App[];
  readonly users: readonly User[];
}
export interface App {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly name: string;
  readonly registration: string;
}
export interface User {
  readonly username: string;
  readonly extension: string;
  readonly password: string;
  readonly role: string;
  readonly name: string;
}
export interface Clock {
  readonly time: string;
  readonly mode: string;
}
export interface Fired {
  readonly due: string;
  readonly kind: string;
  readonly subject: string;
}
export interface Fault {
  readonly id: number;
  readonly kind: string;
  readonly operation?: string;
  readonly extension?: string;
  readonly status?: number;
  readonly milliseconds?: number;
  /** Seconds. */
  readonly retryAfter?: number;
  /** Number of matching requests or events before the fault applies. */
  readonly after: number;
  /** Number of requests or events to which the fault applies; 0 for all. */
  readonly times: number;
  /** Share of the matching requests or events, from 0 to 1. */
  readonly probability: number;
  /** Number of requests or events to which the fault was applied. */
  readonly hits: number;
}
export interface RequestEntry {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly operation?: string;
  readonly unread: readonly string[];
  readonly app?: string;
  readonly user?: string;
  /** Code and message of the error of a rejected request. */
  readonly errorCode?: string;
  readonly errorMessage?: string;
  /** Whether the body is retained. */
  readonly hasBody: boolean;
}
export interface Snapshot {
  readonly name: string;
  readonly bytes: number;
  readonly savedAt: string;
}
export interface Settings {
  readonly callProgression: string;
  readonly messageProgression: string;
}
interface List<Row> {
  readonly records: readonly Row[];
}
type Query = Readonly<Record<string, string | number | undefined>>;

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const send = async (): Promise<{ readonly reply: Response; readonly text: string }> => {
    const reply = await fetch(base + path, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    return { reply, text: await reply.text() };
  };
  const { reply, text } = await (method === 'GET' ? readAgain(send) : send()).catch(() => {
    throw new RequestFailure('The sandbox does not reply.');
  });
  const value = jsonIn(text);
  if (reply.ok) return value as T;
  const { error } = (value ?? {}) as { error?: { message?: string } };
  throw new RequestFailure(error?.message ?? `The sandbox replied with HTTP ${reply.status}.`, reply.status);
}

/** The value of a JSON text; undefined for any other text. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function get<T>(path: string, query: Query = {}): Promise<T> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return ask('GET', text === '' ? path : `${path}?${text}`);
}

const segment = encodeURIComponent;

/** The requests with which the page reads and changes the sandbox. */
export const api = {
  status: () => get<Status>('/status'),
  choices: () => get<Choices>('/choices'),
  phones: (query: Query) => get<Page<PhoneView>>('/phones', query),
  threads: (query: Query) => get<ThreadPage>('/threads', query),
  conversation: (extension: string, key: string, limit: number) =>
    get<ConversationView>(`/threads/${segment(extension)}`, { key, limit }),
  events: (query: Query) => get<Page<EventView>>('/events', query),
  event: (id: string) => get<EventDetail>(`/events/${segment(id)}`),
  calls: (query: Query) => get<List<CallView>>('/calls', query),
  queues: (query: Query) => get<Page<QueueView>>('/queues', query),
  subscribers: () => get<List<SubscriptionView>>('/subscribers'),
  faults: () => get<List<Fault>>('/faults'),
  requests: (limit: number) => get<List<RequestEntry>>('/requests', { limit }),
  requestBody: (id: number) => get<{ readonly body: unknown }>(`/requests/${id}/body`),
  snapshots: () => get<List<Snapshot>>('/snapshots'),
  settings: () => get<Settings>('/settings'),

  changeSettings: (changes: Partial<Settings>) => ask<Settings>('PATCH', '/settings', changes),
  trigger: (kind: string, input: object) => ask<object>('POST', `/triggers/${kind}`, input),
  phone: (number: string, action: string) => ask<object>('POST', `/phones/${segment(number)}/${action}`, {}),
  replay: (id: number) => ask<object>('POST', `/deliveries/${id}/replay`, {}),
  addMember: (queue: string, extension: string) =>
    ask<QueueView>('POST', `/queues/${queue}/members/${segment(extension)}`, {}),
  removeMember: (queue: string, extension: string) =>
    ask<QueueView>('DELETE', `/queues/${queue}/members/${extension}`),
  setAccepts: (queue: string, extension: string, accepts: boolean) =>
    ask<QueueView>('PATCH', `/queues/${queue}/members/${extension}`, { accepts }),
  setClock: (mode: string) => ask<Clock>('POST', '/clock', { mode }),
  advance: (seconds: number) =>
    ask<Clock & { readonly fired: readonly Fired[] }>('POST', '/clock/advance', { seconds }),
  addFault: (fault: object) => ask<Fault>('POST', '/faults', fault),
  removeFault: (id: number) => ask<object>('DELETE', `/faults/${id}`),
  clearFaults: () => ask<object>('DELETE', '/faults'),
  setRateLimits: (mode: string) => ask<object>('POST', '/rate-limits', { mode }),
  saveSnapshot: (name: string) => ask<Snapshot>('POST', '/snapshots', { name }),
  loadSnapshot: (name: string) => ask<Snapshot>('POST', `/snapshots/${segment(name)}/load`, {}),
  reset: (fixture: string) => ask<object>('POST', '/reset', { fixture }),
};
