/** The user and application of a WebSocket token, and its expiration in milliseconds since 1970. */
export interface SocketToken {
  readonly clientId: string;
  readonly extensionId: number;
  readonly sessionId: number;
  readonly expiresAt: number;
}

/** The tokens for new connections. They live for seconds, so they are in memory and end with the process. */
export class SocketTokenStore {
  readonly #tokens = new Map<string, SocketToken>();

  /** Stores a token, and deletes expired tokens. */
  add(token: string, owner: SocketToken, now: number): void {
    for (const [old, { expiresAt }] of this.#tokens) if (expiresAt <= now) this.#tokens.delete(old);
    this.#tokens.set(token, owner);
  }

  /** Returns the owner of a valid token. A token that may not be reused is deleted. */
  take(token: string, now: number, reusable: boolean): SocketToken | undefined {
    const owner = this.#tokens.get(token);
    if (!owner || owner.expiresAt <= now) return undefined;
    if (!reusable) this.#tokens.delete(token);
    return owner;
  }

  clear(): void {
    this.#tokens.clear();
  }
}
