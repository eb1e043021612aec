/** What spends money, rings a telephone or interrupts a person. */
export type SendKind = 'sms' | 'pager' | 'fax' | 'ringout';

/** Something that a policy may forbid. */
export interface Action {
  /** `write` is any other change at the service. */
  readonly kind: SendKind | 'write';
  /** Telephone numbers that it reaches, as they go out. */
  readonly numbers: readonly string[];
  /** Its numbers could not be read: with rules about numbers it is refused. */
  readonly isUnreadable?: boolean;
  /** Messages or calls; default 1; 0 leaves counting to somebody else. */
  readonly count?: number;
  /** When it reaches people, milliseconds since 1970; default now. */
  readonly at?: number | undefined;
}

/** The policy of the profile. The transport asks it before each request; commands ask earlier, to refuse before they read anything. */
export interface PolicyGuard {
  /** @throws {CommandError} `policy` (exit 9) saying which rule forbids it. */
  check(action: Action): Promise<void>;
  /** Which rule forbids it, in words; undefined when none does. */
  refusal(action: Action): Promise<string | undefined>;
}
