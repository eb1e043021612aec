// Prints the agents of every call queue. Run it with UCCTL_BASE_URL and UCCTL_TOKEN set.
import { createClient, RateLimitError } from 'ucctl';

export interface QueueAgents {
  readonly queue: string;
  readonly agents: readonly string[];
}

/** Reads all queues and their agents. The client waits for rate limits and retries reads automatically. */
export async function queueAgents(baseUrl: string, token: string): Promise<readonly QueueAgents[]> {
  const client = createClient({ baseUrl, token, maxWaitMilliseconds: 60_000 });
  try {
    const queues: QueueAgents[] = [];
    for await (const queue of client.extensions.list({ type: ['Department'] })) {
      const agents: string[] = [];
      for await (const agent of client.departments.members(queue.id))
        agents.push(agent.extensionNumber ?? '');
      queues.push({ queue: queue.name ?? String(queue.id), agents });
    }
    return queues;
  } catch (error) {
    if (error instanceof RateLimitError)
      throw new Error(`rate limit reached; try again in ${error.waitSeconds} s`, { cause: error });
    throw error;
  } finally {
    await client.close();
  }
}
