import { phoneNumberText } from '../../../platform/phone-number-text.ts';
import type { Members } from './body-values.ts';
import { wordOf } from './body-values.ts';

/** An extension as a list of the service or the cache of known values names it. */
export interface NamedExtension {
  readonly id: string | number;
  readonly name: string;
  readonly extensionNumber?: string | undefined;
  /** Known if the service listed the extension in this run. */
  readonly permissions?: { readonly admin?: { readonly enabled: boolean } | undefined } | undefined;
}

/** Names of extensions for the text of events. */
export class EventNames {
  readonly #byId = new Map<string, string>();
  readonly #byNumber = new Map<string, string>();

  constructor(extensions: Iterable<NamedExtension> = []) {
    for (const { id, name, extensionNumber } of extensions) {
      const label = extensionNumber ? `${name} (${extensionNumber})` : name;
      this.#byId.set(String(id), label);
      if (extensionNumber) this.#byNumber.set(extensionNumber, label);
    }
  }

  /** `Dana Okafor (102)`; undefined for an unknown extension. */
  known(id: string): string | undefined {
    return this.#byId.get(id);
  }

  /** The extension for a sentence, with its id if its name is not known. */
  extension(id: string | undefined): string {
    if (id === undefined || id === '') return 'an extension';
    if (id === '~') return 'you';
    return this.#byId.get(id) ?? `extension ${id}`;
  }

  /** One end of a call: a known extension, or the name and number that the service sent. */
  party(number: unknown, name: unknown): string {
    const address = wordOf(number);
    const caller = wordOf(name).trim();
    const known = this.#byNumber.get(address);
    if (known !== undefined) return known;
    if (address === '') return caller === '' ? 'unknown number' : caller;
    const readable = phoneNumberText(address);
    return caller === '' || caller === address ? readable : `${caller} (${readable})`;
  }

  /** Sender or recipient of a message. */
  correspondent(party: Members): string {
    const { phoneNumber, extensionNumber, extensionId, name } = party;
    const known = this.#byId.get(wordOf(extensionId)) ?? this.#byNumber.get(wordOf(extensionNumber));
    return known ?? this.party(wordOf(phoneNumber) || extensionNumber, name);
  }
}
