/** Every secret that a tour of the service met, to look for it where none may be. */
export class IssuedSecrets {
  private readonly known = new Map<string, string>();

  /** Notes a secret and hands it on. */
  note(name: string, secret: string | undefined): string {
    if (secret === undefined || secret.length < 8) throw new Error(`${name} is no secret that one could look for.`);
    this.known.set(name, secret);
    return secret;
  }

  get count(): number {
    return this.known.size;
  }

  /** Names of the secrets that the text holds: whole, without hyphens, by a token's signature, in base64 or percent signs. */
  foundIn(text: string): string[] {
    return [...this.known].flatMap(([name, secret]) =>
      formsOf(secret).some((form) => text.includes(form)) ? name : [],
    );
  }
}

const formsOf = (secret: string): string[] => [
  secret,
  secret.replaceAll('-', ''),
  // The end of a JWT is its signature; its head is the same for all.
  secret.split('.').at(-1) ?? secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];
