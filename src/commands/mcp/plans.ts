import { OneTimeValues } from '../../platform/one-time-values.ts';

interface PreviewedCommand {
  /** The command line that was previewed. */
  readonly words: readonly string[];
  /**
   * Digest of the requests and files of the preview. A plan is rejected if the command would send different requests or files
   * when the plan is run.
   */
  readonly digest: string;
  /** Time of the preview in milliseconds since 1970. Relative times of the command refer to it. */
  readonly previewedAt: number;
}

/** A change that was previewed and not yet confirmed. */
export interface Plan extends PreviewedCommand {
  readonly id: string;
}

/** The plans of one connection. Each can be run once, with the arguments of its preview. */
export class Plans {
  readonly #commands: OneTimeValues<PreviewedCommand>;

  constructor(now: () => number) {
    this.#commands = new OneTimeValues(now, 'plan-');
  }

  add(command: PreviewedCommand): Plan {
    return { id: this.#commands.add(command), ...command };
  }

  /** Removes a plan and returns it; undefined if it is unknown, was run, has expired, or has other arguments. */
  take(id: string, words: readonly string[]): Plan | undefined {
    const given = JSON.stringify(words);
    const command = this.#commands.take(id, (stored) => JSON.stringify(stored.words) === given);
    return command && { id, ...command };
  }
}
