import type { Client } from '../../client/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { openRules, readRulesFile, titleOfRule, type Rules } from '../../features/answering-rules/index.ts';
import { hasNewCallHandling } from '../../features/presence/index.ts';
import type { ResourceFiles } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';

/** Returns the answering rules of the account. */
export function rulesOf(ctx: Context, api: Client): Rules {
  return openRules(ctx, api, () => hasNewCallHandling(ctx, api));
}

/** Returns the answering rules as files, for `rule plan` and `rule apply`. Rules cannot be protected. */
export function ruleFiles(ctx: Context, api: Client, rules: Rules): ResourceFiles {
  const directory = openDirectory(api, ctx.signal);
  return {
    kind: rules.kind,
    noun: 'rule',
    requireWritable: () => rules.requireWritable(),
    read: (content, file) => readRulesFile(content, file, { directory, rules }),
    titleOf: (change) => titleOfRule(change, { directory, rules }),
    // The number of all rules is unknown without a request for each owner.
    total: async () => (await directory.all()).length,
    protectedIds: () => Promise.resolve([]),
  };
}
