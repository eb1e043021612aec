import { lookupTable } from './lookup-table.ts';

/** The party that reported the failure of a text, by the prefix of the error code (MESSAGE-23). */
const reporters: Readonly<Record<string, string>> = lookupTable({
  RC: 'the service',
  UP: 'the upstream provider',
  CAR: "the recipient's carrier",
});

const optedOut = 'the recipient opted out and must reply START to receive texts again';
const badNumber = 'the number is invalid, or cannot receive texts';
const noSender = 'the sender number is not set up to send texts';
const spam = 'the carrier blocked the text as spam; change the text';
const malformed = 'the carrier cannot deliver this content; change the text';

/** Meaning of the published error codes, without the prefix `SMS-`. */
const meanings: Readonly<Record<string, string>> = lookupTable({
  'RC-403': 'the daily or monthly text limit is exceeded',
  'RC-410': badNumber,
  'RC-413': optedOut,
  'RC-414': noSender,
  'RC-430': spam,
  'RC-500': 'internal error',
  'RC-501': 'internal error in the request to the upstream provider',
  'RC-503': 'the sender number is not provisioned correctly',
  'RC-504': "the account's SMS provider is not configured correctly",
  'UP-410': badNumber,
  'UP-413': optedOut,
  'UP-414': noSender,
  'UP-430': spam,
  'UP-431': 'the sender number is blocked because of suspected spam',
  'UP-432': 'the text is too long',
  'UP-433': malformed,
  'UP-500': 'general failure; retry later',
  'CAR-104': 'no delivery report has arrived yet; check the status again in an hour',
  'CAR-199': 'the delivery status is unknown; the text may have been delivered',
  'CAR-400': 'the carrier does not support this kind of message',
  'CAR-410': 'the text expired or was canceled before it reached the carrier',
  'CAR-411': badNumber,
  'CAR-412': "the recipient's phone is not available",
  'CAR-413': optedOut,
  'CAR-414': noSender,
  'CAR-430': spam,
  'CAR-431': 'the carrier rejected the text and gave no reason; retry later',
  'CAR-432': 'the text is too long for this carrier; use at most 160 characters',
  'CAR-433': malformed,
  'CAR-434': 'the files are too large; send smaller files',
  'CAR-435': 'the text contains a shortened link; use the full address',
  'CAR-450': 'your registered brand exceeded its daily limit',
  'CAR-451': 'your registered campaign exceeded its daily limit',
  'CAR-452': 'the text limit is exceeded',
  'CAR-460': 'the recipient rejects texts from short codes',
  'CAR-461': "the sender's toll-free number is not verified",
  'CAR-500': 'general failure; retry later',
});

/** Returns a delivery error code with its reporter and meaning, as far as they are known. */
export function deliveryErrorText(code: string): string {
  const [, source = '', number = ''] = /^SMS-([A-Z]+)-(\d+)$/.exec(code) ?? [];
  const reporter = reporters[source];
  if (reporter === undefined) return `delivery error ${code}`;
  const meaning = meanings[`${source}-${number}`];
  return `delivery error ${code}, reported by ${reporter}${meaning === undefined ? '' : `: ${meaning}`}`;
}
