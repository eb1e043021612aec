/** The error for a request that was not sent, or an opened reply that was not read, because the client was closed. */
export class ClientClosedError extends TypeError {
  override readonly name = 'ClientClosedError';

  constructor() {
    super('the client is closed; create a new client');
  }
}
