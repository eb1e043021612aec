export { Deliveries, type Delivery } from './deliveries.ts';
export { textOf } from './dispatcher.ts';
export { filterWarnings } from './filters-in-effect.ts';
export { Inbox, inboxFile } from './inbox.ts';
export type { Origin, StoredEvent } from './stored-event.ts';
export { startListener, type Listener } from './listener.ts';
export { runLive } from './live.ts';
export { openSignals, type Signals } from './signals.ts';
export { transportOf, type TransportOptions } from './transport-options.ts';
export { MemoryInbox } from './memory-inbox.ts';
export { readNotification, type Received } from './notification.ts';
export { openSubscription } from './open-subscription.ts';
export { secretPath } from './secret-path.ts';
export { shownEvent, type ShownEvent } from './shown-event.ts';
export type { Target } from './target.ts';
export { openTunnel } from './tunnel.ts';
export { WebhookTransport } from './transports.ts';
export { compileEdit, compileWhere } from './where.ts';
export {
  announceReady,
  channelTransportType,
  readTls,
  removeReadyFile,
  targetNamed,
  targetsOf,
} from './live-options.ts';
export { openWatchFeed } from './watch-feed.ts';
export { checkHost, checkPath, localUrl, parsePublicUrl, publicAddress } from './address.ts';
export { probeHandshake, probeNotification, type Probe } from './probe.ts';
export { sampleNames, sampleNotification } from './sample.ts';
