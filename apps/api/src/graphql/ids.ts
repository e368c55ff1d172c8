const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The id in its one form, or null for what is no UUID. Answer null like an unknown id: whoever guesses learns nothing
 * from the form of the refusal.
 */
export const parseUuid = (value: string): string | null => (UUID.test(value) ? value.toLowerCase() : null);
