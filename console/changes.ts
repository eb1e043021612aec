import { signal, type Signal } from '@preact/signals';
import { whileVisible } from './while-visible.ts';

/** Parts of the state that can change (`changeTopics` of the sandbox). */
export type Topic = 'phones' | 'messages' | 'events' | 'calls' | 'queues' | 'requests' | 'service';

const topics: readonly Topic[] = ['phones', 'messages', 'events', 'calls', 'queues', 'requests', 'service'];

/** Whether the page receives changes. `rejected`: the address of the page has no valid token. */
export const connection = signal<'connecting' | 'live' | 'lost' | 'rejected'>('connecting');

/** Whether the page belongs to another build of ucctl than the sandbox that runs now. */
export const isOutdated = signal(false);
/** The build from which the page was loaded. */
let ownBuild: string | undefined;

const counters = new Map<string, Signal<number>>(topics.map((topic) => [topic, signal(0)]));

/** A number that increases with every change of one of the topics. */
export function versionOf(wanted: readonly Topic[]): number {
  return wanted.reduce((sum, topic) => sum + (counters.get(topic)?.value ?? 0), 0);
}

/** Makes the queries of these topics load again. */
export function bump(changed: readonly string[]): void {
  for (const topic of changed) {
    const counter = counters.get(topic);
    if (counter) counter.value += 1;
  }
}

/** Milliseconds until a stream is requested again that the browser does not request again. */
const retryPause = 2000;

let stream: EventSource | undefined;

/** Receives changes while the page is visible. When it is visible again, it reads all data again. */
export function followChanges(): void {
  whileVisible((signal) => {
    connect();
    signal.addEventListener('abort', disconnect);
  });
}

/**
 * Connects, and after an interruption connects again and reads all data again. The browser reconnects automatically,
 * except after a reply that is not a stream, for example from another program.
 */
function connect(): void {
  if (stream) return;
  const source = new EventSource('/sandbox/v1/changes');
  stream = source;
  source.addEventListener('ready', (event) => {
    const { build = '' } = JSON.parse((event as MessageEvent<string>).data) as { readonly build?: string };
    ownBuild ??= build;
    isOutdated.value = build !== ownBuild;
    connection.value = 'live';
    bump(topics);
  });
  source.addEventListener('change', (event) => {
    const { topics: changed } = JSON.parse((event as MessageEvent<string>).data) as {
      readonly topics: readonly string[];
    };
    bump(changed);
  });
  source.addEventListener('error', () => {
    connection.value = 'lost';
    if (source.readyState === EventSource.CLOSED) setTimeout(() => reconnect(source), retryPause);
  });
}

/** Replaces a stream that the browser has given up, unless the page was hidden since. */
function reconnect(source: EventSource): void {
  if (stream !== source) return;
  disconnect();
  connect();
}

function disconnect(): void {
  stream?.close();
  stream = undefined;
}
