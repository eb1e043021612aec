export { EventDescriber, type PresenceMembers } from './describe/event-describer.ts';
export { EarlierPresence, mostEarlier, type ComparedEvent } from './describe/earlier-presence.ts';
export { EventNames } from './describe/event-names.ts';
export type { Delivery } from './store/deliveries.ts';
export { textOf } from './deliver/dispatcher.ts';
export { longWaitText } from './deliver/long-waits.ts';
export { startRedelivery, type Redelivery } from './deliver/redelivery.ts';
export { allFilters, encryptionWarnings, filterWarnings } from './subscription/filters-in-effect.ts';
export { Inbox } from './store/inbox.ts';
export type { Provenance } from './store/stored-event.ts';
export { inboxFile } from './store/inbox-file.ts';
export { openInbox, type InboxUse } from './store/open-inbox.ts';
export {
  importReceiver,
  origins,
  receiverOf,
  recoveredOrigins,
  type Origin,
  type StoredEvent,
} from './store/stored-event.ts';
export type { TextFilter } from './store/text-filter.ts';
export { startListener, type Listener } from './receive/listener.ts';
export { runLive } from './run-live.ts';
export { openLiveSession, type LiveSession } from './session.ts';
export {
  liveTransportOf,
  subscriptionLifetimes,
  transportName,
  transportOf,
  webSocketReceiver,
  type TransportOptions,
} from './receive/transport-options.ts';
export { readNotification, type Received } from './notification/notification.ts';
export { AddressRejectedError, openSubscription } from './subscription/create.ts';
export { isRecorded, recordCreated } from './subscription/created-ids.ts';
export { keysItem, othersOf } from './subscription/lost-creation.ts';
export { duplicateWarnings } from './subscription/duplicates.ts';
export { secretPath } from './subscription/secret-path.ts';
export { shownEvent } from './notification/shown-event.ts';
export type { Target } from './deliver/target.ts';
export { openTunnel } from './receive/tunnel.ts';
export { WebhookReceiver } from './receive/webhook-receiver.ts';
export { compileEdit, compileWhere, whereOf } from './notification/where.ts';
export { offersAll, ReadyAnnouncer, removeReadyFile, removeStaleReadyFile } from './announce.ts';
export { channelTransportType } from './receive/channel-options.ts';
export { readTls } from './receive/tls.ts';
export { targetNamed, targetsOf } from './deliver/target-options.ts';
export { openSessionIfReachable } from './reachable-session.ts';
export { checkHost, checkPath, localUrl, parsePublicUrl, publicAddress } from './receive/address.ts';
export { probeHandshake, probeNotification, type Probe } from './receive/probe.ts';
export { sampleNames, sampleNotification } from './notification/sample.ts';
export { verificationToken, verificationTokenOf } from './receive/verification-token.ts';
export { openEventStore, openSink } from './shared/open-sink.ts';
export { receiverStates, type ReceiverDefinition, type ReceiverState } from './shared/receiver-table.ts';
export { removeReceiver } from './shared/remove-receiver.ts';
export { listenerReceiving } from './shared/listener-receiving.ts';
export { socketReceiving } from './shared/socket-owner.ts';
export { runShared, type SharedPlan, type SharedStream } from './shared/run-shared.ts';
export { storedPoints } from './shared/store-recovery.ts';
export { openEventStream } from './nats/open-stream.ts';
export { storeInStream } from './nats/store-in-stream.ts';
export { streamProblem, type EventStream } from './nats/event-stream-port.ts';
export { streamRecovery } from './nats/stream-recovery.ts';
export { replayedEvent } from './deliver/replayed-event.ts';
export { streamTarget } from './nats/stream-target.ts';
export { subjectOf } from './log/lane.ts';
export type { ReceiverMonitor } from './shared/monitor.ts';
export { EventConsumer, type ConsumeEnd } from './consume/consumer.ts';
export { checkConsumer, consumersOf, requireConsumer } from './consume/consumers.ts';
export { isRepeated } from './consume/repeated.ts';
export { PostgresEventLog } from './log/postgres-event-log.ts';
