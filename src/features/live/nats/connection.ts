import { readFile } from 'node:fs/promises';
import {
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import { CommandError, Exit, messageOf } from '../../../errors/command.ts';
import type { NatsAddress } from '../../../platform/nats-address.ts';
import type { Context } from '../../../runtime/context.ts';

/** Maximum time of a connection attempt in milliseconds. */
const connectMilliseconds = 5000;
/** Milliseconds between attempts to connect again. */
const reconnectMilliseconds = 250;
/**
 * Milliseconds between messages that check the connection. After two messages without a reply, the connection
 * counts as lost.
 */
const pingMilliseconds = 5000;

/**
 * Connects to a server. A lost connection is opened again for as long as the process runs. User and password
 * come from the address, or from the variables of the NATS tools: NATS_USER, NATS_PASSWORD, NATS_TOKEN,
 * NATS_CREDS, NATS_CA, NATS_CERT and NATS_KEY.
 * @throws {CommandError} `nats_not_usable` (exit 12).
 */
export async function connectNats(ctx: Context, address: NatsAddress): Promise<NatsConnection> {
  try {
    return await connect({
      servers: address.server,
      name: 'ucctl',
      timeout: connectMilliseconds,
      reconnectTimeWait: reconnectMilliseconds,
      maxReconnectAttempts: -1,
      // A server may reject the credentials for a moment while it restarts. This must not end the connection
      // permanently.
      ignoreAuthErrorAbort: true,
      pingInterval: pingMilliseconds,
      maxPingOut: 2,
      ...(await signInOf(ctx, address)),
      ...tlsOf(ctx, address),
    });
  } catch (cause) {
    throw natsError(address, cause);
  }
}

/** The credentials of a connection. The address has precedence over the variables. */
async function signInOf(
  { env, sentSecrets }: Context,
  { user = env['NATS_USER'], password: pass = env['NATS_PASSWORD'] }: NatsAddress,
): Promise<NodeConnectionOptions> {
  const { NATS_TOKEN: token, NATS_CREDS: file } = env;
  for (const secret of [pass, token])
    if (secret) sentSecrets.add({ url: new URL('http://nats'), headers: { 'nats-password': secret } });
  if (user) return { user, ...(pass && { pass }) };
  if (file) return { authenticator: credsAuthenticator(await readFile(file)) };
  return token ? { token } : {};
}

function tlsOf({ env }: Context, { tls }: NatsAddress): NodeConnectionOptions {
  const { NATS_CA: caFile, NATS_CERT: certFile, NATS_KEY: keyFile } = env;
  if (!tls && !caFile && !certFile) return {};
  return { tls: { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) } };
}

/** The error of a server or stream that ucctl cannot use (exit 12). */
export function natsError({ server }: NatsAddress, cause: unknown): CommandError {
  const text = messageOf(cause).replace(/^'|'$/g, '');
  return new CommandError('nats_not_usable', Exit.local, `cannot use NATS at ${server}: ${text}`, {
    hint: 'check the address, the user and the password (NATS_USER, NATS_PASSWORD, NATS_TOKEN or NATS_CREDS), and that the server runs with JetStream (nats-server -js)',
    retryable: true,
    cause,
  });
}
