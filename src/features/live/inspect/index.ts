import { serveLocalPage, type LocalPage } from '../../../platform/local-page/serve.ts';
import type { Inbox } from '../store/inbox.ts';
import { InspectApi, type InspectSettings } from './api.ts';
import { eventsOfReceiver } from './inspected-events.ts';
import { inspectRoutes } from './routes.ts';
import { factsRoute } from '../../../platform/local-page/page-facts.ts';

export { InspectApi } from './api.ts';
export { eventsOfInbox } from './inspected-events.ts';
export { inspectRoutes } from './routes.ts';

/** A receiver whose events the page shows. */
export interface InspectedReceiver extends Omit<InspectSettings, 'events'> {
  readonly inbox: Inbox;
  readonly receiver: string;
  /** Reports once that the server of the page cannot accept connections. */
  readonly warn: (problem: string) => void;
}

/** Serves the page of a receiver on 127.0.0.1. @throws the system's error if the port cannot be opened. */
export function startInspector({
  inbox,
  receiver,
  warn,
  ...settings
}: InspectedReceiver): Promise<LocalPage> {
  const api = new InspectApi({ ...settings, events: eventsOfReceiver(inbox, receiver) });
  const facts = { title: 'ucctl live events', views: ['live'], isReadOnly: false } as const;
  return serveLocalPage({ routes: [factsRoute(facts), ...inspectRoutes(api)], warn });
}
