import { registry } from '../../src/cli/registry.ts';
import { fieldsOf, type AnyCommandSpec, type NounSpec } from '../../src/runtime/define.ts';
import { allCases } from './all-cases.ts';

/** Every noun of the registry with its commands, by its name. */
export const nouns: ReadonlyMap<string, NounSpec> = new Map(
  await Promise.all(registry.map(async ({ name, load }) => [name, await load()] as const)),
);

/**
 * What a command is tested for on behalf of others. What depends on the renderer, on the columns or on the form of
 * the command line is the same code for all commands that are alike in it, so only the first of them is tested.
 */
export interface Sample {
  /** The first with this output: one document or several, a stream, text or no output; a watch; a default format. */
  readonly isFirstOfKind: boolean;
  /** The first with these columns in this output. */
  readonly isFirstOfView: boolean;
  /**
   * The first with these arguments: the number of positional ones, whether that is variable, and whether an option's
   * value is optional.
   */
  readonly isFirstOfForm: boolean;
  /** Its index in the registry. */
  readonly index: number;
}

const samples = new Map<string, Sample>();
const seen = new Set<string>();
for (const [name, noun] of nouns) {
  for (const spec of noun.commands) {
    const command = spec.path.join(' ');
    const kind = kindOf(spec, allCases[name]?.commands[command]?.success);
    samples.set(command, {
      isFirstOfKind: isNew(`kind ${kind}`),
      isFirstOfView: isNew(`view ${kind} ${fieldsOf(spec).join()}`),
      isFirstOfForm: isNew(`form ${formOf(spec)}`),
      index: samples.size,
    });
  }
}

/** The checks that a command is the sample for. */
export function sampleOf(spec: AnyCommandSpec): Sample {
  const sample = samples.get(spec.path.join(' '));
  if (!sample) throw new Error(`${spec.path.join(' ')} is not in the registry`);
  return sample;
}

function isNew(key: string): boolean {
  const isUnseen = !seen.has(key);
  seen.add(key);
  return isUnseen;
}

function kindOf(
  spec: AnyCommandSpec,
  success: { readonly table?: string; readonly how?: unknown } | undefined,
): string {
  const { output, watch, defaultFormat } = spec;
  const isMany = output?.schema['type'] === 'array';
  const parts = [output?.gives, isMany, success?.table, Boolean(success?.how), watch, defaultFormat];
  return [...parts, fieldsOf(spec).length > 0].join();
}

function formOf({ options }: AnyCommandSpec): string {
  const all = Object.values(options);
  const positional = all
    .filter((option) => option.positional)
    .map(({ type, required }) => `${type} ${required}`);
  return [...positional, all.some((option) => 'alone' in option)].join();
}
