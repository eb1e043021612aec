/** A page of a list. `total` counts all matching rows. */
export interface Page<Row> {
  readonly records: readonly Row[];
  readonly total: number;
}

/** A ringing or connected call of a phone. */
export interface PhoneCall {
  readonly sessionId: string;
  readonly direction: 'Inbound' | 'Outbound';
  readonly peerName?: string;
  readonly peerNumber?: string;
  /** The queue that was called. */
  readonly queue?: string;
  /** The telephonyStatus of the call: `Ringing`, `CallConnected`, `OnHold` or `ParkedCall`. */
  readonly status: string;
  /** Time in ISO 8601 since which the phone has been ringing or connected. */
  readonly since: string;
}

/** An extension with its presence and calls. */
export interface PhoneView {
  readonly extensionId: string;
  readonly number: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  /** The first direct number in E.164 format. */
  readonly phoneNumber?: string;
  readonly presenceStatus: string;
  readonly userStatus: string;
  readonly dndStatus: string;
  readonly calls: readonly PhoneCall[];
  /** Actions that this phone can perform now (`phoneActions`). */
  readonly actions: readonly string[];
}

/** A conversation of one mailbox with one other party. */
export interface ThreadView {
  /** Key of the conversation in its mailbox. */
  readonly key: string;
  readonly extensionId: string;
  /** Name and number of the owner of the mailbox. */
  readonly owner: string;
  readonly ownerNumber: string;
  readonly peerName?: string;
  readonly peerNumber?: string;
  readonly unread: number;
  readonly last: MessageView;
}

/** The conversations of the newest messages. */
export interface ThreadPage extends Page<ThreadView> {
  /** Whether there may be older messages, of whose conversations the page has none. */
  readonly hasOlder: boolean;
}

export interface AttachmentView {
  readonly id: string;
  readonly contentType: string;
  readonly fileName?: string;
  /** Size in bytes. */
  readonly size: number;
  /** Duration of a voicemail in seconds. */
  readonly seconds?: number;
  /** Path of the content on this server. */
  readonly path: string;
}

export interface MessageView {
  readonly id: string;
  /** Time in ISO 8601. */
  readonly time: string;
  readonly type: string;
  readonly direction: string;
  readonly status: string;
  readonly readStatus: string;
  readonly text?: string;
  readonly pages?: number;
  readonly errorCode?: string;
  /** Attachments other than the text of the message. */
  readonly attachments: readonly AttachmentView[];
}

/** The messages of one conversation, oldest first. */
export interface ConversationView {
  readonly owner: string;
  readonly ownerNumber: string;
  /** The number to which the other party writes; absent if there is no such number. */
  readonly ownPhoneNumber?: string;
  readonly peerName?: string;
  readonly peerNumber?: string;
  readonly messages: readonly MessageView[];
}

/** States of a delivery: webhooks fail, events of WebSockets and hosted channels are lost. */
export type DeliveryState = 'pending' | 'delivered' | 'recovered' | 'failed' | 'lost';

/** A notification with its delivery. */
export interface EventView {
  readonly id: number;
  readonly time: string;
  /** The last part of the event filter, e.g. `presence`. */
  readonly name: string;
  readonly extensionNumber?: string;
  readonly extensionName?: string;
  /** Description of the event, as text. */
  readonly text: string;
  /** `WebHook`, `WebSocket`, or the transport type of a hosted channel. */
  readonly transport: string;
  /** Address of the webhook, or the user who receives the events. */
  readonly address: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** HTTP status of the reply. */
  readonly status?: number;
  /** The reason why there was no reply, or why the notification is lost. */
  readonly error?: string;
}

export interface EventDetail extends EventView {
  readonly uuid: string;
  readonly subscriptionId: string;
  readonly isEncrypted: boolean;
  /** The posted notification; decrypted if it was encrypted. */
  readonly body: unknown;
}

/** A record of the call log. */
export interface CallView {
  readonly id: string;
  readonly time: string;
  /** Duration in seconds. */
  readonly seconds: number;
  readonly direction: string;
  readonly type: string;
  readonly result: string;
  readonly from: string;
  readonly to: string;
  readonly extension: string;
  /** Path of the audio on this server. */
  readonly recording?: string;
}

export interface QueueMember {
  readonly extensionId: string;
  readonly number: string;
  readonly name: string;
  readonly accepts: boolean;
  readonly presenceStatus: string;
}

/** A call queue with its agents. */
export interface QueueView {
  readonly id: string;
  readonly number: string;
  readonly name: string;
  readonly members: readonly QueueMember[];
}

/** A webhook, WebSocket or channel that a program subscribed. */
export interface SubscriptionView {
  readonly id: string;
  readonly filters: readonly string[];
  readonly transport: string;
  readonly address: string;
  readonly status: string;
  readonly expires: string;
}

/** Values that the forms of the console offer. */
export interface Choices {
  readonly fixtures: readonly string[];
  readonly faults: readonly string[];
  readonly operations: readonly string[];
}
