import type { Context, SearchChoice } from '../../runtime/context.ts';
import { choicesOf, minuteText } from './lines.ts';

/** Reads the chat webhooks of the user. Their addresses are credentials, so they are not shown. */
export async function chatWebhookChoices(
  ctx: Context,
  signal: AbortSignal,
): Promise<readonly SearchChoice[]> {
  const api = await ctx.api();
  const all = await api.chatWebhooks.list(undefined, { signal });
  return choicesOf(
    all.map(({ id, status, groupIds, creationTime }) => ({
      value: id,
      cells: [
        id,
        status,
        `group ${groupIds.join(' ')}`,
        `created ${minuteText(ctx, Date.parse(creationTime))}`,
      ],
    })),
  );
}
