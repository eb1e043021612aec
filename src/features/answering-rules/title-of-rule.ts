import type { Extension } from '../../contract/extension.ts';
import type { ResourceChange } from '../resource-plan/index.ts';
import { type Rules, ruleTitle, splitKey } from './kind.ts';

/** Finds extensions by ID. */
interface OwnerLookup {
  byId(id: string): Promise<Extension | undefined>;
}

/**
 * Returns the present title of the rule that a change of a saved plan changes or creates; undefined if the owner or the
 * rule does not exist. The title of a plan contains the new name, the present name or the ID of the rule.
 */
export async function titleOfRule(
  { id, key, title, after }: ResourceChange,
  { directory, rules }: { readonly directory: OwnerLookup; readonly rules: Pick<Rules, 'of'> },
): Promise<string | undefined> {
  const { extensionId, rule } = splitKey(key);
  const owner = await directory.byId(extensionId);
  const present = (await rules.of(extensionId)).find((one) => one.id === id);
  if (!owner || (id !== null && (id !== rule || !present))) return undefined;
  const { name } = after;
  const names = [name, present?.name, id].filter((one) => typeof one === 'string');
  const titles = names.map((one) => ruleTitle(one, owner));
  return titles.find((one) => one === title) ?? titles[0];
}
