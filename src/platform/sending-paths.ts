/** Kind of message or call that a request sends. */
export type SendingKind = 'sms' | 'pager' | 'fax' | 'ringout' | 'chat-post';

/** Kind of reply that proves the send: a message, a record with an ID, a RingOut call, or a call session. */
export type ReceiptKind = 'message' | 'record' | 'ring-out' | 'session';

/** The path whose POST sends a text of the signed-in extension. */
export const smsPath = '/restapi/v1.0/account/~/extension/~/sms';

/** The path whose POST sends high-volume texts as a batch. */
export const smsBatchesPath = '/restapi/v1.0/account/~/a2p-sms/batches';

/** A path of the service whose POST sends a message or places a call. */
interface SendingPath {
  readonly kind: SendingKind;
  /** The end of the path, in the spelling of `comparablePath`. */
  readonly end: RegExp;
  /** Kind of reply that proves the send; undefined if no reply is documented. */
  readonly receipt: ReceiptKind | undefined;
  /** Question of the confirmation prompt; undefined if the request is free and rings no phone. */
  readonly question: string | undefined;
}

const text = 'Send this text?';
const call = 'Place this call?';

/** Paths whose POST connects an existing call to another number or extension, in the spelling of `comparablePath`. */
const callTransfer = /\/telephony\/sessions\/[^/]+\/parties\/[^/]+\/(?:transfer|forward)$/;

/**
 * The only list of paths that send a message or place a call. Policy, journal, confirmation and receipts all use this
 * list.
 */
const sendingPaths: readonly SendingPath[] = [
  { kind: 'sms', end: /\/(?:sms|mms)$/, receipt: 'message', question: text },
  { kind: 'sms', end: /\/message-threads\/(?:[^/]+\/)?messages$/, receipt: 'record', question: text },
  { kind: 'sms', end: /\/a2p-sms\/batch(?:es)?$/, receipt: 'record', question: 'Send these texts?' },
  { kind: 'pager', end: /\/company-pager$/, receipt: 'message', question: 'Send this pager message?' },
  { kind: 'fax', end: /\/fax$/, receipt: 'message', question: 'Send this fax?' },
  { kind: 'ringout', end: /\/ring-?out$/, receipt: 'ring-out', question: call },
  { kind: 'ringout', end: /\/call-out$/, receipt: 'session', question: call },
  { kind: 'ringout', end: callTransfer, receipt: undefined, question: 'Transfer this call?' },
  { kind: 'chat-post', end: /\/posts$/, receipt: 'record', question: undefined },
  {
    kind: 'chat-post',
    end: /\/(?:posts\/[^/]+|webhook(?:\/[^/]+)?)$/,
    receipt: undefined,
    question: undefined,
  },
];

/** Returns the entry for a path in the form of `comparablePath`; undefined if a POST to it does not send anything. */
export function sendingPath(path: string): SendingPath | undefined {
  return sendingPaths.find(({ end }) => end.test(path));
}

/** Whether a POST to a path in the form of `comparablePath` transfers an existing call. */
export function isCallTransfer(path: string): boolean {
  return callTransfer.test(path);
}
