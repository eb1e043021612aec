/** Why a connection ended. */
export interface Ending {
  /** Phrase for messages, such as `the connection was lost`. */
  readonly reason: string;
  /** Error code of the service, such as `WSG-903`. */
  readonly code: string | undefined;
  /** Whether a frame was invalid by the WebSocket protocol or too large; the service may send it again. */
  readonly isProtocolError: boolean;
}

/** The error for a connection that ended before an answer arrived. */
export class ConnectionEndedError extends Error {
  override readonly name = 'ConnectionEndedError';
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending.reason);
    this.ending = ending;
  }
}

/** Close codes without a status of their own: normal, going away, none, abnormal. */
const plainCodes = new Set([1000, 1001, 1005, 1006]);

/** Why the service closed the connection, by the close code and the error code of the service. */
export function closeReason(code: number, serviceCode: string | undefined): string {
  if (serviceCode !== undefined) return `the service closed the connection (${serviceCode})`;
  return plainCodes.has(code) ? 'the connection was lost' : `the service closed the connection (${code})`;
}
