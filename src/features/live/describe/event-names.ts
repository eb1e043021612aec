import { phoneNumberText } from '../../../platform/phone-number-text.ts';
import type { Members } from './body-values.ts';
import { wordOf } from './body-values.ts';

/** An extension from a list of the service, or from the cache of known values. */
export interface NamedExtension {
  readonly id: string | number;
  readonly name: string;
  readonly extensionNumber?: string | undefined;
  /** Known if the service listed the extension in this run. */
  readonly permissions?:
    | { readonly admin?: { readonly enabled?: boolean | undefined } | undefined }
    | undefined;
}

/** Names of extensions for the text of events. */
export class EventNames {
  readonly #byId = new Map<string, string>();
  readonly #byNumber = new Map<string, string>();

  constructor(extensions: Iterable<NamedExtension> = []) {
    this.add(extensions);
  }

  /** Adds extensions, and replaces the names of those that are known. Deleted extensions keep their names. */
  add(extensions: Iterable<NamedExtension>): void {
    for (const { id, name, extensionNumber } of extensions) {
      const label = extensionNumber ? `${name} (${extensionNumber})` : name;
      this.#byId.set(String(id), label);
      if (extensionNumber) this.#byNumber.set(extensionNumber, label);
    }
  }

  /** Returns a name such as `Dana Okafor (102)`; undefined for an unknown extension. */
  known(id: string): string | undefined {
    return this.#byId.get(id);
  }

  /** Returns the name of the extension with this number; undefined for an unknown extension. */
  numbered(extensionNumber: string | undefined): string | undefined {
    return extensionNumber === undefined ? undefined : this.#byNumber.get(extensionNumber);
  }

  /** Returns the extension for a sentence, with its ID if its name is unknown. */
  extension(id: string | undefined): string {
    if (id === undefined || id === '') return 'an extension';
    if (id === '~') return 'you';
    return this.#byId.get(id) ?? `extension ${id}`;
  }

  /** Returns one end of a call: a known extension, or the name and number that the service sent. */
  party(number: unknown, name: unknown): string {
    const address = wordOf(number);
    const caller = wordOf(name).trim();
    const known = this.#byNumber.get(address);
    if (known !== undefined) return known;
    if (address === '') return caller === '' ? 'unknown number' : caller;
    const readable = phoneNumberText(address);
    return caller === '' || caller === address ? readable : `${caller} (${readable})`;
  }

  /** Returns the sender or recipient of a message. */
  correspondent(party: Members): string {
    const { phoneNumber, extensionNumber, extensionId, name } = party;
    const known = this.#byId.get(wordOf(extensionId)) ?? this.#byNumber.get(wordOf(extensionNumber));
    return known ?? this.party(wordOf(phoneNumber) || extensionNumber, name);
  }
}
