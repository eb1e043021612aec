import { ServiceError } from '../request/errors.ts';
import type { SandboxSettings } from '../world/settings.ts';
import { createAgents, postToWebhook, type WebhookReply } from './post.ts';

/**
 * Performs the handshake with a webhook: an empty POST with a Validation-Token that the reply must repeat (WEBHOOK-1,
 * WEBHOOK-3).
 * @param signal ends the handshake.
 * @throws {ServiceError} SUB-520 for a missing or different token, SUB-521 for a timeout, SUB-524 for an invalid
 * certificate, SUB-525 for any other failure.
 */
export async function shakeHands(
  address: string,
  token: string,
  settings: SandboxSettings,
  signal?: AbortSignal,
): Promise<void> {
  const agents = createAgents();
  try {
    const reply = await postToWebhook({
      address,
      headers: { 'validation-token': token },
      body: '',
      timeoutMilliseconds: settings.webhookTimeoutMilliseconds,
      replyBytes: settings.webhookReplyBytes,
      agents,
      signal,
    }).catch((error: unknown) => {
      throw unreachable(error);
    });
    checkReply(reply, token, settings);
  } finally {
    agents.http.destroy();
    agents.https.destroy();
  }
}

function checkReply(reply: WebhookReply, token: string, settings: SandboxSettings): void {
  if (reply.status !== 200)
    throw handshakeError('SUB-525', `WebHook response is invalid: HTTP ${reply.status}`);
  if (reply.headers['validation-token'] !== token) {
    throw handshakeError('SUB-520', 'WebHook response did not return the Validation-Token header');
  }
  if (reply.bytes > settings.webhookReplyBytes) {
    throw handshakeError('SUB-525', `WebHook response is larger than ${settings.webhookReplyBytes} bytes`);
  }
  const type = reply.headers['content-type'];
  if (type !== undefined && !/^application\/json\b/i.test(type)) {
    throw handshakeError('SUB-525', `WebHook response is of type ${type}, not application/json`);
  }
}

function unreachable(error: unknown): ServiceError {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code);
  if (certificate) return handshakeError('SUB-524', `WebHook certificate is not valid: ${code}`);
  return handshakeError('SUB-521', `WebHook is not reachable: ${code || message}`);
}

function handshakeError(code: string, message: string): ServiceError {
  return new ServiceError(400, code, message, { parameterName: 'deliveryMode.address' });
}
