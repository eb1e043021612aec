import { AnsweringRules } from './resources/answering-rules.ts';
import { AuditTrail } from './resources/audit-trail.ts';
import { BusinessHoursResource } from './resources/business-hours.ts';
import { CallLog } from './resources/call-log.ts';
import { CallQueues } from './resources/call-queues.ts';
import { ChatWebhooks } from './resources/chat-webhooks.ts';
import { Departments } from './resources/departments.ts';
import { Extensions } from './resources/extensions.ts';
import { Faxes } from './resources/faxes.ts';
import { Media } from './resources/media.ts';
import { MessageReports } from './resources/message-reports.ts';
import { Messages } from './resources/messages.ts';
import { PhoneNumbers } from './resources/phone-numbers.ts';
import { PresenceResource } from './resources/presence.ts';
import { RingOuts } from './resources/ring-outs.ts';
import type { QueueMembers } from './resources/queue-members.ts';
import { Recordings } from './resources/recordings.ts';
import { SmsBatches } from './resources/sms-batches.ts';
import { Subscriptions } from './resources/subscriptions.ts';
import type { Call } from './call.ts';
import { specDialect } from './dialect.ts';
import { pages, type PageOptions } from './paging.ts';
import type { TransportSettings } from './transport-settings.ts';
import { Transport } from './transport.ts';

/** The service, with a property for each kind of resource. */
export interface Client {
  readonly extensions: Extensions;
  /** The members of call queues, through the requests of the dialect. */
  readonly departments: QueueMembers;
  /** Call queues of dialect `current`. */
  readonly callQueues: CallQueues;
  readonly presence: PresenceResource;
  readonly phoneNumbers: PhoneNumbers;
  readonly messages: Messages;
  readonly messageReports: MessageReports;
  readonly faxes: Faxes;
  readonly ringOuts: RingOuts;
  readonly subscriptions: Subscriptions;
  readonly answeringRules: AnsweringRules;
  readonly auditTrail: AuditTrail;
  readonly businessHours: BusinessHoursResource;
  readonly smsBatches: SmsBatches;
  readonly callLog: CallLog;
  readonly recordings: Recordings;
  readonly chatWebhooks: ChatWebhooks;
  /** Attachments, recordings and other files, by the URL that the service returned. */
  readonly media: Media;
  /** Sends requests for which no resource has a method. */
  readonly transport: Transport;
  /** Yields the records of any paged list. */
  pages<T>(call: Call, options?: PageOptions): AsyncGenerator<T, void, undefined>;
}

/** Builds a client from transport settings. Most programs use `createClient` instead. */
export function buildClient(settings: TransportSettings): Client {
  const transport = new Transport(settings);
  const { dialect = specDialect } = settings;
  const callQueues = new CallQueues(transport);
  return {
    extensions: new Extensions(transport),
    departments: dialect.queues === 'call-queues' ? callQueues : new Departments(transport),
    callQueues,
    presence: new PresenceResource(transport),
    phoneNumbers: new PhoneNumbers(transport),
    messages: new Messages(transport, dialect),
    messageReports: new MessageReports(transport),
    faxes: new Faxes(transport),
    ringOuts: new RingOuts(transport, dialect),
    subscriptions: new Subscriptions(transport),
    answeringRules: new AnsweringRules(transport),
    auditTrail: new AuditTrail(transport),
    businessHours: new BusinessHoursResource(transport),
    smsBatches: new SmsBatches(transport),
    callLog: new CallLog(transport),
    recordings: new Recordings(transport),
    chatWebhooks: new ChatWebhooks(transport, dialect),
    media: new Media(transport),
    transport,
    pages: <T>(call: Call, options?: PageOptions) => pages<T>(transport, call, options),
  };
}
