import { GraphqlBackend, type MemoryBackend } from '@tempera/client-kit';
import type { ServiceClient } from './graphql/service-client.js';

/** The service behind the tools. With it comes the redaction of what is sent, a quarter of a megabyte, so it is loaded on demand. */
export const backendOf = (client: ServiceClient): MemoryBackend => new GraphqlBackend(client);
