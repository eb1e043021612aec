/** The behavior of a phone that is called. */
export type PhoneBehaviour =
  | 'answer'
  | 'busy'
  | 'noAnswer'
  | 'reject'
  | 'error'
  | 'internationalDisabled'
  | 'invalid'
  | 'unreachable'
  | 'serverFailure'
  | 'hangUp'
  | 'longTalk'
  | 'ring';

/** Numbers reserved for fiction that always behave the same way, on either leg of a call (docs/sandbox.md). */
const calls: ReadonlyMap<string, PhoneBehaviour> = new Map([
  ['+12025550101', 'busy'],
  ['+12025550102', 'noAnswer'],
  ['+12025550103', 'reject'],
  ['+12025550104', 'error'],
  ['+12025550105', 'internationalDisabled'],
  ['+12025550106', 'invalid'],
  ['+12025550107', 'unreachable'],
  ['+12025550108', 'serverFailure'],
  ['+12025550109', 'hangUp'],
  ['+12025550110', 'longTalk'],
  ['+12025550111', 'ring'],
]);

/** Returns the behavior of the phone with this number. A phone whose number is not a magic number answers. */
export function callOutcome(phoneNumber: string): PhoneBehaviour {
  return calls.get(phoneNumber) ?? 'answer';
}
