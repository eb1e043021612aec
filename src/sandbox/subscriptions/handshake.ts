import { ServiceError } from '../request/errors.ts';
import type { SandboxSettings } from '../world/settings.ts';
import { createAgents, postToWebhook, type WebhookReply } from './post.ts';

/**
 * Asks a webhook whether it wants notifications: an empty POST with a Validation-Token that the reply must repeat (WEBHOOK-1,
 * WEBHOOK-3).
 * @throws {ServiceError} SUB-520 token missing or different, SUB-521 no answer in time, SUB-524 certificate, SUB-525 anything else.
 */
export async function shakeHands(address: string, token: string, settings: SandboxSettings): Promise<void> {
  const agents = createAgents();
  try {
    const reply = await postToWebhook({
      address,
      headers: { 'validation-token': token },
      body: '',
      timeoutMilliseconds: settings.webhookTimeoutMilliseconds,
      replyBytes: settings.webhookReplyBytes,
      agents,
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
  if (reply.status !== 200) throw refused('SUB-525', `WebHook response is invalid: HTTP ${reply.status}`);
  if (reply.headers['validation-token'] !== token) {
    throw refused('SUB-520', 'WebHook response did not return the Validation-Token header');
  }
  if (reply.bytes > settings.webhookReplyBytes) {
    throw refused('SUB-525', `WebHook response is larger than ${settings.webhookReplyBytes} bytes`);
  }
  const type = reply.headers['content-type'];
  if (type !== undefined && !/^application\/json\b/i.test(type)) {
    throw refused('SUB-525', `WebHook response is of type ${type}, not application/json`);
  }
}

function unreachable(error: unknown): ServiceError {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code);
  if (certificate) return refused('SUB-524', `WebHook certificate is not valid: ${code}`);
  return refused('SUB-521', `WebHook is not reachable: ${code || message}`);
}

function refused(code: string, message: string): ServiceError {
  return new ServiceError(400, code, message, { parameterName: 'deliveryMode.address' });
}
