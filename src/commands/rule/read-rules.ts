import type { Client } from '../../client/index.ts';
import { ruleItem } from '../../features/answering-rules/index.ts';
import { extensionIds } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';

export interface RuleListOptions {
  readonly extensions: readonly string[];
}

/** Reads the rules of the extensions, each once, with all settings; by default the rules of the signed-in user. */
export async function* readRules(
  ctx: Context,
  api: Client,
  { extensions }: RuleListOptions,
): AsyncGenerator<ReturnType<typeof ruleItem>, void, undefined> {
  const { signal } = ctx;
  const read = new Set<string>();
  for (const id of await extensionIds(api, extensions, signal)) {
    const owner = String(id === '~' ? (await api.extensions.get(id, { signal })).id : id);
    if (read.has(owner)) continue;
    read.add(owner);
    for await (const rule of api.answeringRules.list(owner, 'Detailed', { signal })) {
      yield ruleItem(owner, rule);
    }
  }
}
