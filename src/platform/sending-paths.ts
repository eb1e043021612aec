/** What a request sends. */
export type SendingKind = 'sms' | 'pager' | 'fax' | 'ringout' | 'chat-post';

/** What the service answers with when it has done it: a message, a record with an id, a two-legged call, or a call session. */
export type ReceiptKind = 'message' | 'record' | 'ring-out' | 'session';

/** A path of the service whose POST sends something to people. */
interface SendingPath {
  readonly kind: SendingKind;
  /** The end of the path, in the spelling of `comparablePath`. */
  readonly end: RegExp;
  /** Undefined where no reply is documented. */
  readonly receipt: ReceiptKind | undefined;
  /** What a person is asked before; undefined for what neither costs nor rings. */
  readonly question: string | undefined;
}

const text = 'Send this text?';
const call = 'Place this call?';

/** The only list of these paths: policy, journal, question and receipt must know the same ones. */
const sendingPaths: readonly SendingPath[] = [
  { kind: 'sms', end: /\/(?:sms|mms)$/, receipt: 'message', question: text },
  { kind: 'sms', end: /\/message-threads\/messages$/, receipt: 'record', question: text },
  { kind: 'sms', end: /\/a2p-sms\/batch(?:es)?$/, receipt: 'record', question: 'Send these texts?' },
  { kind: 'pager', end: /\/company-pager$/, receipt: 'message', question: 'Send this page?' },
  { kind: 'fax', end: /\/fax$/, receipt: 'message', question: 'Send this fax?' },
  { kind: 'ringout', end: /\/ring-?out$/, receipt: 'ring-out', question: call },
  { kind: 'ringout', end: /\/call-out$/, receipt: 'session', question: call },
  { kind: 'chat-post', end: /\/posts$/, receipt: 'record', question: undefined },
  {
    kind: 'chat-post',
    end: /\/(?:posts\/[^/]+|webhook(?:\/[^/]+)?)$/,
    receipt: undefined,
    question: undefined,
  },
];

/** What a POST to this path sends, where it is one that is known to send; `path` as `comparablePath` gives it. */
export function sendingPath(path: string): SendingPath | undefined {
  return sendingPaths.find(({ end }) => end.test(path));
}
