/** The remaining requests of a usage group, as the processes of one user share them. Times are milliseconds since 1970. */
export interface UsageBudget {
  /** Name of the group in lower case. */
  readonly group: string;
  /** Number of requests left before `resetsAt`; undefined if not known. */
  readonly left: number | undefined;
  readonly resetsAt: number;
  /** No request may be sent before this time; 0 if the group is not blocked. */
  readonly blockedUntil: number;
}
