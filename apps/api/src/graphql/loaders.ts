import type DataLoader from 'dataloader';
import type { Caller } from '../auth/caller.js';

/** Makes a noun's loader for one caller. Keep it in a field of the noun's service: its identity is the registry's key. */
export type LoaderDefinition<K, V> = (caller: Caller) => DataLoader<K, V>;

/**
 * The loaders of one request, each made at its first use: `context.loaders.of(users.byId).load(id)`. Never shared between
 * requests, since what is cached was read with one caller's eyes.
 */
export class RequestLoaders {
  private readonly made = new Map<unknown, unknown>();

  constructor(private readonly caller: () => Caller) {}

  of<K, V>(definition: LoaderDefinition<K, V>): DataLoader<K, V> {
    const existing = this.made.get(definition);
    // The map is keyed by the definition that made the value, so the type is the definition's.
    if (existing !== undefined) return existing as DataLoader<K, V>;
    const loader = definition(this.caller());
    this.made.set(definition, loader);
    return loader;
  }
}
