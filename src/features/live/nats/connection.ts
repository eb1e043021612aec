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
import { natsError } from './nats-error.ts';

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
      // A stack trace for each event costs a third of its processor time; errors are reported without one.
      noAsyncTraces: true,
      ...(await signInOf(ctx, address)),
      ...(await tlsOf(ctx, address)),
    });
  } catch (cause) {
    throw cause instanceof CommandError ? cause : natsError(address, cause);
  }
}

/** The credentials of a connection. The address has precedence over the variables. */
async function signInOf(
  { env, sentSecrets }: Context,
  { user = env['NATS_USER'], password: pass = env['NATS_PASSWORD'] }: NatsAddress,
): Promise<NodeConnectionOptions> {
  const { NATS_TOKEN: token, NATS_CREDS: file } = env;
  for (const secret of [pass, token]) if (secret) sentSecrets.addPassword(secret);
  if (user) return { user, ...(pass && { pass }) };
  if (file) return { authenticator: credsAuthenticator(await readOf('NATS_CREDS', file)) };
  return token ? { token } : {};
}

async function tlsOf({ env }: Context, { tls }: NatsAddress): Promise<NodeConnectionOptions> {
  const { NATS_CA: ca, NATS_CERT: cert, NATS_KEY: key } = env;
  if (!tls && !ca && !cert) return {};
  const read = async (name: string, file: string | undefined): Promise<string | undefined> =>
    file ? (await readOf(name, file)).toString() : undefined;
  const [caText, certText, keyText] = await Promise.all([
    read('NATS_CA', ca),
    read('NATS_CERT', cert),
    read('NATS_KEY', key),
  ]);
  return {
    tls: {
      ...(caText && { ca: caText }),
      ...(certText && { cert: certText }),
      ...(keyText && { key: keyText }),
    },
  };
}

/** Reads the file that a variable names. @throws {CommandError} `nats_not_usable` (exit 12). */
async function readOf(name: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new CommandError(
      'nats_not_usable',
      Exit.local,
      `cannot read the file of ${name}: ${messageOf(cause)}`,
      {
        hint: `set ${name} to a file that ucctl can read`,
        cause,
      },
    );
  }
}
