import type { Input } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';

/** Standard input as one secret a line, in the order: application secret, then password, assertion or pasted address. */
export class StdinLines {
  readonly #input: Input;
  #lines: AsyncGenerator<string, void, undefined> | undefined;

  constructor(input: Input) {
    this.#input = input;
  }

  /**
   * The next line; the line break that `echo` adds is no part of a secret.
   * @throws {CommandError} `usage` (exit 2) on a terminal, and when there is no line left.
   */
  async next(flag: string): Promise<string> {
    if (this.#input.isTerminal) {
      throw usageError(
        `${flag} reads standard input, which is a terminal`,
        `pipe it in, or leave ${flag} out to be asked`,
      );
    }
    const line = await this.maybe();
    if (line !== undefined) return line;
    throw usageError(
      `${flag}: standard input has no line for it`,
      'one secret a line: the application secret first, then the password or the assertion',
    );
  }

  /** The next line; undefined when there is none, or an empty one. */
  async maybe(): Promise<string | undefined> {
    this.#lines ??= this.#input.lines();
    const { value: line } = await this.#lines.next();
    return line || undefined;
  }
}
