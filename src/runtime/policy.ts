/** Actions that cost money, ring a phone or interrupt a person. */
export type SendKind = 'sms' | 'pager' | 'fax' | 'ringout';

/** An action that a policy may block. */
export interface Action {
  /** `write` is any other change on the service. */
  readonly kind: SendKind | 'write';
  /** The phone numbers that the action reaches, as sent in the request. */
  readonly numbers: readonly string[];
  /** The numbers could not be determined, so rules about numbers block the action. */
  readonly isUnreadable?: boolean;
  /** Whether the number of recipients is not known. */
  readonly isUncounted?: boolean;
  /**
   * Number of messages or calls; default 1. If the number is 0, the check ignores the hourly limit, which is checked
   * elsewhere.
   */
  readonly count?: number;
  /** Time of delivery in milliseconds since 1970; default now. */
  readonly at?: number | undefined;
  /** The time of delivery could not be determined, so quiet hours block the action. */
  readonly isTimeUnreadable?: boolean;
}

/** The policy of the profile. The transport checks it before each request; commands check it earlier, before they read anything. */
export interface PolicyGuard {
  /**
   * Checks an action that is to be sent. A time of delivery that has passed means now.
   * @throws {CommandError} `policy` (exit 9) with the rule that blocks it.
   */
  check(action: Action): Promise<void>;
  /** Returns the rule that blocks the action, as text; undefined if no rule blocks it. */
  violation(action: Action): Promise<string | undefined>;
}
